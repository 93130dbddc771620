"""Theorems about the synthetic scan: seeds, anatomy, and structures that look like the tumour."""

import numpy as np
import pytest
from scipy.stats import ks_2samp

from kernelkit.images import phantom
from kernelkit.images.phantom import BRIGHTNESS, CORE, FLUID, GREY, OEDEMA, OUTSIDE, WHITE, Patient, patient


@pytest.fixture(scope="module")
def patients():
    return [patient(seed) for seed in range(20)]


def test_the_same_seed_is_the_same_patient_and_another_is_another(patients):
    again = patient(3)
    for part in ("channels", "tissue", "tumour", "look_alike"):
        np.testing.assert_array_equal(getattr(again, part), getattr(patients[3], part))
    assert len({p.channels.tobytes() for p in patients}) == 20


def test_a_scan_has_four_channels_and_every_tissue(patients):
    for p in patients:
        assert isinstance(p, Patient) and p.channels.shape == (4, 128, 128) and p.tissue.shape == (128, 128)
        assert set(np.unique(p.tissue)) == set(range(8))
        edge = np.concatenate([p.tissue[0], p.tissue[-1], p.tissue[:, 0], p.tissue[:, -1]])
        assert (edge == OUTSIDE).all()  # the whole head is in the picture
    assert patient(0, size=64).channels.shape == (4, 64, 64)


def test_tumours_and_what_looks_like_them_are_made_of_the_same(patients):
    for p in patients:
        assert not (p.tumour & p.look_alike).any()
        np.testing.assert_array_equal(p.tumour | p.look_alike, np.isin(p.tissue, (OEDEMA, CORE)))
        assert 150 < p.tumour.sum() < 1800 and 150 < p.look_alike.sum()
    same = [
        np.abs(
            np.mean(
                [
                    p.channels[:, (p.tissue == t) & p.tumour].mean(axis=1)
                    - p.channels[:, (p.tissue == t) & p.look_alike].mean(axis=1)
                    for p in patients
                ],
                axis=0,
            )
        ).max()
        for t in (OEDEMA, CORE)
    ]
    assert max(same) < 0.05  # of brightness, in any channel: the lesser is all blur at the smaller one's edge


def test_tissues_are_as_bright_as_they_should_be(patients):
    for t in (FLUID, GREY, WHITE, OEDEMA, CORE):
        mean = np.mean([p.channels[:, p.tissue == t].mean(axis=1) for p in patients], axis=0)
        np.testing.assert_allclose(mean, BRIGHTNESS[:, t], atol=0.13)  # at their edges they mix


def test_what_looks_like_a_tumour_can_be_left_out_and_nothing_else_changes():
    both, none, midline, pair = (patient(5, look_alikes=a) for a in (("midline", "pair"), (), ("midline",), ("pair",)))
    for p in (none, midline, pair):
        np.testing.assert_array_equal(p.tumour, both.tumour)
        kept = ~both.look_alike
        np.testing.assert_array_equal(p.tissue[kept], both.tissue[kept])
    assert not none.look_alike.any()
    np.testing.assert_array_equal(midline.look_alike | pair.look_alike, both.look_alike)


def test_the_pair_is_mirrored_and_the_midline_is_in_the_middle():
    v, u = np.mgrid[1:-1:101j, -1:1:101j]
    for seed in range(5):
        rng = np.random.default_rng(seed)
        tissue = np.full(u.shape, WHITE)
        for shape in phantom._pair(rng):
            phantom._lesion(tissue, tissue == WHITE, u, v, shape)
        np.testing.assert_array_equal(tissue, tissue[:, ::-1])
        assert (tissue == CORE).sum() > 5 and not (tissue[:, 50] == CORE).any()
    (shape,) = phantom._midline(rng)
    assert shape[0] == 0


def test_light_is_uneven_and_heads_lie_differently(patients):
    middles = np.array([np.mean(np.nonzero(p.tissue), axis=1) for p in patients])
    assert (middles.std(axis=0) > 1.5).all()
    assert np.std([np.sum(p.tissue > 0) for p in patients]) > 300


def test_the_waves_of_all_structures_begin_anywhere_alike():
    """The phase of the waves does not tell a tumour from what looks like one."""
    rng = np.random.default_rng(0)
    tumour = [phantom._tumour(rng)[-1] for _ in range(2000)]
    midline = [shape[-1] for _ in range(2000) for shape in phantom._midline(rng)]
    pair = [phantom._pair(rng)[0][-1] for _ in range(2000)]
    for look_alike in (midline, pair):
        assert ks_2samp(tumour, look_alike).pvalue > 0.01


def test_bad_input_meets_one_sentence():
    with pytest.raises(ValueError, match="size must be a whole number ≥ 32, got 8"):
        patient(0, size=8)
    with pytest.raises(ValueError, match="seed must be a whole number ≥ 0, got -1"):
        patient(-1)
    with pytest.raises(ValueError, match="'midline' or 'pair' or both, got 'left'"):
        patient(0, look_alikes=("left",))
