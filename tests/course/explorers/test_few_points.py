"""Notebook 10's panel of few points: the kernel's and the small network's errors, found again."""

import numpy as np
import pytest
from panels import files

from kernelkit.course.explorers.choosing_a_kernel import networks
from kernelkit.course.explorers.choosing_a_kernel.networks import SAMPLES, SIZES, committed, kernel_error, two_samples


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


@pytest.mark.parametrize(("data", "n", "seed"), [("mixture", 20, 1), ("digits", 50, 1), ("sine", 100, 1)])
def test_classes_digits_and_more_points_are_trained_again_and_as_many_networks_are_stopped(data, n, seed):
    """A network that is stopped ends a little elsewhere on another machine."""
    *_, (_, found) = files("choosing_a_kernel")["networks"].trial(data, n, seed)
    kept = {name: errors[seed, SIZES.index(n)] for name, errors in committed()[data].items()}
    assert found["kernel"] == pytest.approx(kept["kernel"], abs=0.02)
    assert found["network"] == pytest.approx(kept["network"], abs=0.02)
    assert found["scatter"] == pytest.approx(kept["scatter"], abs=0.01)
    assert found["unfinished"] == pytest.approx(kept["unfinished"], abs=3)


def test_a_network_is_unfinished_when_it_has_made_all_steps_that_it_may(monkeypatch):
    """Ten starts: the network of start s answers s everywhere, and the three last ones have not converged."""
    module = files("choosing_a_kernel")["networks"]

    class Answering:
        def __init__(self, regression, units, penalty, start=0):
            self.start, self.n_iter_ = start, module.STEPS - (start < 7)

        def fit(self, X, y):
            return self

        def predict(self, Z):
            return np.full(len(Z), float(self.start))

    monkeypatch.setattr(module, "network", Answering)
    monkeypatch.setattr(module, "cross_validate", lambda *_: np.zeros(1))
    monkeypatch.setattr(module, "kernel_error", lambda *_: 0.0)
    *_, (_, found) = module.trial("sine", 20, 0)
    t = two_samples("sine", 20, 0)[3]
    errors = [np.mean((t - start) ** 2) for start in range(10)]
    assert found["unfinished"] == 3 and found["network"] == pytest.approx(errors[0])
    assert found["scatter"] == pytest.approx(np.sqrt(np.sum((errors - np.mean(errors)) ** 2) / 9))


def test_digits_to_learn_from_are_no_fresh_ones():
    X, _, Z, _ = two_samples("digits", 500, 2)
    assert len(X) == 500 and len(Z) == 1000
    assert not {row.tobytes() for row in X} & {row.tobytes() for row in Z}


def test_the_first_picture_hides_the_network():
    state = network_state()
    assert list(state.means) == ["kernel"] and "network" not in networks.words(state)


def network_state(scene=None, **values):
    return networks.compute(**networks.start() | (networks.scenes[scene] if scene else {}) | values)


def test_one_more_sample_is_trained_and_said():
    panel = networks(both=True)
    panel.measuring.run()
    assert panel.measuring.progress.value == 1.0 and set(panel.measured) == {"kernel", "network"}
    assert "one more sample kernel 0." in panel.words.replace("\u00a0", " ")


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
