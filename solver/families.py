"""The families of games: the one place that knows them all."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

from solver.errors import PositionError, RulesetError, TableError
from solver.race.contradictions import read_rules
from solver.race.examples import check_examples
from solver.race.parts import WHOLE, Starts
from solver.race.rules import OBJECTIVES, RaceRules
from solver.ruleset import Ruleset, digest, from_canonical, load_ruleset
from solver.schema import nearest, quoted, write_section
from solver.text import _

if TYPE_CHECKING:
    from solver.certify import Certificate
    from solver.race.solve import Progress, Solution
    from solver.table import Table

Rules = RaceRules
"""The rules of a game of any family."""

READERS: dict[str, Callable[[Ruleset], Rules]] = {"race": read_rules}
"""From the name of a family to the function that reads its rules."""


def read_ruleset(ruleset: Ruleset) -> Rules:
    """The rules that a ruleset states. RulesetError if it may not say so, or if one of its examples is wrong."""
    family: Any = ruleset.data.get("family")
    if not isinstance(family, str) or family not in READERS:
        where = ruleset.origins.get("family", ruleset.name)
        found = _("missing") if family is None else quoted(family)
        hint = nearest(family, READERS) if isinstance(family, str) else nearest("", READERS)
        raise RulesetError(_("{file}: family: {found}; {hint}").format(file=where, found=found, hint=hint))
    rules = READERS[family](ruleset)
    check_examples(rules, ruleset)
    return rules


def load_rules(name: str, option: str = "ruleset") -> Rules:
    """The rules of a shipped ruleset, by name, or of a file, by path. RulesetError if there are none to use."""
    return read_ruleset(load_ruleset(name, option))


def load_dice(rules: Rules, dice: Iterable[str], option: str = "--die") -> Rules:
    """The same rules with loaded dice, each as ``name=weight,weight,...``. PositionError or RulesetError if wrong."""
    data = write_section(rules)
    for text in dice:
        name, equals, weights = text.partition("=")
        parts = [part.strip() for part in weights.split(",")]
        if not equals:
            allowed = _("a name and the weights of the faces, such as lucky=2,1,1,1,1,1")
            raise PositionError(
                _("{option}: {found}; allowed: {allowed}").format(option=option, found=quoted(text), allowed=allowed)
            )
        loaded = data["dice"].setdefault("loaded", {})
        loaded[name] = [int(part) if part.isascii() and part.isdigit() and len(part) < 20 else part for part in parts]
    return read_ruleset(Ruleset(option, data, {}))


def solve_table(
    rules: Rules,
    objective: str,
    *,
    starts: Starts = WHOLE,
    tolerance: float = 1e-9,
    rounds: int | None = None,
    progress: Progress | None = None,
) -> tuple[Table, Solution]:
    """Solve a game to a table of the values of all its match states, with a proven bound of at most ``tolerance``.

    ``starts`` choose a part of the game: what can follow from these player states.
    ConvergenceError if that cannot be proven, or not within so many ``rounds``.
    """
    from solver.race.tables import solve_table as solve_race  # brings what only a solve needs

    if objective not in OBJECTIVES:
        raise PositionError(
            _("objective: {found}; allowed: {allowed}").format(found=quoted(objective), allowed=", ".join(OBJECTIVES))
        )
    return solve_race(rules, objective, starts=starts, tolerance=tolerance, rounds=rounds, progress=progress)


def verify_table(table: Table) -> Certificate | None:
    """Prove the values of a table anew, from the table alone; None if they are not within its bound."""
    from solver.race.tables import verify_table as verify_race

    return verify_race(rules_of(table), table)


def rules_of(table: Table) -> Rules:
    """The rules that a table is for. TableError if it does not state any, or others than its header says."""
    try:
        rules = read_ruleset(from_canonical(table.info.ruleset, _("the ruleset of the table")))
    except RulesetError as error:
        raise TableError(str(error)) from None
    if digest(rules) != table.info.ruleset_sha256 or table.info.objective not in OBJECTIVES:
        raise TableError(_("the ruleset of the table is not the one that its header names"))
    return rules
