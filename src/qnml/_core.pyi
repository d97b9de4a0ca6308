"""
The C++ core of qnml. Private: the Python classes own names, checks and defaults.
"""

from collections.abc import Sequence
import enum
from typing import Annotated

import numpy
from numpy.typing import NDArray


def regret_exact(n: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], r: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]: ...

def regret_szpankowski(n: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], r: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]: ...

def regret_szpankowski_weinberger(n: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], r: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]: ...

def regret_table(n: int, r: int) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]: ...

class Columns:
    def __init__(self, codes: Sequence[Annotated[NDArray, dict(shape=(None,), order='C', device='cpu', writable=False)]], levels: Sequence[int], weights: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None = None) -> None: ...

    @property
    def rows(self) -> int: ...

    @property
    def total(self) -> int: ...

def family_profiles(table: Columns, child: int, parents: Sequence[int]) -> tuple: ...

def family_counts(table: Columns, child: int, parents: Sequence[int]) -> tuple: ...

def partition(table: Columns, variables: Sequence[int]) -> tuple: ...

class ScoreKind(enum.Enum):
    loglik = 0

    aic = 1

    bic = 2

    hqc = 3

    ebic = 4

    qnml = 5

    fnml = 6

    bdeu = 7

    bdq = 8

    bds = 9

    bdj = 10

    k2 = 11

def local_scores(table: Columns, children: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], offsets: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], parents: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], kind: ScoreKind, parameter: float, n_variables: int, threads: int) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]: ...

def network_regret(levels: Sequence[int], parents: Sequence[Sequence[int]], rows: int) -> float: ...

def sample_rows(parents: Sequence[Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)]], levels: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], cumulative: Sequence[Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]], columns: Sequence[Annotated[NDArray, dict(shape=(None,), order='C', device='cpu')]], rows: int, seed: int, threads: int, configs: Sequence[Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)] | None] = []) -> None: ...

class Conditionals:
    def __init__(self, parents: Sequence[Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)]], levels: Sequence[int], configs: Sequence[Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)] | None], rows: Sequence[Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]], unseen: Sequence[Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]]) -> None: ...

    def log_prob(self, columns: Sequence[Annotated[NDArray, dict(shape=(None,), order='C', device='cpu', writable=False)] | None], rows: int, threads: int) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]: ...

    def predict(self, target: int, columns: Sequence[Annotated[NDArray, dict(shape=(None,), order='C', device='cpu', writable=False)] | None], rows: int, threads: int) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]: ...

def find_configs(levels: Sequence[int], configs: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], listed: int, queries: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], count: int) -> Annotated[NDArray[numpy.int64], dict(shape=(None,))]: ...

class Control:
    def __init__(self) -> None: ...

    def stop(self) -> None: ...

    def set_deadline(self, seconds: float) -> None: ...

    @property
    def is_timed_out(self) -> bool: ...

    @property
    def stage(self) -> int: ...

    @property
    def share_done(self) -> float: ...

class TieRule(enum.Enum):
    simplest = 0

    largest = 1

    random = 2

class Constraints:
    def __init__(self, allowed: Sequence[int], required: Sequence[int], max_parents: Sequence[int], most_cells: float) -> None: ...

class ExactTask:
    def __init__(self, kind: ScoreKind, parameter: float, constraints: Constraints, ties: TieRule, seed: int, dense: bool) -> None: ...

class ExactResult:
    @property
    def found(self) -> bool: ...

    @property
    def optimal(self) -> bool: ...

    @property
    def parents(self) -> list[int]: ...

    @property
    def score(self) -> float: ...

    @property
    def bound(self) -> float: ...

    @property
    def ties_examined(self) -> bool: ...

    @property
    def has_ties(self) -> bool: ...

    @property
    def out_of_memory(self) -> bool: ...

    @property
    def families_scored(self) -> int: ...

    @property
    def candidates(self) -> int: ...

    @property
    def visits(self) -> int: ...

    @property
    def states(self) -> int: ...

    @property
    def seconds(self) -> list[tuple[str, float]]: ...

def learn_exact(table: Columns, tasks: Sequence[ExactTask], memory_limit: float, control: Control, threads: int) -> list[ExactResult]: ...

def learn_exact_many(tables: Sequence[Columns], tasks: Sequence[Sequence[ExactTask]], memory_limit: float, control: Control, threads: int) -> list[list[ExactResult]]: ...

def forecast_families(table: Columns, kind: ScoreKind, parameter: float, constraints: Constraints) -> float: ...

def family_and_bound(table: Columns, kind: ScoreKind, parameter: float, child: int, parents: int) -> tuple[float, float]: ...

def dense_bytes(n: int, config_classes: int, threads: int) -> float: ...

class LargeMethod(enum.Enum):
    hill_climbing = 0

    order = 1

class Effort(enum.Enum):
    quick = 0

    usual = 1

    thorough = 2

class LargeTask:
    def __init__(self, kind: ScoreKind, parameter: float, allowed: Annotated[NDArray[numpy.uint64], dict(shape=(None, None), order='C', device='cpu', writable=False)], required: Annotated[NDArray[numpy.uint64], dict(shape=(None, None), order='C', device='cpu', writable=False)], max_parents: Sequence[int], most_cells: float, method: LargeMethod, effort: Effort, seed: int) -> None: ...

class LargeResult:
    @property
    def parents(self) -> list[list[int]]: ...

    @property
    def score(self) -> float: ...

    @property
    def trace(self) -> list[tuple[float, float]]: ...

    @property
    def bound(self) -> float: ...

    @property
    def sets_counted(self) -> int: ...

    @property
    def candidates(self) -> int: ...

    @property
    def seconds(self) -> list[tuple[str, float]]: ...

def learn_large(table: Columns, task: LargeTask, memory_limit: float, control: Control, threads: int) -> LargeResult: ...
