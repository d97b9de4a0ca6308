"""Table 1 to every printed digit, and its one misprint."""

import mpmath

from qnml.paper import regrets
from qnml.paper.printed import REGRETS
from qnml.paper.summary import summarize


def test_every_printed_digit_but_one():
    summary = summarize("table1", {"regret": regrets.run_chunk("all", 0, 1, 0)})
    cells = summary.tables[0].cells
    assert len(cells) == 36
    wrong = {key: cell for key, cell in cells.items() if f"{cell.ours:.2f}" != f"{cell.printed:.2f}"}
    assert list(wrong) == [("N = 50, r = 10000", "eq. (6)")]
    assert {key for key, cell in cells.items() if not cell.within} == set(wrong)
    assert summary.tables[0].notes == ("eq. (6) at N = 50, r = 10000 is 25635.13; the paper prints 25635.15.",)


def test_the_odd_one_is_not_ours():
    """Eq. (6) with 60 digits, as in the paper."""
    mpmath.mp.dps = 60
    n, r = mpmath.mpf(50), mpmath.mpf(10000)
    gammas = mpmath.gamma(r / 2) / mpmath.gamma(r / 2 - mpmath.mpf(1) / 2)
    value = (
        (r - 1) / 2 * mpmath.log(n / 2)
        + mpmath.log(mpmath.sqrt(mpmath.pi) / mpmath.gamma(r / 2))
        + mpmath.sqrt(2) * r * gammas / (3 * mpmath.sqrt(n))
        + ((3 + r * (r - 2) * (2 * r + 1)) / 36 - gammas**2 * r**2 / 9) / n
    )
    assert mpmath.nstr(value, 7) == "25635.13"
    assert REGRETS[50, 10000][0] == 25635.15
