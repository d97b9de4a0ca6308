"""Times of the calls that people wait for, on bundled data of fixed size; each also checks its answer.

asv finds the methods whose names begin with ``time_``, and calls ``setup`` before each.
"""

import qnml


class Learning:
    """Exact and heuristic learning."""

    def setup(self) -> None:
        """Draw the tables."""
        self.small = qnml.datasets.sample("asia", 10_000, seed=1)
        self.wine = qnml.datasets.load_table("wine")

    def time_exact_8_variables(self) -> None:
        """The best network of 8 variables and 10,000 rows."""
        assert qnml.learn(self.small, n_jobs=1).certificate.optimal

    def time_exact_14_variables(self) -> None:
        """The best network of 14 variables and 178 rows."""
        assert qnml.learn(self.wine, n_jobs=1).certificate.optimal

    def time_order_search(self) -> None:
        """A search over orders without a proof."""
        assert qnml.learn(self.wine, method="order", n_jobs=1).dag.n_arcs > 0


class Uncertainty:
    """Posteriors, the k best, and the bootstrap."""

    def setup(self) -> None:
        """Draw the table."""
        self.table = qnml.datasets.sample("asia", 1000, seed=1)

    def time_posterior(self) -> None:
        """Exact probabilities of all arcs of 8 variables."""
        assert 0.98 < qnml.posterior(self.table, n_jobs=1).edge_probabilities["either", "dysp"] < 1

    def time_k_best(self) -> None:
        """The hundred best classes."""
        assert qnml.k_best(self.table, 100, n_jobs=1).proven == 100

    def time_bootstrap(self) -> None:
        """Two hundred replicates."""
        assert qnml.bootstrap(self.table, 200, seed=1, n_jobs=1).replicates == 200


class Arithmetic:
    """The parts that everything rests on."""

    def setup(self) -> None:
        """Draw the table and read the network."""
        self.table = qnml.datasets.sample("asia", 100_000, seed=1)
        self.network = qnml.datasets.load_network("asia")

    def time_regret(self) -> None:
        """The regret of a million rows and a thousand values."""
        assert qnml.regret(1_000_000, 1000) > 0

    def time_score(self) -> None:
        """The score of a network on 100,000 rows."""
        assert qnml.score(self.table, self.network) < 0

    def time_marginals(self) -> None:
        """All marginals of a small network."""
        assert len(self.network.marginals(evidence={"xray": "yes"})) == 8
