"""Every module's tests are where its name says.

The tests of ``src/qnml/a/b.py`` are in ``tests/a/test_b.py``, or in ``tests/a/test_b_<aspect>.py`` where there are
many; leading underscores are left out. A module that is tested through its user is listed below, with the file.
"""

from pathlib import Path

import pytest

# By test file: the modules that it tests through their users.
TESTED_THROUGH_USERS = {
    "api/test_bootstrap": (
        "_api/bootstrap_result search/exact/reweighted search/local/reweighted search/running/run_batches"
    ),
    "api/test_posterior": (
        "_api/posterior_averages _api/posterior_effect _api/posterior_errors _api/posterior_result "
        "_api/posterior_sentence"
    ),
    "api/test_joint_learning": "_api/joint_binning _api/joint_state data/numeric_column search/column_bins",
    "api/test_listed": "_api/local_score_result search/listed",
    "api/test_shapes": "search/shapes",
    "api/test_scoring": "_api/explanation _api/local_score_files _api/network_families",
    "cli/test_app": "cli/failures cli/options cli/show",
    "cli/test_bad_input": "cli/read_data",
    "cli/test_convert": "cli/mends",
    "cli/test_predict": "cli/frame_files",
    "cli/test_effect": "cli/directions",
    "cli/test_query": "cli/parse_evidence",
    "data/test_cells": "data/polars_cells data/text_cells",
    "data/test_decimal_sign": "data/thousands",
    "data/test_discretizer": "data/numeric",
    "data/test_excel_files": "data/xlsx_sheet",
    "data/engines/test_every_engine": (
        "data/engine_sources data/engines/answers data/engines/dask_frames data/engines/databases "
        "data/engines/fetching data/engines/grouped data/engines/polars_frames data/engines/relation data/engines/sql "
        "data/engines/sql_text data/engines/studied"
    ),
    "data/engines/test_opening": (
        "data/engines/csv_files data/engines/duckdb_tables data/engines/plan data/engines/streamed data/mapped"
    ),
    "data/test_files": "data/arrow_files data/delimited data/opened_file",
    "data/test_layout": "data/ipc_layout data/parquet_layout data/thrift",
    "data/test_read": "data/frames data/opening data/source",
    "data/preparation/test_applying": "data/preparation/labelled",
    "data/preparation/test_preparing": (
        "data/preparation/binnings data/preparation/indicators data/preparation/one_column data/preparation/problems "
        "data/preparation/recipe data/preparation/request data/preparation/wishes"
    ),
    "data/preparation/test_rules": "data/odd_cells data/preparation/finding",
    "data/preparation/test_preparation": "data/preparation/column data/preparation/showing",
    "data/test_table": "_label_columns data/codes data/columnwise data/labels data/table_text",
    "datasets/test_loading": "datasets/catalog datasets/scikit",
    "graph/test_adjustment": "graph/adjusting graph/separators",
    "graph/test_averaging": "graph/arc_shares",
    "graph/test_cpdag": "graph/completion graph/partly_directed",
    "graph/test_equivalence": "graph/orientation_counts graph/orientations",
    "graph/test_dag": "graph/labels graph/masks graph/relations",
    "model/files/test_bif": "model/files/bif_parser model/files/block_network model/files/block_text",
    "model/files/test_dialects": "model/files/dsc_parser model/files/noisy_max model/files/row_list",
    "model/files/test_formats": (
        "model/files/assemble model/files/decoding model/files/dsc model/files/identifiers model/files/net "
        "model/files/number_table model/files/reading model/files/uai model/files/xdsl model/files/xdsl_looks "
        "model/files/xdsl_reader model/files/xml_tree model/files/xmlbif"
    ),
    "model/files/test_structure": "model/files/modelstring",
    "model/inference/test_effect": "model/inference/class_effects",
    "model/inference/test_query": (
        "model/inference/answers model/inference/contraction model/inference/gathering model/inference/problem "
        "model/inference/question model/inference/relevance"
    ),
    "model/inference/test_explanations": "model/question_methods",
    "model/inference/test_posterior_sampling": "model/inference/posterior",
    "model/test_fit": "model/parameters",
    "model/test_prediction": "model/row_methods",
    "paper/test_execute": "paper/cluster paper/processes paper/run paper/seeds paper/wanted",
    "paper/test_parsimony": "paper/parsimony_published",
    "paper/test_printed": "paper/criteria",
    "paper/test_structure": "paper/structure_published",
    "paper/test_store": "paper/experiments paper/results",
    "paper/report/test_figures": (
        "paper/report/caption paper/report/drawing paper/report/layout paper/report/look paper/report/multiples "
        "paper/report/sheets"
    ),
    "paper/report/test_markdown": "paper/report/about paper/report/document paper/report/verdicts",
    "paper/report/test_page": "paper/report/page_style paper/report/page_table",
    "paper/report/test_writing": "paper/report/paper paper/report/reading",
    "paper/test_summary_figures": (
        "paper/summary/appendix_d paper/summary/appendix_e paper/summary/curves paper/summary/figure1 "
        "paper/summary/figure2 paper/summary/figure3 paper/summary/types"
    ),
    "paper/test_summary_tables": (
        "paper/summary/appendix_c paper/summary/measures paper/summary/table1 paper/summary/table2 "
        "paper/summary/table3 paper/summary/table3_published"
    ),
    "paper/test_theory": "paper/summary/theory",
    "reports/picture/test_layout": "reports/picture/scene",
    "reports/picture/test_pictures": (
        "reports/picture/by_matplotlib reports/picture/dot reports/picture/drawing reports/picture/style "
        "reports/picture/svg "
        "reports/picture/writing"
    ),
    "reports/test_parts": "reports/fact_parts",
    "reports/test_posterior": "reports/heat_map",
    "api/test_report": "_api/report_contents reports/web/facts reports/web/page reports/web/sections reports/web/story",
    "cli/test_report": "cli/show_page reports/report reports/show",
    "serving/test_server": "serving/session",
    "scores/test_local": "scores/families",
    "scores/test_local_score_lists": "scores/family_arrays",
    "search/chains/test_diagnostics": "search/chains/convergence",
    "search/chains/test_partition_mcmc": "search/chains/draws search/chains/settings search/chains/space",
    "search/chains/test_runner": "search/chains/allowance",
    "search/chains/test_state_check": "search/chains/state",
    "search/exact/test_exact_limits": "_api/run_search _api/search_choice",
    "search/exact/test_exact_against_brute_force": "_api/learn _api/learn_many",
    "search/exact/test_k_best": "_api/k_best _api/k_best_result",
    "search/knowledge/test_knowledge": "search/knowledge/checks search/knowledge/file",
    "search/posterior/test_interface": "search/posterior/method",
    "search/test_problem": "_api/problem search/plan",
    "sklearn/test_checks": "sklearn/inputs sklearn/learner",
    "sklearn/test_density": "sklearn/outputs",
    "test_interrupts": "search/running/interruptible",
}


@pytest.fixture
def modules(root):
    """Every module of the package that has code: its path without the ending."""
    package = root / "src" / "qnml"
    paths = [path.relative_to(package).with_suffix("") for path in package.rglob("*.py")]
    return [path.as_posix() for path in paths if path.name not in ("__init__", "__main__", "_types")]


def _own_tests(root: Path, module: str) -> list[Path]:
    folder, _, name = module.rpartition("/")
    place = root / "tests" / "/".join(part.lstrip("_") for part in folder.split("/"))
    name = name.lstrip("_")
    return [*place.glob(f"test_{name}.py"), *place.glob(f"test_{name}_*.py")]


def test_every_module_has_tests_at_its_place_or_in_the_table(root, modules):
    listed = {module for entry in TESTED_THROUGH_USERS.values() for module in entry.split()}
    assert [module for module in modules if module not in listed and not _own_tests(root, module)] == []


def test_the_table_lists_modules_and_tests_that_are_there(root, modules):
    for test, entry in TESTED_THROUGH_USERS.items():
        assert (root / "tests" / f"{test}.py").is_file(), test
        assert [module for module in entry.split() if module not in modules] == []


def test_the_table_lists_no_module_twice_or_with_tests_of_its_own(root):
    listed = [module for entry in TESTED_THROUGH_USERS.values() for module in entry.split()]
    assert len(listed) == len(set(listed))
    own = {module for module in listed for path in _own_tests(root, module) if path.stem == f"test_{_name(module)}"}
    assert own == set()


def _name(module: str) -> str:
    return module.rpartition("/")[2].lstrip("_")
