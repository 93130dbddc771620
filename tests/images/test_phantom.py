"""Theorems about the synthetic scan: seeds, anatomy, and structures that look like the tumour.

Every number of twelve patients is also in the fits that ``test_segmentation`` compares.
"""

import numpy as np
import pytest
from scipy.stats import ks_2samp

from kernelkit.images import phantom
from kernelkit.images.phantom import BRIGHTNESS, CORE, FLUID, GREY, OEDEMA, OUTSIDE, WHITE, patient


@pytest.fixture(scope="module")
def patients():
    return [patient(seed) for seed in range(20)]


def brightness(patients, where):
    """The mean over patients of the mean brightness in each channel of the pixels where(patient)."""
    return np.mean([p.channels[:, where(p)].mean(axis=1) for p in patients], axis=0)


def test_the_same_seed_is_the_same_patient_and_another_is_another(patients):
    again = patient(3)
    for part in ("channels", "tissue", "tumour", "look_alike"):
        np.testing.assert_array_equal(getattr(again, part), getattr(patients[3], part))
    assert len({p.channels.tobytes() for p in patients}) == 20


def test_a_scan_has_four_channels_and_every_tissue_as_bright_as_it_should_be(patients):
    for p in patients:
        assert p.channels.shape == (4, 128, 128) and set(np.unique(p.tissue)) == set(range(8))
        edge = np.concatenate([p.tissue[0], p.tissue[-1], p.tissue[:, 0], p.tissue[:, -1]])
        assert (edge == OUTSIDE).all()  # the whole head is in the picture
    for t in (FLUID, GREY, WHITE, OEDEMA, CORE):
        mean = brightness(patients, lambda p, t=t: p.tissue == t)
        np.testing.assert_allclose(mean, BRIGHTNESS[:, t], atol=0.13)  # at their edges they mix
    assert patient(0, size=32).channels.shape == (4, 32, 32)


def test_tumours_and_what_looks_like_them_are_made_of_the_same(patients):
    for p in patients:
        assert not (p.tumour & p.look_alike).any()
        np.testing.assert_array_equal(p.tumour | p.look_alike, np.isin(p.tissue, (OEDEMA, CORE)))
        assert 150 < p.tumour.sum() < 1800 and 150 < p.look_alike.sum()
    for t in (OEDEMA, CORE):
        tumour = brightness(patients, lambda p, t=t: (p.tissue == t) & p.tumour)
        alike = brightness(patients, lambda p, t=t: (p.tissue == t) & p.look_alike)
        np.testing.assert_allclose(tumour, alike, atol=0.05)  # the lesser is all blur at the smaller one's edge


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


def test_the_waves_of_all_structures_begin_anywhere_alike():
    """The phase of the waves does not tell a tumour from what looks like one."""
    rng = np.random.default_rng(0)
    tumour, midline, pair = np.array(
        [[phantom._tumour(rng)[-1], phantom._midline(rng)[0][-1], phantom._pair(rng)[0][-1]] for _ in range(2000)]
    ).T
    for look_alike in (midline, pair):
        assert ks_2samp(tumour, look_alike).pvalue > 0.01
