"""The race family, as ``solver.families`` calls it."""

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from solver.race import contradictions
from solver.race.contradictions import read_rules
from solver.race.examples import Example, check_examples
from solver.race.rules import OBJECTIVES, RaceRules
from solver.ruleset import Rules, Ruleset

if TYPE_CHECKING:
    from solver.certify import Certificate
    from solver.race.advice import Advice
    from solver.race.parts import Starts
    from solver.race.solve import Solution
    from solver.table import Table

RULES = RaceRules
EXAMPLE = Example
CONDITIONS = contradictions.CONDITIONS
POSITION = ("score", "turn", "dice", "vs", "state", "objective", "die", "table")

# What only a solve or only an answer needs is imported there.


def kinds() -> dict[str, type[Rules]]:
    """Nothing: all files have the same keys."""
    return {}


def read(ruleset: Ruleset) -> RaceRules:
    """The rules that a ruleset states. RulesetError if it may not say so, or if one of its examples is wrong."""
    rules = read_rules(ruleset)
    check_examples(rules, ruleset)
    return rules


def objectives(rules: RaceRules) -> dict[str, int]:
    """What may be solved for, with the number of players."""
    usual = sorted(OBJECTIVES, key=lambda objective: (objective != "turns", objective != "win"))
    return {name: OBJECTIVES[name] for name in usual if OBJECTIVES[name] <= rules.match.most_players}


def check(rules: RaceRules) -> None:
    """Look at every player state. RulesetError if something is wrong with one."""
    from solver.race.model import compile_race

    compile_race(rules, 1)


def solve(
    rules: RaceRules,
    objective: str,
    *,
    tolerance: float | None,
    rounds: int | None,
    progress: Callable[[int, float], None] | None,
    starts: "Starts",
) -> "tuple[Table, Solution]":
    """Solve a game, or the part of it that can follow from the player states ``starts``, to a certified table."""
    from solver.race.tables import solve_table

    return solve_table(rules, objective, starts=starts, tolerance=tolerance, rounds=rounds, progress=progress)


def report(rules: RaceRules, table: "Table", solution: "Solution") -> tuple[dict[str, Any], str]:
    """What a solve has found, as plain data and as lines of text."""
    from solver.race.report import report

    return report(rules, table, solution)


def verify(
    rules: RaceRules,
    table: "Table",
    *,
    progress: Callable[..., None] | None = None,  # noqa: ARG001 (soon done)
) -> "Certificate | None":
    """Prove the values of a table anew, from the table alone; None if they are not within its bound."""
    from solver.race.tables import verify_table

    return verify_table(rules, table)


def rows(rules: RaceRules, table: "Table", what: str) -> Iterator[dict[str, Any]]:
    """The ``values`` of all match states, or the ``decisions`` in them."""
    from solver.race.export import decision_rows, value_rows

    return value_rows(rules, table) if what == "values" else decision_rows(rules, table)


def advise(
    rules: RaceRules,
    ruleset: str,
    *,
    working: Any = None,  # noqa: ARG001 (nothing takes long but a solve)
    **position: Any,
) -> "Advice":
    """Advice for one position."""
    from solver.race.advice import advise

    return advise(rules, ruleset, **position)


def describe(answer: "Advice") -> str:
    """Advice for a person, as lines of text."""
    from solver.race.wording import describe

    return describe(answer)
