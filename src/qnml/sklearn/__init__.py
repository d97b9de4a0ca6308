"""Bayesian networks as scikit-learn estimators.

`BayesNet` estimates a joint distribution, `BayesNetClassifier` predicts one variable from the others, and
`MarkovBlanketSelector` selects the columns that matter for a target. All three first learn the structure from the
data, with a hyperparameter-free score by default.

Examples
--------
>>> from sklearn.datasets import load_iris
>>> from sklearn.model_selection import cross_val_score
>>> from sklearn.pipeline import make_pipeline
>>> from qnml import Discretizer
>>> X, y = load_iris(return_X_y=True)
>>> model = make_pipeline(Discretizer(), BayesNetClassifier())
>>> bool(cross_val_score(model, X, y).mean() > 0.9)
True
"""

from qnml.sklearn.classifier import BayesNetClassifier
from qnml.sklearn.density import BayesNet
from qnml.sklearn.selector import MarkovBlanketSelector

__all__ = ["BayesNet", "BayesNetClassifier", "MarkovBlanketSelector"]
