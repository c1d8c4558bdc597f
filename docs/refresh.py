"""Write the reference at the end of rulesets.md anew, after a change of what ruleset files may say."""

from pathlib import Path

from solver.reference import reference

PAGE = Path(__file__).parent / "rulesets.md"
HEADING = "\n### "


def refreshed(page: str) -> str:
    """The page with the reference of today in place of the one that it has."""
    return page.partition(HEADING)[0].rstrip("\n") + "\n\n" + reference("race") + "\n"


if __name__ == "__main__":
    PAGE.write_text(refreshed(PAGE.read_text()))
