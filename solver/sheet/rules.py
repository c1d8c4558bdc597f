"""What a ruleset of the sheet family may say, and which rules contradict each other."""

from collections.abc import Iterator
from typing import Any

from solver.ruleset import Rules, Ruleset, report
from solver.schema import Problem, key, nearest, one_of, one_of_names, quoted, read_section, section, words
from solver.sheet.sections import (
    FACE_ROWS,
    ROWS,
    JokerRules,
    RowRules,
    SavedThrowRules,
    SchoolRules,
    SheetRules,
    TurnRules,
)
from solver.text import _

OBJECTIVES = ("points", "settle", "reach", "win")
"""What can be optimised.

``points``: the expected final total. ``settle``: the expected difference from the average of all totals, which the
same play makes as large as can be. ``reach``: the chance of at least a given total. ``win``: the chance to end with
more than one opponent, where a tie counts half.
"""
ROUNDS, SAVED, BONUS, POINTS = "rounds", "saved", "bonus", "points"
"""What a sheet may state beside rows: rounds played, throws saved, bonuses written so far, points of rounds so far."""
IN_TABLES = ("points",)
"""Objectives that a table is about. To settle takes the same play; the others depend on a goal or on another sheet."""


class SheetGameRules(Rules):
    """A ruleset of the sheet family. An absent section means that the rule is not in force."""

    family: str = key(one_of("sheet"), _("The family of the game."))
    title: str = key(words(100), _("What people call the game."), default="")
    about: str = key(words(), _("Anything worth knowing about these rules."), default="")
    sheet: SheetRules = section(SheetRules, _("The rows and their order."))
    rows: tuple[tuple[str, RowRules], ...] = key(ROWS, _("What each row is worth, by its name."))
    turn: TurnRules = section(TurnRules, _("How often the dice are thrown."), default=TurnRules())
    school: SchoolRules = section(SchoolRules, _("The rows of single faces."), default=SchoolRules())
    joker: JokerRules | None = section(JokerRules, _("Further five equal dice."), default=None)
    saved_throws: SavedThrowRules | None = section(SavedThrowRules, _("Throws kept for later turns."), default=None)

    def named_rows(self) -> list[tuple[str, RowRules]]:
        """The rows from top to bottom."""
        rows = dict(self.rows)
        return [(name, rows[name]) for name in self.sheet.rows]


def facts_of(rules: SheetGameRules) -> list[str]:
    """What a sheet of these rules may state beside its rows."""
    facts = []
    if rules.sheet.rounds is not None:
        facts += [ROUNDS, POINTS]
    if rules.saved_throws:
        facts.append(SAVED)
    if rules.joker and rules.joker.bonus:
        facts.append(BONUS)
    return facts


def read_rules(ruleset: Ruleset) -> SheetGameRules:
    """The checked rules of a ruleset. RulesetError with everything that is wrong."""
    problems: list[Problem] = []
    rules = read_section(SheetGameRules, _without_dropped_rows(ruleset), problems)
    if rules is not None:
        problems += _contradictions(rules, ruleset)
    if rules is None or problems:
        raise report(ruleset, problems)
    return rules


def _without_dropped_rows(ruleset: Ruleset) -> dict[str, Any]:
    """What a ruleset states, without the inherited rows that a younger file leaves out of its list of rows."""
    data, origins = ruleset.data, ruleset.origins
    sheet, rows = data.get("sheet"), data.get("rows")
    names = sheet.get("rows") if isinstance(sheet, dict) else None
    if not isinstance(rows, dict) or not isinstance(names, list) or "sheet.rows" not in origins:
        return data
    if not any(name in names for name in rows):  # a list that is wrong by itself
        return data
    inherited = ruleset.files[: ruleset.files.index(origins["sheet.rows"])]

    def dropped(name: str) -> bool:
        own = f"rows.{name}"
        stated = {file for path, file in origins.items() if path == own or path.startswith(own + ".")}
        return name not in names and stated <= {*inherited}

    return {**data, "rows": {name: row for name, row in rows.items() if not dropped(name)}}


def settlement(totals: list[int]) -> list[float]:
    """What each player wins or loses against the average, in points."""
    average = sum(totals) / len(totals)
    return [total - average for total in totals]


def is_school(row: RowRules) -> bool:
    """Whether a row is one of a single face, and so belongs to the school."""
    return row.combination in FACE_ROWS


def _contradictions(rules: SheetGameRules, ruleset: Ruleset) -> Iterator[Problem]:
    known, stated = dict(rules.rows), list(ruleset.data["rows"])
    for index, name in enumerate(rules.sheet.rows):
        if name not in known:
            yield Problem(
                f"sheet.rows[{index}]",
                quoted(name),
                _("a row of the table rows; {hint}").format(hint=nearest(name, stated)),
                (f"rows.{name}",),
            )
    some = any(name in known for name in rules.sheet.rows)
    for name, row in known.items():
        where = f"rows.{name}"
        if some and name not in rules.sheet.rows:
            yield Problem(where, _("a row that is not used"), _("only rows that sheet.rows names"))
        yield from _row_problems(where, row)
    if any(name not in known for name in rules.sheet.rows):
        return
    for name in facts_of(rules) if rules.sheet.rounds is None else ():
        if name in known:
            other = _("another name: a sheet states {name}={number} beside its rows")
            yield Problem(f"rows.{name}", _("a row of this name"), other.format(name=name, number=2))
    school = [row for _name, row in rules.named_rows() if is_school(row)]
    faces = [row.combination for row in school]
    for face in sorted(set(faces)):
        if faces.count(face) > 1:
            yield Problem("sheet.rows", _("two rows of {face}").format(face=face), _("one row of each single face"))
    if rules.sheet.school_first and not school:
        yield Problem("sheet.school_first", "true", _("only with rows of single faces"), ("sheet.rows",))
    if "school" in ruleset.origins and not school:  # a canonical text states it always, and has no origins
        allowed = _('only with rows of single faces in sheet.rows; or else remove = ["school"]')
        yield Problem("school", _("a section"), allowed, ("sheet.rows",))
    if rules.sheet.rounds is not None:
        if school:
            found = str(rules.sheet.rounds)
            yield Problem("sheet.rounds", found, _("only without rows of single faces"), ("sheet.rows",))
        if rules.joker:
            yield Problem("joker", _("a section"), _("only where each row is written once"), ("sheet.rounds",))
    if rules.joker:
        made = known.get(rules.joker.row)
        if made is None:
            allowed = _('a row that sheet.rows names: {names}; or else remove = ["joker"]')
            names = one_of_names(rules.joker.row, rules.sheet.rows)
            yield Problem("joker.row", quoted(rules.joker.row), allowed.format(names=names), ("sheet.rows",))
        elif made.combination != "five":
            yield Problem("joker.row", quoted(rules.joker.row), _("a row of five equal dice"))
        elif rules.joker.use == "none" and not rules.joker.bonus:
            yield Problem("joker.bonus", "0", _("a bonus, or another use than none"))
    saved = rules.saved_throws
    if saved and saved.most == 0 and not saved.points:
        yield Problem("saved_throws.points", "0", _("some points, or saved throws that a turn may use"))
    if saved and not saved.in_school and not rules.sheet.school_first:
        yield Problem("saved_throws.in_school", "false", _("only with sheet.school_first"), ("sheet.school_first",))


def _row_problems(where: str, row: RowRules) -> Iterator[Problem]:
    if (row.combination == "straight") != bool(row.runs):
        found = quoted(list(row.runs)) if row.runs else _("missing")
        yield Problem(f"{where}.runs", found, _("runs for a straight, and only for one"))
    if row.alike and row.combination not in ("two pairs", "full house"):
        yield Problem(f"{where}.alike", "true", _("only for two pairs or a full house"))
    if row.loose and row.combination not in ("even", "odd"):
        yield Problem(f"{where}.loose", "true", _("only for even or odd"))
    if row.larger and (not row.premium or row.adds not in ("its dice", "all dice")):
        yield Problem(f"{where}.larger", "true", _("only with a premium and with dice that are added"))
    if row.first_throw != "once" and row.adds == "minus all dice":
        yield Problem(f"{where}.first_throw", quoted(row.first_throw), _('"once" where dice are taken off'))
    if is_school(row) and row != RowRules(combination=row.combination):
        yield Problem(where, _("more than a combination"), _("nothing else for a single face: see school"))
