"""The vocabulary of sheet rulesets: the sections of a file, each key with its kind, default and sentence.

What the sections say against each other is in ``solver.sheet.rules``.
"""

from typing import Any

from solver.schema import (
    Kind,
    NotAllowedError,
    Problem,
    Section,
    flag,
    key,
    one_of,
    read_section,
    whole,
    whole_or,
    words,
    write_section,
)
from solver.text import _

MOST_POINTS = 1_000
"""Most points that one rule may bring or take."""
MOST_ROWS = 20
MOST_THROWS = 5
UNLIMITED = "unlimited"
POINTS = whole(-MOST_POINTS, MOST_POINTS)

FACE_ROWS = {"ones": 1, "twos": 2, "threes": 3, "fours": 4, "fives": 5, "sixes": 6}
"""Combinations of one face each: the rows of the school, or of the upper part."""
COMBINATIONS = (
    *FACE_ROWS,
    *("pair", "two pairs", "three", "four", "five", "full house", "straight", "even", "odd", "any"),
)
NAMED = "abcdefghijklmnopqrstuvwxyz0123456789-"


class _Shown(str):
    """Something found in a file that is spelled as it may be shown already."""

    def __repr__(self) -> str:
        return str(self)


def _names(most: int) -> Kind:
    allowed = _("a list of 1 to {most} different names").format(most=most)

    def read(value: object) -> tuple[str, ...]:
        if not isinstance(value, list) or not 1 <= len(value) <= most:
            raise NotAllowedError(allowed)
        for index, name in enumerate(value):
            if not isinstance(name, str) or name in value[:index]:
                raise NotAllowedError(allowed, f"[{index}]", name)
        return tuple(value)

    return Kind(read, allowed, list)


def _by_count() -> Kind:
    number = whole(-MOST_POINTS, MOST_POINTS)
    allowed = _("a list of six whole numbers from {low} to {high}: with 0, 1, 2, 3, 4 and 5 dice of the face")
    allowed = allowed.format(low=-MOST_POINTS, high=MOST_POINTS)

    def read(value: object) -> tuple[int, ...]:
        if not isinstance(value, list) or len(value) != 6:
            raise NotAllowedError(allowed)
        for index, entry in enumerate(value):
            try:
                number.read(entry)
            except NotAllowedError as error:
                raise NotAllowedError(str(error), f"[{index}]", entry) from None
        return tuple(value)

    return Kind(read, allowed, list)


def _runs() -> Kind:
    allowed = _('a list of runs of faces such as ["1-4", "2-5", "3-6"]')

    def read(value: object) -> tuple[str, ...]:
        if not isinstance(value, list) or not 1 <= len(value) <= 6:
            raise NotAllowedError(allowed)
        for index, run in enumerate(value):
            fits = isinstance(run, str) and len(run) == 3 and run[1] == "-" and "1" <= run[0] < run[2] <= "6"
            if not fits or run in value[:index] or int(run[2]) - int(run[0]) > 4:
                raise NotAllowedError(_("runs of two to five faces, each once"), f"[{index}]", run)
        return tuple(value)

    return Kind(read, allowed, list)


class RowRules(Section):
    """Section ``rows.NAME``: when a row is made, and what it then brings. A row that is not made brings 0."""

    combination: str = key(one_of(*COMBINATIONS), _("What the dice must contain; the best of it counts."))
    runs: tuple[str, ...] = key(_runs(), _("For a straight, the runs of faces of which one must be there."), default=())
    alike: bool = key(
        flag(), _("Whether five equal dice are a full house, and four equal dice are two pairs."), default=False
    )
    loose: bool = key(
        flag(), _("Whether an even or odd row takes any dice, and adds only the fitting ones."), default=False
    )
    adds: str = key(
        one_of("its dice", "all dice", "no dice", "minus all dice"),
        _("Which dice are added up: those of the combination, all five, none, or all five with a minus sign."),
        default="its dice",
    )
    premium: int = key(whole(0, MOST_POINTS), _("Points that are added to the dice."), default=0)
    larger: bool = key(
        flag(), _("Whether the dice or the premium count, whichever is more, rather than both."), default=False
    )
    first_throw: str = key(
        one_of("once", "dice twice", "all twice"),
        _("What is doubled when the row is written after the first throw: nothing, the dice, or the premium as well."),
        default="once",
    )


def _rows() -> Kind:
    allowed = _("a table of rows by name, with small letters, digits and dashes")

    def read(value: object) -> tuple[tuple[str, RowRules], ...]:
        if not isinstance(value, dict) or not value:
            raise NotAllowedError(allowed)
        found = []
        for name, entry in value.items():
            if not isinstance(name, str) or not 1 <= len(name) <= 20 or set(name) - set(NAMED):
                raise NotAllowedError(allowed, found=name)
            problems: list[Problem] = []
            row = read_section(RowRules, entry, problems)
            if row is None:
                first = problems[0]
                where = f".{name}.{first.where}" if first.where else f".{name}"
                raise NotAllowedError(first.allowed, where, _Shown(first.found))
            found.append((name, row))
        return tuple(sorted(found, key=lambda pair: pair[0]))

    def write(rows: tuple[tuple[str, RowRules], ...]) -> dict[str, Any]:
        return {name: write_section(row) for name, row in rows}

    return Kind(read, allowed, write, RowRules)


ROWS = _rows()


class SheetRules(Section):
    """Section ``sheet``: which rows there are and in what order they may be written."""

    rows: tuple[str, ...] = key(
        _names(MOST_ROWS),
        _("Names of the rows that are played, from top to bottom. Others of an extended ruleset are dropped."),
    )
    school_first: bool = key(
        flag(), _("Whether the rows of single faces must all be written before any other."), default=False
    )
    rounds: int | None = key(
        whole_or("each row once", 1, 30),
        _("Number of rounds in which the best row counts and rows may be used again; or each row is written once."),
        default=None,
    )


class TurnRules(Section):
    """Section ``turn``: how often the dice are thrown before a row must be written."""

    throws: int = key(
        whole(1, MOST_THROWS), _("Throws of a turn; after each but the last any dice may be kept."), default=3
    )


class SchoolRules(Section):
    """Section ``school``: what the rows of single faces bring, by the number of dice of the face."""

    per_face: tuple[int, ...] = key(_by_count(), _("Points for each pip of the face."), default=(0, 1, 2, 3, 4, 5))
    flat: tuple[int, ...] = key(_by_count(), _("Points whatever the face."), default=(0, 0, 0, 0, 0, 0))
    threshold: int = key(
        POINTS, _("Total of the school from which on the bonus is paid, when all its rows are written."), default=0
    )
    bonus: int = key(POINTS, _("Points for a total that reaches the threshold."), default=0)
    below: int = key(POINTS, _("Points for a total below the threshold, such as -50."), default=0)
    negative_times: int = key(
        whole(1, 100), _("A negative total counts so many times, when all rows of the school are written."), default=1
    )


class JokerRules(Section):
    """Section ``joker``: five equal dice when the row for five equal dice is written already."""

    row: str = key(words(20), _("The row for five equal dice."))
    bonus: int = key(
        whole(0, MOST_POINTS), _("Points for each further five equal dice, if the row was made."), default=0
    )
    use: str = key(
        one_of("none", "free", "forced"),
        _(
            "Whether such dice are a joker, which counts as any full house or straight; where dice are added, these "
            "five are. Free: once the row of their face is written as well, in any row. Forced: they must go into the "
            "row of their face, or else be a joker in another row than those of single faces, or else anything."
        ),
        default="none",
    )


class SavedThrowRules(Section):
    """Section ``saved_throws``: throws that a turn does not need may be made later."""

    most: int | None = key(whole_or(UNLIMITED, 0, 30), _("Most saved throws that one turn may use."), default=None)
    in_school: bool = key(flag(), _("Whether saved throws may be used while the school is not complete."), default=True)
    points: int = key(whole(0, MOST_POINTS), _("Points for each saved throw that is left at the end."), default=0)
