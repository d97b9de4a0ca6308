"""The example of the README works as printed."""

import doctest


def test_readme_example(root):
    # To doctest the fence that closes a block would be part of the last answer.
    text = (root / "README.md").read_text(encoding="utf-8").replace("\n```\n", "\n\n")
    page = doctest.DocTestParser().get_doctest(text, {}, "README.md", "README.md", 0)
    assert len(page.examples) >= 5
    report: list[str] = []
    doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(page, out=report.append)
    assert "".join(report) == ""
