"""What a model is without settings: a default that changes, changes every notebook that leaves it out."""

from every_model import ESTIMATORS, each

DEFAULTS = {
    "PrimalRidge": "feature_map=Monomials(2), lam=1.0, center=False",
    "DualRidge": "feature_map=Monomials(2), lam=1.0, center=False",
    "KernelRidge": "kernel=Gaussian(1.0), lam=1.0, center=False",
    "PrimalLogistic": "feature_map=Monomials(2), lam=1.0, solver='gd', step=None, max_iter=5000, tol=1e-05, "
    "random_state=None",
    "KernelLogistic": "kernel=Gaussian(1.0), lam=1.0, solver='newton', step=None, max_iter=5000, tol=1e-05, "
    "random_state=None",
    "KernelSoftmax": "kernel=Gaussian(1.0), lam=1.0, max_iter=100, tol=1e-06",
    "PrimalPerceptron": "feature_map=Monomials(2), rate=1.0, max_passes=100, random_state=None",
    "KernelPerceptron": "kernel=Gaussian(1.0), rate=1.0, max_passes=100, random_state=None",
    "PrimalSVM": "feature_map=Monomials(2), lam=0.01, passes=200, random_state=0",
    "KernelSVM": "kernel=Gaussian(1.0), C=1.0, tol=0.001, max_iter=1000000",
    "KernelSVR": "kernel=Gaussian(1.0), C=1.0, epsilon=0.1, tol=0.001, max_iter=1000000",
    "KernelMultiSVM": "kernel=Gaussian(1.0), C=1.0, tol=0.001, max_iter=1000000",
    "KernelMachine": "kernel=Gaussian(1.0), loss='squared', lam=1.0, delta=1.0, tol=1e-06",
    "KernelOneClass": "kernel=Gaussian(1.0), nu=0.5, tol=0.001, max_iter=1000000",
    "KernelNeighbors": "kernel=Gaussian(1.0), n_neighbors=5",
    "KernelOutliers": "kernel=Gaussian(1.0), n_neighbors=5",
    "KernelKMeans": "kernel=Gaussian(1.0), n_clusters=2, n_init=10, max_iter=300, random_state=None",
    "KernelDBSCAN": "kernel=Gaussian(1.0), eps=0.5, min_samples=5",
    "KernelLinkage": "kernel=Gaussian(1.0), n_clusters=2, method='average'",
    "Kriging": "kernel=Gaussian(1.0), noise=0.1, center=False",
    "OneVsRest": "estimator=None",
    "KernelPCA": "kernel=Gaussian(1.0), n_components=2",
    "KernelDensity": "sigma=1.0",
    "Features": "feature_map=Monomials(2)",
}


def test_every_model_is_listed():
    assert {Model.__name__ for Model in ESTIMATORS} == {*DEFAULTS}, "DEFAULTS needs a line for each model"


@each(ESTIMATORS)
def test_a_model_stores_the_defaults_of_the_course_and_nothing_else(Model):
    model = Model()
    stored = model.get_params(deep=False)
    assert ", ".join(f"{name}={value!r}" for name, value in stored.items()) == DEFAULTS[Model.__name__]
    assert vars(model) == stored and repr(model) == f"{Model.__name__}()"
