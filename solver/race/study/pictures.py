"""Pictures of a solved race: where to stop, who is ahead, and what each place of the track is worth.

Needs matplotlib, the extra ``plot``. Colours are of scales that people of any colour vision can read, and grow darker
or lighter all the way, so that they survive a printer without colours.
"""

from bisect import bisect
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from solver.errors import PositionError
from solver.pictures import COLD, INK, SHADE, WARM, page, save
from solver.race.actions import Turn
from solver.race.player import Player, impossible_together
from solver.race.position import state_index
from solver.race.rules import RaceRules
from solver.race.study.arrays import as_buffer
from solver.race.worth import stake_worth, win_worth
from solver.table import Table
from solver.text import _, plural

MOST_SCORES = 45
"""Scores of each player in a map of stops, spread evenly over the game."""


def draw_track(rules: RaceRules, table: Table, out: Path) -> None:
    """Expected turns to go along the track, alone, with its pits, obstacles and barrel."""
    scores, states = _plainest(rules, table, None)
    index = state_index(rules, table)
    values = [float(np.asarray(table.values)[index[state]]) for state in states]
    figure, axes = page(13.0, 6.5)
    _furniture(axes, rules)
    for part in _stretches(rules, scores):
        axes.plot(scores[part], values[part], color=INK, linewidth=1.6, solid_joinstyle="round", zorder=3)
    axes.scatter(scores, values, s=6, color=INK, zorder=4, linewidths=0)
    low, high = min(values), max(values)
    axes.set(
        xlim=(scores[0], rules.match.target), ylim=(max(0.0, low - 0.12 * (high - low)), high + 0.08 * (high - low))
    )
    axes.set_xlabel(_("score, in points"))
    axes.set_ylabel(_("expected turns still to come"))
    axes.grid(axis="y", color=SHADE, linewidth=0.8, zorder=0)
    text = _("What each place of the track is worth: turns to {target}, alone, played best")
    save(figure, rules.title, text.format(target=rules.match.target), out)


def draw_wins(rules: RaceRules, table: Table, out: Path) -> None:
    """The chance of the player to move, over both scores."""
    scores, states = _plainest(rules, table, None)
    index = state_index(rules, table)
    opponents = _opponents(rules, index, states)
    rows, columns = [index[state] for state in states], [index[state] for state in opponents]
    values = np.asarray(table.values)[np.ix_(rows, columns)].T * 100.0
    values = np.where(_apart(rules, states, opponents), values, np.nan)
    figure, axes = page(9.6, 8.4)
    levels = np.linspace(0.0, 100.0, 41)
    filled = axes.contourf(scores, scores, values, levels=levels, cmap="cividis")
    lines = axes.contour(scores, scores, values, levels=[10, 20, 30, 40, 50, 60, 70, 80, 90],
                         colors=["white"] * 5 + [INK] * 4, linewidths=[0.6] * 4 + [1.8] + [0.6] * 4)  # fmt: skip
    axes.clabel(lines, fmt="%d %%", fontsize=8)
    bar = figure.colorbar(filled, ax=axes, ticks=range(0, 101, 10), pad=0.02)
    bar.set_label(_("chance to win for the player to move, in percent"))
    bar.outline.set_visible(False)
    axes.set_xlabel(_("score of the player to move, in points"))
    axes.set_ylabel(_("opponent's score, in points"))
    axes.set_aspect("equal")
    save(figure, rules.title, _("Who is ahead? The thick line is an even match"), out)


def draw_stops(rules: RaceRules, table: Table, out: Path, dice: int | None = None) -> None:
    """From which turn total on best play stops, over both scores, with each number of dice left."""
    scores, states = _plainest(rules, table, MOST_SCORES)
    index = state_index(rules, table)
    values = np.ascontiguousarray(np.asarray(table.values))
    worth_of = stake_worth if table.info.objective == "stake" else win_worth
    opponents = _opponents(rules, index, states)
    apart = _apart(rules, states, opponents)
    known: dict[int, NDArray[np.float64]] = {}
    for column, player in enumerate(states):
        turn: Turn | None = None
        for line, opponent in enumerate(opponents):
            if not apart[line, column]:
                continue
            worth = worth_of(rules, opponent, index, as_buffer(values))
            turn = Turn(rules, player, worth) if turn is None else turn.against(worth)
            for left, total in turn.first_stops(2.0 * table.info.bound).items():
                grid = known.setdefault(left, np.full((len(states), len(states)), np.nan))
                grid[line, column] = turn.highest * turn.step if total is None else total
    wanted = sorted(known) if dice is None else [dice]
    if not set(wanted) <= set(known):
        allowed = ", ".join(map(str, sorted(known)))
        raise PositionError(_("--dice: {found}; allowed: {allowed}").format(found=dice, allowed=allowed))
    columns = 2 if len(wanted) > 1 else 1
    lines = -(-len(wanted) // columns)
    figure, _first = page(6.3 * columns + 1.6, 5.4 * lines + 0.9, axes=False)
    top = float(np.nanquantile(np.concatenate([known[left].ravel() for left in wanted]), 0.97))
    drawn, places = None, []
    for place, left in enumerate(wanted, 1):
        axes = figure.add_subplot(lines, columns, place)
        places.append(axes)
        drawn = axes.pcolormesh(scores, scores, known[left], cmap="cividis", vmin=0.0, vmax=top, shading="nearest")
        name = plural("{dice} die left to throw", "{dice} dice left to throw", left).format(dice=left)
        axes.set_title(name, color=INK, fontsize=12, loc="left")
        axes.set_xlabel(_("own score, in points"))
        axes.set_ylabel(_("opponent's score, in points"))
        axes.set_aspect("equal")
        axes.tick_params(colors=INK)
        for edge in axes.spines.values():
            edge.set_visible(False)
    if drawn is not None:
        bar = figure.colorbar(drawn, ax=places, extend="max", pad=0.02, fraction=0.04)
        bar.set_label(_("stop from this turn total on, in points"))
        bar.outline.set_visible(False)
    save(figure, rules.title, _("When to stop: dark is careful, bright is bold"), out)


def _plainest(rules: RaceRules, table: Table, most: int | None) -> tuple[list[int], list[Player]]:
    """One state for each score, who has least else to tell, in ascending order; at most so many, evenly spread."""
    found: dict[int, Player] = {}
    for player in state_index(rules, table):
        found[player.score] = min(found.get(player.score, player), player, key=_oddity)
    scores = sorted(found)
    if most is not None and len(scores) > most:
        scores = [scores[place * (len(scores) - 1) // (most - 1)] for place in range(most)]
    return scores, [found[score] for score in scores]


def _stretches(rules: RaceRules, scores: list[int]) -> list[slice]:
    """The parts of ascending scores between which a line may be drawn: nobody can stand where the dump truck waits."""
    gap = bisect(scores, rules.dump_truck.score) if rules.dump_truck else 0
    return [slice(0, gap), slice(gap, None)] if 0 < gap < len(scores) else [slice(None)]


def _opponents(rules: RaceRules, index: dict[Player, int], states: list[Player]) -> list[Player]:
    """The same players as opponents, who move second where rounds are completed."""
    if rules.match.ending != "equal turns":
        return states
    seconds = [state._replace(second=1) for state in states]
    return [second if second in index else state for second, state in zip(seconds, states, strict=True)]


def _oddity(player: Player) -> tuple[int, ...]:
    return (player.bolts + player.attempts + player.falls + player.marks + player.failures + 2 * player.extra
            + 2 * player.skips + (not player.opened) + player.offered + player.second, player.admission)  # fmt: skip


def _apart(rules: RaceRules, ones: list[Player], others: list[Player]) -> NDArray[np.bool_]:
    return np.array([[not impossible_together(rules, one, other) for one in ones] for other in others])


def _furniture(axes: Any, rules: RaceRules) -> None:
    """Shade the stretches of the track where something is at stake, and name them at the top."""
    across = axes.get_xaxis_transform()

    def stretch(low: float, high: float, name: str, colour: str) -> None:
        axes.axvspan(low, high, color=colour, alpha=0.16, linewidth=0, zorder=1)
        axes.text((low + high) / 2.0, 0.97, name, transform=across, ha="center", va="top", color=colour, fontsize=10)

    for low, high in rules.pits.bounds if rules.pits else ():
        stretch(low, high, _("pit"), COLD)
    for low, high in rules.obstacles.bounds if rules.obstacles else ():
        stretch(low, high, _("barrel"), COLD)
    if rules.barrel:
        stretch(rules.barrel.start, rules.match.target, _("barrel"), WARM)
    if rules.dump_truck:
        axes.axvline(rules.dump_truck.score, color=WARM, linewidth=1.0, linestyle=(0, (4, 3)), zorder=2)
        axes.text(rules.dump_truck.score, 0.03, _("dump truck "), transform=across, color=WARM, fontsize=10,
                  ha="right")  # fmt: skip


PICTURES: dict[str, Callable[..., None]] = {"stops": draw_stops, "wins": draw_wins, "track": draw_track}
"""By what they show."""
OBJECTIVE_OF = {"track": "turns"}
"""What the others need is a table for two."""
