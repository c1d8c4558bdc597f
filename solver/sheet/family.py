"""The sheet family, as ``solver.families`` calls it."""

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from solver.errors import PositionError
from solver.ruleset import Rules, Ruleset
from solver.schema import Condition
from solver.sheet.examples import Example, check_examples
from solver.sheet.rules import IN_TABLES, SheetGameRules, read_rules
from solver.text import _

if TYPE_CHECKING:
    from solver.certify import Certificate
    from solver.sheet.advice import Advice
    from solver.sheet.solve import Solution
    from solver.table import Table

RULES = SheetGameRules
EXAMPLE = Example
CONDITIONS: tuple[Condition, ...] = ()
POSITION = ("sheet", "dice", "throw", "keep", "objective", "goal", "vs", "table")

# What only a solve or only an answer needs is imported there.


def kinds() -> dict[str, type[Rules]]:
    """Nothing: all files have the same keys."""
    return {}


def read(ruleset: Ruleset) -> SheetGameRules:
    """The rules that a ruleset states. RulesetError if it may not say so, or if one of its examples is wrong."""
    rules = read_rules(ruleset)
    check_examples(rules, ruleset)
    return rules


def objectives(rules: SheetGameRules) -> dict[str, int]:  # noqa: ARG001 (the same for all sheets)
    """What may be solved for into a table, with the number of players."""
    return dict.fromkeys(IN_TABLES, 1)


def check(rules: SheetGameRules) -> None:
    """Look at every state of the sheet. RulesetError if there are too many."""
    from solver.sheet.model import compile_sheet

    compile_sheet(rules)


def solve(
    rules: SheetGameRules,
    objective: str,
    *,
    tolerance: float | None,
    rounds: int | None,  # noqa: ARG001 (a sheet is solved in one pass)
    progress: Callable[..., None] | None,
    starts: Any,
) -> "tuple[Table, Solution]":
    """Solve a whole sheet to a certified table."""
    from solver.certify import TOLERANCE
    from solver.sheet.tables import solve_table

    if starts:
        raise PositionError(_("starts: allowed: none, sheets are solved as a whole"))
    assert objective in IN_TABLES
    return solve_table(rules, tolerance=tolerance or TOLERANCE, progress=progress)


def report(
    rules: SheetGameRules,  # noqa: ARG001 (the table says it all)
    table: "Table",
    solution: "Solution",
) -> tuple[dict[str, Any], str]:
    """What a solve has found, as plain data and as lines of text."""
    from solver.sheet.model import PADDING

    states = len(solution.values) - PADDING
    found = {
        "players": 1,
        "objective": table.info.objective,
        "start": float(solution.values[0]),
        "error_bound": table.info.bound,
        "sheet_states": states,
        "stored": len(table.values),
        "seconds": solution.seconds,
    }
    text = _("Expected total: {start:.10f}, proven to {bound:.1e}\n{states} sheet states, {seconds:.2f} s.")
    return found, text.format(start=found["start"], bound=table.info.bound, states=states, seconds=solution.seconds)


def verify(
    rules: SheetGameRules,
    table: "Table",
    *,
    progress: Callable[..., None] | None = None,  # noqa: ARG001 (soon done)
) -> "Certificate | None":
    """Prove the values of a table anew, from the table alone; None if they are not within its bound."""
    from solver.sheet.tables import verify_table

    return verify_table(rules, table)


def rows(rules: SheetGameRules, table: "Table", what: str) -> Iterator[dict[str, Any]]:
    """The ``values`` of all sheets, or the ``decisions`` with all throws."""
    from solver.sheet.export import decision_rows, value_rows

    return value_rows(rules, table) if what == "values" else decision_rows(rules, table)


def advise(rules: SheetGameRules, ruleset: str, **position: Any) -> "Advice":
    """Advice for one position."""
    from solver.sheet.advice import advise

    return advise(rules, ruleset, **position)


def describe(answer: "Advice") -> str:
    """Advice for a person, as lines of text."""
    from solver.sheet.wording import describe

    return describe(answer)
