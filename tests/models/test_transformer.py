"""Features: a feature map as a step of a Pipeline."""

import numpy as np
import pytest
from pandas import DataFrame

from kernelkit import Features, FromFeatures, Gaussian, Monomials


@pytest.mark.parametrize("phi", [Monomials(2), Monomials(3, 0), Gaussian(1.0).feature_map(5)], ids=repr)
def test_features_are_those_of_the_map_and_each_has_a_name(phi, cloud):
    X, Z = cloud(9, 2), cloud(5, 2, seed=1)
    step = Features(phi).fit(X)
    np.testing.assert_array_equal(step.transform(Z), phi(Z))
    np.testing.assert_array_equal(step.fit_transform(X), phi(X))
    assert step.get_feature_names_out().tolist() == phi.names(2)
    assert step.get_feature_names_out(["a", "b"]).tolist() == phi.names_from(["a", "b"])
    assert len(step.get_feature_names_out()) == step.transform(Z).shape[1]


def test_names_come_from_the_columns(cloud):
    table = DataFrame(cloud(6, 2), columns=["height", "age"])
    step = Features(Monomials(1)).fit(table)
    assert step.get_feature_names_out().tolist() == ["1", "height", "age"]
    with pytest.raises(ValueError, match="must be in the same order"):
        step.get_feature_names_out(["age", "height"])
    with pytest.raises(ValueError, match="must be in the same order"):
        step.transform(table[["age", "height"]])


def test_wrong_uses_are_refused(cloud):
    with pytest.raises(TypeError, match="feature_map must be a feature map"):
        Features(Gaussian(1.0)).fit(cloud(3, 2))
    with pytest.raises(ValueError, match="input_features must hold 2 names, got 1"):
        Features().fit(cloud(3, 2)).get_feature_names_out(["a"])


def test_other_things_than_vectors_have_features_without_names():
    phi = FromFeatures(lambda words: [[len(word), 1.0] for word in words]).feature_map()
    step = Features(phi).fit(["a", "bb"])
    assert step.transform(["ccc"]).tolist() == [[3.0, 1.0]]
    with pytest.raises(ValueError, match="names where the points are vectors"):
        step.get_feature_names_out()
