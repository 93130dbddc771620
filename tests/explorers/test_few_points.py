"""Notebook 10's panel of few points: the kernel's and the small network's errors, found again."""

import numpy as np
import pytest
from panels import files

from kernelkit.explorers.choosing_a_kernel import networks
from kernelkit.explorers.choosing_a_kernel.networks import SAMPLES, SIZES, committed, kernel_error, two_samples


def test_the_committed_errors_are_whole():
    for found in committed().values():
        assert set(found) == {"kernel", "network", "scatter", "unfinished"}
        assert all(e.shape == (SAMPLES, len(SIZES)) for e in found.values())
        assert (found["kernel"] > 0).all() and (found["network"] > 0).all()


def test_an_error_of_the_kernel_is_found_again():
    for data, seed in (("sine", 0), ("mixture", 3), ("digits", 5)):
        X, y, Z, t = two_samples(data, 20, seed)
        found = kernel_error(X, y, Z, t, data == "sine")
        assert found == pytest.approx(committed()[data]["kernel"][seed, 0], abs=0.02)


def test_the_smallest_size_is_trained_again_and_both_choose_by_the_same_folds(monkeypatch):
    """Three of the ten samples of 20 points, with all settings, folds and starts of the network."""
    module = files("choosing_a_kernel")["networks"]
    asked = []

    def noted(choose):
        def choice(model, X, y, folds, random_state, **values):
            asked.append((folds, random_state))
            return choose(model, X, y, folds, random_state, **values)

        return choice

    for name in ("grid", "cross_validate"):
        monkeypatch.setattr(module, name, noted(getattr(module, name)))
    for seed in (0, 3, 4):
        *_, (_, found) = module.trial("sine", 20, seed)
        for name in ("kernel", "network", "scatter"):
            assert found[name] == pytest.approx(committed()["sine"][name][seed, 0], abs=0.004), name
    assert len(asked) == 3 * (1 + len(module.UNITS) * len(module.PENALTIES)) and len(set(asked)) == 1


def test_digits_to_learn_from_are_no_fresh_ones():
    X, _, Z, _ = two_samples("digits", 500, 2)
    assert len(X) == 500 and len(Z) == 1000
    assert not {row.tobytes() for row in X} & {row.tobytes() for row in Z}


def test_the_first_picture_hides_the_network():
    state = network_state()
    assert state.shown == ("kernel",) and "network" not in networks.describe(state)


def network_state(scene=None, **values):
    return networks.compute(**networks.start() | (networks.scenes[scene] if scene else {}) | values)


def test_one_more_sample_is_trained_and_said():
    panel = networks(both=True)
    panel.measuring.run()
    assert panel.measuring.progress.value == 1.0 and set(panel.measured) == {"kernel", "network"}
    assert "One more sample (◇): the kernel 0." in panel.sentence


def test_few_points_suit_the_kernel_and_a_noisy_mixture_neither():
    """What the text says, of the committed errors."""
    for data in ("sine", "digits"):
        means = {name: errors.mean(axis=0) for name, errors in committed()[data].items()}
        assert (means["kernel"] < means["network"]).all()
    few = {name: errors[:, 0] for name, errors in committed()["sine"].items()}
    assert few["network"].mean() > 1.5 * few["kernel"].mean() and (few["kernel"] < few["network"]).sum() >= 9
    gap = committed()["mixture"]["network"] - committed()["mixture"]["kernel"]
    assert np.abs(gap.mean(axis=0)).max() < 0.03


def test_what_the_text_says_of_the_ten_samples():
    found = committed()
    wins = {data: (e["kernel"] < e["network"]).sum(axis=0) for data, e in found.items()}
    assert wins["sine"][0] == wins["sine"][-1] == 10
    constant = found["sine"]["scatter"][:, 0] == 0
    assert constant.sum() == 2 and (found["sine"]["network"][constant, 0] > 0.6).all()
    means = [found["sine"][name][~constant, 0].mean() for name in ("kernel", "network")]
    assert np.round(means, 2).tolist() == [0.14, 0.19]
    assert 4 <= wins["mixture"].min() <= wins["mixture"].max() <= 6
    curve, digits = ({name: e.mean(axis=0) for name, e in found[data].items()} for data in ("sine", "digits"))
    assert [round(curve[name][0], 2) for name in ("kernel", "network")] == [0.16, 0.29]
    assert [round(curve[name][-1], 2) for name in ("kernel", "network")] == [0.09, 0.12]
    assert round(curve["scatter"][0], 3) == 0.026
    assert [round(100 * digits[name][-1]) for name in ("kernel", "network")] == [1, 3]
    assert sum(e["unfinished"].sum() for e in found.values()) == 926
