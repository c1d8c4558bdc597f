"""Points per turn in the long run, where turns without result in a row cost points.

Far from the target only the number of such turns matters to what follows: its phase. Let a
turn in phase b bring F_b(x) points at best if a turn without result is worth x. The most
points per turn, g, and what the phases are worth beside phase 0, h_b, satisfy

    g + h_b = F_b(h_(b+1)),    with h_0 = 0, and -fine for h_limit

(M. L. Puterman, "Markov Decision Processes", 2005, section 8.4). Each F_b is convex, its
slope is the chance of a turn without result, and Newton's method ends after a few rounds.
"""

from functools import lru_cache

from solver.errors import SolverError
from solver.race.actions import Turn
from solver.race.endings import Outcome
from solver.race.player import Player
from solver.race.rules import RaceRules
from solver.text import _

LONGEST = 800
"""Steps of a turn that are told apart: more never come about, for all that matters."""
NUDGE = 1e-3
PRECISION = 1e-10
"""Residual, in points, that ends the search."""
MOST_ROUNDS = 50


@lru_cache(maxsize=4)
def phase_values(rules: RaceRules) -> tuple[float, ...]:
    """By number of turns without result in a row, the points that a player has ahead of one without any.

    Zero for all where such turns are not counted in a row.
    """
    bolts = rules.bolts
    if bolts is None:
        return (0.0,)
    if not bolts.consecutive:
        return (0.0,) * bolts.limit
    field = _open_field(rules)
    values = [0.0] * bolts.limit
    for _round in range(MOST_ROUNDS):
        ahead = [*values[1:], -float(bolts.fine)]
        points = [_points(field, phase, worth) for phase, worth in enumerate(ahead)]
        slopes = [(points[phase] - _points(field, phase, worth - NUDGE)) / NUDGE for phase, worth in enumerate(ahead)]
        residual = max(abs(points[phase] - points[0] - value) for phase, value in enumerate(values))
        if residual <= PRECISION:
            return tuple(values)
        values = _newton(points, slopes, ahead)
    raise SolverError(_("no convergence to the points per turn in the long run"))


def _newton(points: list[float], slopes: list[float], ahead: list[float]) -> list[float]:
    """The phases' values if F_b(x) were ``points[b] + slopes[b] (x - ahead[b])``."""
    # h_b = c_b + d_b g, from the last phase down.
    constant, factor = ahead[-1], 0.0
    found: list[tuple[float, float]] = []
    for point, slope, here in reversed(list(zip(points, slopes, ahead, strict=True))):
        constant, factor = point + slope * (constant - here), slope * factor - 1.0
        found.append((constant, factor))
    gain = -found[-1][0] / found[-1][1]  # h_0 = 0
    return [constant + factor * gain for constant, factor in reversed([*found[:-1], (0.0, 0.0)])]


def _open_field(rules: RaceRules) -> RaceRules:
    """The same turns on a track that is long enough, with nothing on it but fines."""
    assert rules.bolts is not None
    within = dict.fromkeys(
        ("opening", "pits", "obstacles", "overtaking", "dump_truck", "barrel", "overshoot", "stakes")
    )
    field = RaceRules(**{**vars(rules.alone()), **within})
    return field.last_turn(rules.bolts.fine + LONGEST * rules.match.step)


def _points(field: RaceRules, phase: int, worth: float) -> float:
    """The most points of a turn in a phase, if a turn without result has this worth."""
    assert field.bolts is not None
    player = Player(score=field.bolts.fine, bolts=phase)

    def value(outcome: Outcome) -> float:
        scored = outcome.won or outcome.player.score > player.score
        return float(outcome.player.score - player.score) if scored else worth

    return Turn(field, player, value).value
