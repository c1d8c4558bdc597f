"""The study of races, as ``solver.studies`` calls it."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from solver.errors import PolicyError, PositionError, TranscriptError
from solver.library import find_table
from solver.policies.expression import Node, parse
from solver.policies.policy import BEST_PLAY, Policy, load_policy
from solver.race.rules import RaceRules
from solver.race.study.choices import NAMES
from solver.race.study.evaluation import evaluate_alone, evaluate_duel
from solver.race.study.words import describe_evaluation
from solver.table import BRACKETED, Table
from solver.text import _

Progress = Callable[..., None]
Solve = Callable[[Any, str], Table]

# What only one of the verbs needs is imported there.


def check_two(rules: RaceRules, option: str, found: str) -> None:
    """PositionError if policies cannot be studied for two in this game."""
    if rules.match.most_players < 2:
        raise PositionError(
            _("{option}: {found}; allowed: only without, in a game for one").format(option=option, found=found)
        )
    _refuse_copying(rules)


def evaluate(
    rules: RaceRules, policy: str, against: str | None, *, response: bool, solve: Solve, progress: Progress
) -> tuple[dict[str, Any], str]:
    """What a policy is worth, alone or against another."""
    one, other = read_policies(policy, against)
    if other is None:
        found = evaluate_alone(rules, one, best_play(rules, "turns", solve), progress)
    else:
        table = best_play(rules, duel_objective(rules), solve)
        found = evaluate_duel(rules, one, other, table, response=response, progress=progress)
    return found.to_json(), describe_evaluation(rules, found)


def simulate(
    rules: RaceRules, policy: str, against: str | None, *, games: int, seed: int, solve: Solve, progress: Progress
) -> tuple[dict[str, Any], str]:
    """The same, found by playing many games with dice of its own."""
    from solver.race.model import compile_race
    from solver.race.study.players import turn_makers
    from solver.race.study.simulation import play
    from solver.race.study.words import describe_simulation

    one, other = read_policies(policy, against)
    policies = [one] if other is None else [one, other]
    model = compile_race(rules, len(policies))
    objective = "turns" if other is None else "win"
    makers = turn_makers(rules, model, policies, lambda: best_play(rules, objective, solve))
    found = play(model, policies, makers, games=games, seed=seed, progress=progress)
    told = {"policy": one.title, "against": other.title if other else None, "seed": seed, **found._asdict()}
    return told, describe_simulation(rules, policies, found)


def measure(
    rules: RaceRules, policy: str | None, *, turns: int, before: str | None, count: str | None, solve: Solve
) -> tuple[dict[str, Any], str]:
    """How soon, and how surely, a player alone is done."""
    from solver.race.study.measures import BETWEEN_TURNS, measure
    from solver.race.study.words import describe_measured

    def condition(option: str, text: str | None) -> Node | None:
        try:
            return None if text is None else parse(text, BETWEEN_TURNS)
        except PolicyError as error:
            raise PolicyError(f"{option}: {error}") from None

    one = None if policy is None else load_policy(policy, NAMES[1], "--policy")
    asked = condition("--before", before), condition("--count", count)
    table = best_play(rules, "turns", solve) if one or count else None
    found = measure(rules, one, table, turns, *asked)
    told = {"policy": one.title if one else None, "before": before, "count": count, **found._asdict()}
    return told, describe_measured(rules, one, found, before, count)


def review(rules: RaceRules, game: Path, *, solve: Solve) -> tuple[dict[str, Any], str]:
    """A game that was played, with what each decision cost."""
    from solver.race.study.review import review
    from solver.race.study.transcript import read_transcript
    from solver.race.study.words import describe_review

    transcript = read_transcript(rules, game)
    two = len(transcript.names) == 2
    table = best_play(rules, duel_objective(rules) if two else "turns", solve)
    try:
        found = review(rules, transcript, table)
    except TranscriptError as error:
        raise TranscriptError(f"{game}: {error}") from None
    return found.to_json(), describe_review(rules, found)


def simplify(
    rules: RaceRules, *, thresholds: int, players: int, solve: Solve, progress: Progress
) -> tuple[dict[str, Any], str]:
    """The best rule with at most so many thresholds, and what it costs."""
    from solver.race.study.card import best_card
    from solver.race.study.evaluation import ValuedPolicies
    from solver.race.study.words import describe_card

    objective = "turns" if players == 1 else duel_objective(rules)
    valued = ValuedPolicies(rules, best_play(rules, objective, solve))
    tried = 0

    def values(policies: list[Policy]) -> list[float]:
        nonlocal tried
        tried += len(policies)
        progress(tried, 10.0 ** -min(12.0, tried / 25.0))
        return valued.about(policies)

    card, _about = best_card(rules, valued.model, thresholds, values)
    worth = valued.value(card.policy())
    shown = -worth if players == 1 else worth
    found = {
        "objective": objective,
        "rules": card.rules(),
        "hold": card.hold,
        "value": shown,
        "best": valued.best,
        "loss": abs(valued.best - shown),
        "error_bound": valued.bound,
        "tried": tried,
    }
    return found, describe_card(rules, objective, card, found)


def plot(rules: RaceRules, what: str, out: Path, *, dice: int | None, solve: Solve) -> None:
    """Draw a picture into a file, PNG or SVG as its name says."""
    from solver.pictures import check_picture
    from solver.race.study.pictures import OBJECTIVE_OF, PICTURES

    if what not in PICTURES:
        raise PositionError(_("{what}; allowed: {allowed}").format(what=what, allowed=", ".join(PICTURES)))
    check_picture(out)
    objective = OBJECTIVE_OF.get(what, duel_objective(rules))
    if what == "wins" and objective == "stake":
        objective = "win"
    chosen = {"dice": dice} if what == "stops" else {}
    if dice is not None and what != "stops":
        raise PositionError(_("--dice: {found}; allowed: only with stops").format(found=dice))
    PICTURES[what](rules, best_play(rules, objective, solve), out, **chosen)


def read_policies(policy: str, against: str | None) -> tuple[Policy, Policy | None]:
    """The policies of one player, or of two. PolicyError or PositionError tell what is wrong with them."""
    if against is None:
        return load_policy(policy, NAMES[1], "--policy"), None
    one = load_policy(policy, NAMES[2], "--policy")
    other = load_policy(against, NAMES[2], "--against")
    return one, BEST_PLAY if other.is_optimal else other


def duel_objective(rules: RaceRules) -> str:
    """What two players play for."""
    return "stake" if rules.stakes else "win"


def _refuse_copying(rules: RaceRules) -> None:
    if rules.points_are_left():
        raise PositionError(
            _("inherited_dice.points: in force, so only best play is known for two; allowed: one player")
        )


def best_play(rules: RaceRules, objective: str, solve: Solve) -> Table:
    """The table of best play, found or made. PositionError if it holds no single values to measure by."""
    if objective != "turns":
        _refuse_copying(rules)
    table = find_table(rules, objective, solve=lambda: solve(rules, objective))
    if table.info.quality == BRACKETED:
        raise PositionError(
            _("this game has no single value for two, since both may do better by waiting; allowed: one player")
        )
    return table
