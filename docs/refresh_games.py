"""Write the table of games.md anew: every game of the catalogue, solved now, or those that are named.

python docs/refresh_games.py [RULESET ...]
"""

import sys
import time
from pathlib import Path
from typing import NamedTuple

from solver.families import family_of, load_rules, solve_table
from solver.parlour import family as parlour
from solver.parlour.rules import ParlourRules
from solver.ruleset import Rules, shipped_names

ROOT = Path(__file__).parent
PAGE = ROOT / "games.md"
CATALOGUE = ROOT.parent / "tests" / "data" / "catalogue.txt"
"""The names of all games, one on a line."""
HEADING = ("ruleset", "family", "what is solved", "value", "error bound", "seconds")
MEANINGS = {
    "turns": "fewest expected turns alone",
    "points": "most expected points",
    "win": "chance of the first to win",
}


class Row(NamedTuple):
    """One game of the page, as text."""

    ruleset: str
    family: str = "-"
    solved: str = "not built"
    value: str = "-"
    bound: str = "-"
    seconds: str = "-"


def solved(name: str) -> Row:
    """A game, solved now."""
    began = time.perf_counter()
    rules = load_rules(name)
    solution = _parlour(rules) if isinstance(rules, ParlourRules) else _table(rules)
    return Row(f"`{name}`", rules.family, *solution, f"{time.perf_counter() - began:.1f}")


def _table(rules: Rules) -> tuple[str, str, str]:
    objective = next(iter(family_of(rules).objectives(rules)))
    table, solution = solve_table(rules, objective)
    found, _text = family_of(rules).report(rules, table, solution)
    return MEANINGS[objective], f"{found['start']:.10f}", f"{found['error_bound']:.0e}"


def _parlour(rules: ParlourRules) -> tuple[str, str, str]:
    first = parlour.odds(rules).figures[0]
    bound = "exact" if first.quality == "exact" else f"{first.bound:.0e}"
    from_table = ", from a table; see docs/parlour" if parlour.objectives(rules) else ""
    return first.sentence + from_table, f"{float(first.value):.12f}", bound


def read(page: str) -> dict[str, Row]:
    """The rows of a page, by name of the ruleset."""
    lines = [line.strip("| ").split(" | ") for line in page.splitlines() if line.startswith("| `")]
    return {cells[0].strip("`"): Row(*cells) for cells in lines}


def written(page: str, rows: dict[str, Row]) -> str:
    """The page with these rows in its table."""
    names = CATALOGUE.read_text().split()
    table = [HEADING, ["---"] * len(HEADING), *(rows.get(name, Row(f"`{name}`")) for name in names)]
    lines = "\n".join(f"| {' | '.join(row)} |" for row in table)
    return page.partition("\n| ")[0].rstrip("\n") + "\n\n" + lines + "\n"


if __name__ == "__main__":
    known = read(PAGE.read_text())
    wanted = sys.argv[1:] or [name for name in CATALOGUE.read_text().split() if name in shipped_names()]
    for chosen in wanted:
        known[chosen] = solved(chosen)
        print(known[chosen], flush=True)
        PAGE.write_text(written(PAGE.read_text(), known))
