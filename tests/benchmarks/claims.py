"""What the notebooks say of times, as rows of the benchmark."""

import numpy as np
from rows import faster

from kernelkit import Gaussian, KernelRidge, KernelSVM, Polynomial, datasets

rng = np.random.default_rng(0)


def claims_of_the_notebooks(seconds, sizes):
    """What 02, 03 and 07 say of times: millions of features, w for many test points, solving; support vectors alone."""
    X, A = rng.standard_normal((800, 100)) / 10, rng.standard_normal((500, 500)) + 50 * np.eye(500)
    model, few = KernelRidge(Polynomial(4), 0.1), KernelRidge(Polynomial(3), 0.1).fit(X[:, :5], X[:, 0])
    task = "fit D = 4 598 126 features, n=300 | write D numbers"
    yield faster(task, lambda: model.fit(X[:300], X[:300, 0]), lambda: np.ones(4_598_126), 1.0, seconds)
    phi, Z = few.kernel.feature_map(), rng.standard_normal((3000, 5))
    task = "w once, then 3000 test points, n=800, D=56 | by k"
    yield faster(task, lambda: phi(Z) @ few.primal_weights(phi), lambda: few.predict(Z), 1.0, seconds)
    task = "solve 500 equations | invert the matrix"
    yield faster(task, lambda: np.linalg.solve(A, A[0]), lambda: np.linalg.inv(A) @ A[0], 1.5, seconds)
    (X, y), (Z, _), k = datasets.rings(2000), datasets.rings(2000, random_state=1), Gaussian(0.7)
    svm = KernelSVM(k, C=10.0).fit(X, y)
    task = "SVM at 2000 points, its support vectors | all n=2000"
    yield faster(task, lambda: svm.decision_function(Z), lambda: k(Z, X) @ svm.a_ + svm.b_, 5.0, seconds)
