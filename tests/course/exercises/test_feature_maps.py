"""What the laws of every exercise do not say of those of notebook 01."""

from kernelkit.course.exercises import feature_maps as check


def test_the_distance_asked_for_is_the_one_the_panel_says():
    for lam in (1e-6, 0.01, 0.5, 10.0):
        panel = check.tamed.explorer()
        panel.set(**check.tamed.right | {"lam": lam})
        assert (check.tamed.of(panel).verdict == "right") == (panel.state.truth <= 0.22)
