"""What kernels and feature maps show: TeX that every renderer sets, and a repr that can be pasted back."""

import every_kernel
import pytest
from every_kernel import EXAMPLES, OBJECTS, first, sines
from kernels.random_kernels import NAMES, assert_balanced, assert_single_scripts, assert_typesets

from kernelkit.features import Circle, Landmarks, LinearMap, Monomials, Orders, Steps
from kernelkit.kernels import Alignments, Bell, Conjugate, Exp, Linear, MeanMap, Normalized, Periodic, Pullback

pytestmark = pytest.mark.filterwarnings("error")

RULES = {
    "k": lambda k: k,
    "2k² + k + 1": lambda k: 2 * k**2 + k + 1,
    "k · k": lambda k: k * k,
    "normalised": Normalized,
    "f k f": lambda k: Conjugate(Bell(1.0), k),
    "exp": lambda k: Exp(k),
}
MAPS = [
    Circle(1.0),
    Circle(2.0),
    Steps([1, 2]),
    Monomials(2),
    LinearMap([[1, 0, 2], [0, 1, 1]]),
    Orders(),
    sines,
    first,
]


def compositions(example, rule):
    """The kernel under the rule, and where it takes vectors pulled back, twice too, and inside kernels of objects."""
    k = rule(example)
    yield k
    if k.points == "vectors":
        yield from (Pullback(k, g) for g in (*MAPS, Bell(1.0)))
        yield from (Pullback(Pullback(k, Circle(1.0)), g) for g in MAPS)
        yield from (Alignments(k), MeanMap(k), Alignments(Pullback(k, Circle(1.0))))


def shown(k):
    """All that k and its features show, of many features the first."""
    yield k._repr_latex_()
    try:
        phi = k.feature_map(**every_kernel.world(k))
    except ValueError:  # no finite features
        return
    yield phi._repr_latex_()
    try:
        names = phi.names(3)[:20] if phi.dim(3) <= 300 else []
    except ValueError:  # a matrix or a function that does not take the coordinates that it would get
        return
    yield from (f"${name}$" for name in names)


@pytest.mark.parametrize("rule", RULES.values(), ids=RULES)
@pytest.mark.parametrize("example", EXAMPLES, ids=repr)
def test_no_symbol_has_two_subscripts_or_two_superscripts(example, rule):
    for k in compositions(example, rule):
        for text in shown(k):
            assert_balanced(text)
            assert_single_scripts(text)


def test_the_checker_knows_what_tex_refuses():
    for fine in (r"x_1^2", r"{x_1}_2", r"(x_i)_j", r"\frac{x_1}{x_2}_3^4", r"x_{i_j}", r"\big(x_i\big)_j^\top"):
        assert_single_scripts(fine)
    for refused in (r"x_i_j", r"x^2^\top", r"x_{i}_{j}", r"\big(x\big)_j_j", r"\alpha_1^2_3", r"{x}_1_2"):
        with pytest.raises(AssertionError):
            assert_single_scripts(refused)


def test_a_circle_of_circles_can_be_typeset():
    shown = Pullback(Periodic(1.0), Circle(1.0))._repr_latex_()
    assert r"\big)_j)_j" in shown
    assert_typesets(shown)


def test_what_is_no_single_symbol_stands_in_parentheses_under_a_transpose():
    assert Pullback(Linear(), Bell(1.0)).latex("x", "z") == r"(e^{-\|x\|^2 / 2})^\top e^{-\|z\|^2 / 2}"


@pytest.mark.parametrize("rule", [r for r in RULES.values() if r is not RULES["exp"]], ids=[*RULES][:-1])
@pytest.mark.parametrize("k", OBJECTS, ids=repr)
def test_feature_maps_of_objects_can_be_pasted_back(k, rule):
    try:
        phi = rule(k).feature_map(**every_kernel.world(k))
    except ValueError:  # no finite features
        return
    again = eval(repr(phi), NAMES.copy())
    assert again == phi and repr(again) == repr(phi) and hash(again) == hash(phi)


@pytest.mark.parametrize("k", OBJECTS, ids=repr)
def test_landmarks_of_objects_can_be_pasted_back_and_give_the_same_features(k):
    X = every_kernel.COLLECTIONS[k.points]
    phi = Landmarks(k, X[:3])
    again = eval(repr(phi), NAMES.copy())
    assert again == phi and hash(again) == hash(phi)
    assert (again(X) == phi(X)).all()
