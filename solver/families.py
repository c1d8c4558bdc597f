"""The families of games: the one place that knows them all.

Each is a module that offers the same verbs, those of ``Family``. It is imported when one of its games is asked for, so
that a quick question stays quick.
"""

from __future__ import annotations

from importlib import import_module
from os import PathLike
from typing import TYPE_CHECKING, Any, Protocol, cast

from solver.errors import PositionError, RulesetError, TableError
from solver.ruleset import Rules, Ruleset, digest, from_canonical, load_ruleset, told_of
from solver.schema import Condition, Section, nearest, quoted
from solver.text import _

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    import solver.parlour.family
    import solver.race.family
    import solver.sheet.family
    from solver.certify import Certificate
    from solver.table import Table

FAMILIES = {"race": "solver.race.family", "sheet": "solver.sheet.family", "parlour": "solver.parlour.family"}
"""From the name of a family to its module."""


class Answer(Protocol):
    """What to do in a position; each family has a kind of its own."""

    def to_json(self) -> dict[str, Any]:
        """The answer as plain data, in the documented schema."""


class Family(Protocol):
    """What the module of a family offers. Rules are those that its own ``read`` gave."""

    @property
    def RULES(self) -> type[Rules]:  # noqa: N802
        """All that a ruleset file of the family may say."""

    @property
    def EXAMPLE(self) -> type[Section] | None:  # noqa: N802
        """What an ``[[example]]`` in such a file may say, if it may have any."""

    @property
    def CONDITIONS(self) -> tuple[Condition, ...]:  # noqa: N802
        """Which of its rules need or exclude others, whatever the numbers."""

    @property
    def POSITION(self) -> tuple[str, ...]:  # noqa: N802
        """What a position is stated with: the options of ``advise`` that make sense here."""

    def kinds(self) -> Mapping[str, type[Rules]]:
        """All that a file may say by the game that it names, where the other keys depend on that; else nothing."""

    def read(self, ruleset: Ruleset) -> Rules:
        """The rules that a ruleset states. RulesetError if it may not say so, or if one of its examples is wrong."""

    def objectives(self, rules: Any) -> Mapping[str, int]:
        """What may be solved for, with the number of players; the most usual first."""

    def check(self, rules: Any) -> None:
        """Look at all that a solve would have to look at. RulesetError if something is wrong."""

    def solve(
        self,
        rules: Any,
        objective: str,
        *,
        tolerance: float | None,
        rounds: int | None,
        progress: Callable[[int, float], None] | None,
        starts: Any,
    ) -> tuple[Table, Any]:
        """A table with a proven bound of at most ``tolerance``, and the solution that it was made from.

        None leaves the tolerance to the family. ``starts`` may choose a part of the game: what can follow from them.
        ConvergenceError if the bound cannot be proven.
        """

    def report(self, rules: Any, table: Table, solution: Any) -> tuple[dict[str, Any], str]:
        """What a solve has found, as plain data and as lines of text."""

    def verify(self, rules: Any, table: Table, *, progress: Callable[..., None] | None = None) -> Certificate | None:
        """Prove the values of a table anew, from the table alone; None if they are not within its bound."""

    def rows(self, rules: Any, table: Table, what: str) -> Iterator[dict[str, Any]]:
        """The ``values`` or the ``decisions`` of a table as rows for programs that want pure look-up."""

    def advise(self, rules: Any, ruleset: str, **position: Any) -> Answer:
        """Advice for one position. PositionError or TableError name what is wrong with it."""

    def describe(self, answer: Any) -> str:
        """An answer for a person, as lines of text."""


def load_family(name: str) -> Family:
    """The family of a name in ``FAMILIES``."""
    return cast("Family", import_module(FAMILIES[name]))


def family_of(rules: Rules) -> Family:
    """The family of checked rules."""
    return load_family(rules.family)


def read_ruleset(ruleset: Ruleset) -> Rules:
    """The rules that a ruleset states. RulesetError if it may not say so, or if one of its examples is wrong."""
    family: Any = ruleset.data.get("family")
    if not isinstance(family, str) or family not in FAMILIES:
        where = ruleset.origins.get("family", ruleset.name)
        found = _("missing") if family is None else quoted(family)
        hint = nearest(family, FAMILIES) if isinstance(family, str) else nearest("", FAMILIES)
        raise RulesetError(_("{file}: family: {found}; {hint}").format(file=where, found=found, hint=hint))
    return load_family(family).read(ruleset)


def load_rules(name: str, option: str = "ruleset") -> Rules:
    """The rules of a shipped ruleset, by name, or of a file, by path. RulesetError if there are none to use."""
    return read_ruleset(load_ruleset(name, option))


def solve_table(
    rules: Rules,
    objective: str,
    *,
    tolerance: float | None = None,
    rounds: int | None = None,
    progress: Callable[[int, float], None] | None = None,
    starts: Any = (),
) -> tuple[Table, Any]:
    """Solve a game to a table of the values of all its match states, with a proven bound of at most ``tolerance``.

    By default that is 1e-9, or the next best that can be proven of a long race, or 2e-3 for ``liar`` with five dice.
    ``starts`` may choose a part of the game: what can follow from them. The second result tells of the solve.
    ConvergenceError if that cannot be proven, or not within so many ``rounds``.
    """
    family = family_of(rules)
    if objective not in (known := family.objectives(rules)):
        allowed = ", ".join(known)
        raise PositionError(
            _("objective: {found}; allowed: {allowed}").format(found=quoted(objective), allowed=allowed)
        )
    return family.solve(rules, objective, tolerance=tolerance, rounds=rounds, progress=progress, starts=starts)


def verify_table(table: Table, *, progress: Callable[..., None] | None = None) -> Certificate | None:
    """Prove the values of a table anew, from the table alone; None if they are not within its bound.

    ``progress`` is told how far it is, where that takes long.
    """
    rules = rules_of(table)
    return family_of(rules).verify(rules, table, progress=progress)


def rules_of(table: Table) -> Rules:
    """The rules that a table is for. TableError if it does not state any, or others than its header says."""
    try:
        rules = read_ruleset(from_canonical(table.info.ruleset, _("the ruleset of the table")))
    except RulesetError as error:
        raise TableError(str(error)) from None
    if digest(rules) != table.info.ruleset_sha256 or table.info.objective not in family_of(rules).objectives(rules):
        raise TableError(_("the ruleset of the table is not the one that its header names"))
    return rules


def advise(ruleset: str, **position: Any) -> Answer:
    """Advice for one position, stated as on the command line: ``score="225", dice="1,5,3,3,4"``.

    What a position may be stated with depends on the family of the game. Raises RulesetError, PositionError or
    TableError.
    """
    return advise_by(load_rules(ruleset, "--ruleset"), ruleset, **position)


def advise_by(rules: Rules, ruleset: str, **position: Any) -> Answer:
    """As ``advise``, by rules that are read already."""
    family = family_of(rules)
    for name, value in position.items():
        if name not in (*family.POSITION, *HOW):
            options = ", ".join(f"--{option}" for option in family.POSITION)
            raise PositionError(
                _("--{option}: {found}; allowed: for this game only {options}").format(
                    option=name, found=_stated(value), options=options
                )
            )
    with told_of(ruleset):
        return family.advise(rules, ruleset, **position)


def _stated(value: Any) -> str:
    """The value of an option as an error shows it; some may be given several times."""
    if isinstance(value, tuple):
        return ", ".join(map(quoted, value))
    return str(value) if isinstance(value, PathLike) else quoted(value)


HOW = ("solve", "warn", "working")
"""What else advice may be given.

How to make a table that does not exist yet, whom to tell of trouble, and how to show that something else takes long.
"""


if TYPE_CHECKING:
    _race: Family = solver.race.family  # they do offer the verbs
    _parlour: Family = solver.parlour.family
    _sheet: Family = solver.sheet.family
