"""The contract of every model, held against scikit-learn's own checks and tools."""

import os
import subprocess
import sys
from unittest import SkipTest

import numpy as np
import pytest
import sklearn
from every_model import ESTIMATORS, PREDICTORS, data_for, each
from pandas import DataFrame, Series
from sklearn.base import is_classifier, is_regressor
from sklearn.compose import make_column_transformer
from sklearn.model_selection import cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils import estimator_checks, get_tags
from sklearn.utils.estimator_checks import parametrize_with_checks

import kernelkit
from kernelkit import (
    Conjugate,
    Gaussian,
    KernelRidge,
    Linear,
    Monomials,
    Polynomial,
    Precomputed,
    PrimalRidge,
    Quadratic,
    Scaled,
)
from kernelkit.kernels import Bell
from kernelkit.study import selection

OLDER = tuple(map(int, sklearn.__version__.split(".")[:2])) < (1, 7)


def smallest_or_not(estimator, y, enforced=estimator_checks._enforce_estimator_tags_y):
    """Three labels become two by their values; scikit-learn 1.6 asks which comes first, and a shuffle changes that."""
    tags = estimator.__sklearn_tags__().classifier_tags
    return enforced(estimator, y) if tags is None or tags.multi_class else (y > y.min()).astype(int)


@pytest.mark.filterwarnings("ignore:.*(max_iter|max_passes)")
@parametrize_with_checks([Model() for Model in ESTIMATORS])
def test_scikit_learn_s_checks_pass(estimator, check, monkeypatch):
    if OLDER:
        monkeypatch.setattr(estimator_checks, "_enforce_estimator_tags_y", smallest_or_not)
    try:
        check(estimator)
    except SkipTest as reason:
        assert "SCIPY_ARRAY_API" in str(reason)  # SciPy reads it on import, so this check has a process of its own


ARRAY_API = """
import sklearn
from sklearn.utils.estimator_checks import estimator_checks_generator
import kernelkit
version = tuple(map(int, sklearn.__version__.split(".")[:2]))
models = [getattr(kernelkit, name) for name in kernelkit.__all__]
for Model in (Model for Model in models if hasattr(Model, "fit")):
    checks = [(m, check) for m, check in estimator_checks_generator(Model()) if "check_array_api" in str(check)]
    assert checks or version < (1, 9), Model  # older ones have no such check for models like these
    for model, check in checks:
        check(model)
    print(Model.__name__)
"""


def test_scikit_learn_s_check_of_array_api_input_passes():
    command, env = [sys.executable, "-W", "ignore", "-c", ARRAY_API], os.environ | {"SCIPY_ARRAY_API": "1"}
    done = subprocess.run(command, env=env, capture_output=True, text=True, timeout=300)
    assert done.stdout.split() == [Model.__name__ for Model in ESTIMATORS], done.stderr[-2000:]


UNSUPERVISED = {
    "KernelKMeans": "clusterer",
    "KernelDBSCAN": "clusterer",
    "KernelLinkage": "clusterer",
    "KernelOutliers": "outlier_detector",
    "KernelOneClass": "outlier_detector",
    "KernelDensity": "density_estimator",
    "KernelPCA": None,
    "Features": None,
}


@each(ESTIMATORS)
def test_scikit_learn_is_told_what_a_model_is_and_whether_it_needs_y(Model):
    tags, supervised = get_tags(Model()), Model.__name__ not in UNSUPERVISED
    assert tags.target_tags.required == supervised == (is_classifier(Model()) or is_regressor(Model()))
    assert supervised or tags.estimator_type == UNSUPERVISED[Model.__name__]


@each([Model for Model in ESTIMATORS if hasattr(Model, "score")])
def test_models_work_where_scikit_learn_routes_metadata(Model):
    X, y = data_for(Model)
    pipeline = make_pipeline(StandardScaler(), Model())
    scores = cross_val_score(pipeline, X, y, cv=3)
    assert np.isfinite(scores).all()
    with sklearn.config_context(enable_metadata_routing=True):
        np.testing.assert_array_equal(cross_val_score(pipeline, X, y, cv=3, error_score="raise"), scores)
        with pytest.raises(ValueError, match="sample_weight"):
            pipeline.fit(X, y).score(X, y, sample_weight=np.ones(len(X)))


@each([Model for Model in ESTIMATORS if hasattr(Model, "transform")])
def test_the_coordinates_of_some_columns_of_a_table_are_columns_of_a_table(Model, cloud):
    table = DataFrame(cloud(9, 3), columns=["a", "b", "c"], index=range(20, 29))
    own = Model().fit(table[["a", "b"]])
    expected = np.column_stack([own.transform(table[["a", "b"]]), table["c"]])
    both = make_column_transformer((Model(), ["a", "b"]), ("passthrough", ["c"]), verbose_feature_names_out=False)
    np.testing.assert_allclose(both.fit_transform(table), expected, atol=1e-12)
    both.set_output(transform="pandas")
    for new in both.fit_transform(table), both.transform(table):
        assert new.columns.tolist() == [*own.get_feature_names_out(), "c"] == both.get_feature_names_out().tolist()
        np.testing.assert_allclose(new, expected, atol=1e-12)
        assert new.index.equals(table.index)
    with sklearn.config_context(transform_output="pandas"):
        assert own.transform(table[["a", "b"]]).shape == (9, len(own.get_feature_names_out()))


@each([Model for Model in ESTIMATORS if Model.__name__ not in UNSUPERVISED])
def test_tables_whose_rows_have_the_same_names_in_another_order_are_refused(Model):
    """Pandas and Kriging would differ silently otherwise: y_i is the target of X_i by its place."""
    X, y = data_for(Model)
    table, targets = DataFrame(X, index=range(10, 10 + len(X))), Series(y, index=range(10, 10 + len(X)))
    turned = table.sort_values(0, ascending=False)
    assert not turned.index.equals(table.index)
    calls = [Model().fit, selection.read_data.__get__(Model())]
    calls += [Model().fit(table, targets).score] if hasattr(Model, "score") else []
    calls += [lambda X, y: Model().leave_one_out(X, y, [1.0])] if hasattr(Model, "leave_one_out") else []
    for call in calls:
        with pytest.raises(ValueError, match="same names in different orders"):
            call(turned, targets)
    for unnamed in targets.to_numpy(), targets[turned.index].set_axis(range(len(X))):  # by place, and other names
        Model().fit(turned, unnamed)


@pytest.mark.parametrize("names", [(range(9), range(20, 29)), (list("abcdefghi"), list("rstuvwxyz"))], ids=["0", "a"])
def test_a_table_of_kernel_values_that_was_turned_is_refused(names, cloud):
    """Rows named as the training points, columns as the new ones: k(X, Z) in place of k(Z, X)."""
    (X, Z), k, (old, new) = np.split(cloud(18, 2), 2), Gaussian(1.0), names
    named, plain = (KernelRidge(Precomputed()).fit(K, X[:, 0]) for K in (DataFrame(k(X), old, old), k(X)))
    rows = DataFrame(k(Z, X), new, old)
    np.testing.assert_array_equal(named.predict(rows), plain.predict(k(Z, X)))
    with pytest.raises(ValueError, match=r"named as the training points|names should match"):
        named.predict(rows.T)


# ---- parameters of composed kernels -----------------------------------------------------------


def test_parameters_reach_the_parts_of_a_composed_kernel():
    k = 2 * Gaussian(1.0) + Conjugate(Bell(3.0), Polynomial(2)) ** 3
    model = KernelRidge(k)
    params = model.get_params()
    assert params["kernel"] == k and params["kernel__left"] == 2 * Gaussian(1.0)
    assert params["kernel__left__c"] == 2 and params["kernel__left__k__sigma"] == 1.0
    assert params["kernel__right__p"] == 3 and params["kernel__right__k__f__sigma"] == 3.0
    assert params["kernel__right__k__k__degree"] == 2
    assert model.get_params(deep=False) == {"kernel": k, "lam": 1.0, "center": False}

    model.set_params(kernel__left__k__sigma=0.5, kernel__right__k__k__degree=4, kernel__right__k__f__sigma=5.0, lam=2)
    assert model.kernel == 2 * Gaussian(0.5) + Conjugate(Bell(5.0), Polynomial(4)) ** 3
    assert model.lam == 2
    assert k.left.k == Gaussian(1.0)  # the kernel that was given is frozen, and still what it was


def test_setting_a_part_keeps_no_old_results(cloud):
    X = cloud(4, 2)
    model = KernelRidge(Quadratic([[1, 0], [0, 1]]))
    model.kernel(X)  # computes and keeps the square root of A
    model.set_params(kernel__A=[[4, 0], [0, 0]])
    np.testing.assert_allclose(model.kernel(X), 4 * np.outer(X[:, 0], X[:, 0]), rtol=1e-12)


def test_whole_parameters_are_set_before_their_parts():
    model = KernelRidge().set_params(kernel__k__sigma=3.0, kernel=5 * Gaussian(1.0))
    assert model.kernel == Scaled(5, Gaussian(3.0))


def test_repr_shows_what_was_changed():
    assert repr(KernelRidge(2 * Linear(), center=True)) == "KernelRidge(kernel=2 * Linear(), center=True)"
    assert repr(PrimalRidge(Monomials(3), lam=0.5)) == "PrimalRidge(feature_map=Monomials(3), lam=0.5)"
    names = {name: getattr(kernelkit, name) for name in kernelkit.__all__}
    assert eval(repr(KernelRidge(2 * Linear(), lam=3)), names).kernel == 2 * Linear()


@pytest.mark.parametrize("path", ["kernel__width", "kernel__sigma__c", "lam__c", "sigma", "kernel__left__k"])
def test_unknown_parts_are_refused_by_name(path):
    with pytest.raises(ValueError, match=f"Invalid parameter '{path.split('__')[0]}"):
        KernelRidge().set_params(**{path: 1})


# ---- tables with named columns ----------------------------------------------------------------


class Table:
    """As little of a data frame as names need."""

    def __init__(self, X, columns):
        self.X, self.columns = X, columns

    def __array__(self, dtype=None, copy=None):
        return np.array(self.X, dtype=dtype)


@each(PREDICTORS)
def test_columns_in_another_order_are_refused(Model):
    X, y = data_for(Model)
    X = np.column_stack([X, X[:, :1] ** 2])
    names = ["a", "b", "c"][: X.shape[1]]
    model = Model().fit(Table(X, names), y)
    assert model.feature_names_in_.tolist() == names and model.feature_names_in_.dtype == object
    np.testing.assert_allclose(model.predict(Table(X, names)), Model().fit(X, y).predict(X), rtol=1e-9)
    with pytest.raises(ValueError, match=r"feature names should match .*\n.*must be in the same order"):
        model.predict(Table(X, names[::-1]))
    with pytest.warns(UserWarning, match="X does not have valid feature names, but"):
        model.predict(X)
    with pytest.raises(TypeError, match="only supported if all input features have string names"):
        model.fit(Table(X, [*names[:-1], 1]), y)


@each(PREDICTORS)
def test_columns_in_another_order_are_refused_whatever_their_names(Model):
    X, y = data_for(Model)
    X = np.column_stack([X, X[:, :1] ** 2])
    names = [None, (1, "a"), 0.5][: X.shape[1]]
    table = Table(X, names)
    model = Model().fit(table, y)
    assert not hasattr(model, "feature_names_in_")
    with pytest.raises(ValueError, match="in one order"):
        model.predict(Table(X, names[::-1]))
    for same in (X, Table(X, range(7, 7 + len(names)))):
        np.testing.assert_array_equal(model.predict(same), model.predict(table))
    with pytest.warns(UserWarning, match="X has feature names, but"):
        model.predict(Table(X, ["a", "b", "c"][: len(names)]))
    assert model.fit(X, y).predict(Table(X, names[::-1])) is not None


def test_of_many_columns_that_differ_five_are_named(cloud):
    model = KernelRidge().fit(Table(cloud(4, 7), [f"old {i}" for i in range(7)]), range(4))
    with pytest.raises(ValueError) as error:
        model.predict(Table(cloud(4, 7), [f"new {i}" for i in range(7)]))
    unseen, missing = ([f"- {age} {i}" for i in range(5)] for age in ("new", "old"))
    assert str(error.value).splitlines()[1:] == [
        "Feature names unseen at fit time:",
        *unseen,
        "Feature names seen at fit time, yet now missing:",
        *missing,
    ]
