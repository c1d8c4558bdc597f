"""Positions of a sheet in, ranked options out."""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from solver.errors import PositionError, TableError
from solver.library import find_table
from solver.schema import quoted, write_section
from solver.sheet.actions import Choice, Turn
from solver.sheet.lattice import lattice
from solver.sheet.model import SheetModel, compile_sheet
from solver.sheet.position import Position, faces_of, read_keep, read_sheet, read_throw, read_whole
from solver.sheet.rules import OBJECTIVES, SheetGameRules
from solver.sheet.solve import Working, end_values
from solver.sheet.tables import complete, solve_table, stored_values
from solver.table import Table
from solver.text import _

Solve = Callable[..., Table]
"""``solve(rules, objective)`` makes a table that does not exist yet."""
MOST_GOAL = 100_000


class Advice(NamedTuple):
    """What to do with a sheet. Values are expected points still to come, or chances to reach the goal or to win."""

    ruleset: str
    rules: SheetGameRules
    objective: str
    goal: int | None
    sheet: Position
    opponent: Position | None
    throw: tuple[int, ...] | None
    made: int | None
    """Which throw of the turn it is."""
    throws: int
    """Most throws of this turn."""
    choices: list[Choice]
    """Best first; empty without a throw."""
    keep: Choice | None
    """The keep that was asked for."""
    value: float
    bound: float | None
    """No value is further from the truth than this; None where they are estimated."""
    quality: str = "certified"
    """``estimated`` where the opponent is taken to play for points whatever happens."""

    def to_json(self) -> dict[str, Any]:
        """The advice as plain data, in the documented schema."""
        best = max((choice.value for choice in self.choices), default=self.value)
        return {
            "ruleset": self.ruleset,
            "objective": self.objective,
            **({"goal": self.goal} if self.goal is not None else {}),
            "sheet": self.sheet.to_json(),
            "opponents": [self.opponent.to_json()] if self.opponent else [],
            "total": self.sheet.total,
            "dice": list(self.throw) if self.throw is not None else None,
            "throw": self.made,
            "throws": self.throws,
            "options": [_described(choice, best) for choice in self.choices],
            **({"keep": _described(self.keep, best)} if self.keep else {}),
            "value": self.value,
            "error_bound": self.bound,
            "quality": self.quality,
            "rules_in_force": write_section(self.rules),
        }


def _described(choice: Choice, best: float) -> dict[str, Any]:
    loss = max(0.0, best - choice.value)
    if choice.write is None:
        return {"hold": list(choice.hold or ()), "value": choice.value, "loss": loss}
    return {**choice.written(), "value": choice.value, "loss": loss}


def advise(
    rules: SheetGameRules,
    ruleset: str,
    *,
    sheet: str | None = None,
    dice: str | None = None,
    throw: str | None = None,
    keep: str | None = None,
    objective: str | None = None,
    goal: str | None = None,
    vs: str | None = None,
    table: Path | None = None,
    solve: Solve | None = None,
    warn: Callable[[str], None] | None = None,
    working: Working | None = None,
) -> Advice:
    """Advice for one position, stated as on the command line. PositionError or TableError if it cannot be."""
    objective = objective or ("win" if vs is not None else "reach" if goal is not None else "points")
    wanted = _goal(objective, goal, vs, table)
    model = compile_sheet(rules)
    position = read_sheet(model, "--sheet", sheet)
    opponent = read_sheet(model, "--vs", vs) if vs is not None else None
    node = read_throw("--dice", dice) if dice is not None else None
    if node is None:
        for option, text in (("--throw", throw), ("--keep", keep)):
            if text is not None:
                raise PositionError(
                    _("{option}: {found}; allowed: only together with --dice").format(option=option, found=quoted(text))
                )
    kept = read_keep("--keep", keep) if keep is not None else None
    if node is not None and kept is not None and kept not in [node, *lattice().within[node]]:
        raise PositionError(_("--keep: {found}; allowed: some of the dice thrown").format(found=quoted(keep)))
    full = position.state == int(model.levels[-1][0])
    if full and node is not None:
        raise PositionError(_("--dice: {found}; allowed: no throw, since the sheet is full").format(found=quoted(dice)))
    made = None
    if node is not None:
        most = model.kernel().throws_of(position.state, position.lane)
        made = read_whole("--throw", throw if throw is not None else "1", 1, most)
        if kept is not None and made == most:
            allowed = _("only before the last throw")
            raise PositionError(_("--keep: {found}; allowed: {allowed}").format(found=quoted(keep), allowed=allowed))
    found = _turn(model, objective, wanted, position, opponent, table, solve or _solve_now, warn, working)
    choices = []
    if found.turn is not None and node is not None and made is not None:
        choices = rank(found.turn.choices(node, made), 2.0 * found.bound)
    chosen = None
    if kept is not None:
        chosen = next((choice for choice in choices if choice.hold == faces_of(kept)), None)
        if chosen is None:  # all five dice: the best row now
            chosen = next(choice for choice in choices if choice.write is not None)
    return Advice(
        ruleset=ruleset,
        rules=rules,
        objective=objective,
        goal=wanted,
        sheet=position,
        opponent=opponent,
        throw=faces_of(node) if node is not None else None,
        made=made,
        throws=found.turn.throws if found.turn else 0,
        choices=choices,
        keep=chosen,
        value=max((choice.value for choice in choices), default=0.0) if choices else found.value,
        bound=found.bound if found.quality == "certified" else None,
        quality=found.quality,
    )


class _Found(NamedTuple):
    turn: Turn | None
    value: float
    bound: float
    quality: str = "certified"


def _turn(
    model: SheetModel,
    objective: str,
    goal: int | None,
    position: Position,
    opponent: Position | None,
    file: Path | None,
    solve: Solve,
    warn: Callable[[str], None] | None,
    working: Working | None,
) -> _Found:
    """The turn at hand, solved for the objective."""
    kernel = model.kernel()
    end = int(model.levels[-1][0])
    if objective == "win":
        from solver.sheet.duel import win_turn

        assert opponent is not None
        table = partial(_find, model, file, solve, warn)
        turn, bound, quality = win_turn(model, kernel, position, opponent, table, working)
        return _Found(turn, turn.value, bound, quality)
    if objective == "reach":
        from solver.sheet.totals import Utility, total_turn

        assert goal is not None
        if position.state == end:
            return _Found(None, float(position.total + _left(model, position) >= goal), 1e-15)
        turn, bound = total_turn(model, kernel, position, Utility(goal - 1, np.array([0.0, 1.0])), working)
        return _Found(turn, turn.value, bound)
    found = _find(model, file, solve, warn)
    try:
        values = stored_values(model, found)
    except TableError as error:
        raise TableError(f"--table: {error}" if file is not None else str(error)) from None
    complete(model, kernel, values, position.state)
    if position.state == end:
        return _Found(None, float(values[model.start[position.state] + position.lane]), found.info.bound)
    worths = kernel.worths(position.state, position.lane, values)
    turn = Turn(model, kernel, position.state, position.lane, worths)
    return _Found(turn, turn.value, found.info.bound)


def _left(model: SheetModel, position: Position) -> float:
    """Points for the saved throws that are left on a full sheet."""
    return float(end_values(model)[model.start[position.state] + position.lane])


def _find(model: SheetModel, file: Path | None, solve: Solve, warn: Callable[[str], None] | None) -> Table:
    try:
        return find_table(model.rules, "points", file=file, solve=lambda: solve(model.rules, "points"), warn=warn)
    except TableError as error:
        raise TableError(f"--table: {error}" if file is not None else str(error)) from None


def _goal(objective: str, goal: str | None, vs: str | None, table: Path | None) -> int | None:
    if objective not in OBJECTIVES:
        allowed = ", ".join(OBJECTIVES)
        raise PositionError(
            _("--objective: {found}; allowed: {allowed}").format(found=quoted(objective), allowed=allowed)
        )
    for option, value, only in (("--goal", goal, "reach"), ("--vs", vs, "win")):
        if (value is None) == (objective == only):
            text = _("{option}: {found}; allowed: with --objective {only}, and only there")
            raise PositionError(
                text.format(option=option, found=_("missing") if value is None else quoted(value), only=only)
            )
    if table is not None and objective == "reach":
        raise PositionError(_("--table: {table}; allowed: only without --goal, which needs none").format(table=table))
    return read_whole("--goal", goal, -MOST_GOAL, MOST_GOAL) if goal is not None else None


def _solve_now(rules: SheetGameRules, objective: str, **_limits: Any) -> Table:
    assert objective == "points"
    return solve_table(rules, tolerance=1e-9)[0]


def rank(choices: list[Choice], tie: float) -> list[Choice]:
    """Choices with the best first; those that are no more than ``tie`` worse than the best of them count as equal.

    Among equals a row comes before a keep, in the order of the sheet, and a keep of more dice before one of fewer.
    """
    ordered = sorted(range(len(choices)), key=lambda number: -choices[number].value)
    ranked: list[Choice] = []
    while ordered:
        best = choices[ordered[0]].value
        equal = sorted(number for number in ordered if choices[number].value >= best - tie)
        ranked += [choices[number] for number in equal]
        ordered = [number for number in ordered if choices[number].value < best - tie]
    return ranked
