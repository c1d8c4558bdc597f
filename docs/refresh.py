"""Write the references at the end of these pages anew, after a change of what ruleset files may say."""

from pathlib import Path

from solver.reference import reference

FOLDER = Path(__file__).parent
PAGES = {"race": FOLDER / "rulesets.md", "sheet": FOLDER / "sheet-rulesets.md"}
"""From a family of games to the page with its reference."""
HEADING = "\n### "


def refreshed(page: str, family: str) -> str:
    """The page with the reference of today in place of the one that it has."""
    return page.partition(HEADING)[0].rstrip("\n") + "\n\n" + reference(family) + "\n"


if __name__ == "__main__":
    for family, path in PAGES.items():
        path.write_text(refreshed(path.read_text(), family))
