"""The study of sheets, as ``solver.studies`` calls it."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from solver.errors import PositionError, TranscriptError
from solver.library import find_table
from solver.sheet.model import SheetModel, compile_sheet
from solver.sheet.position import read_sheet
from solver.sheet.rules import SheetGameRules
from solver.sheet.tables import all_values
from solver.table import Table
from solver.text import _

Progress = Callable[..., None]
Solve = Callable[[Any, str], Table]
PICTURES = ("totals",)

# What only one of the verbs needs is imported there.


def check_two(_rules: SheetGameRules, option: str, found: str) -> None:
    """PositionError: on a sheet everybody plays alone."""
    raise PositionError(
        _("{option}: {found}; allowed: only without, for nobody changes the total of another").format(
            option=option, found=found
        )
    )


def evaluate(
    rules: SheetGameRules, policy: str, against: str | None, *, response: bool, solve: Solve, progress: Progress
) -> tuple[dict[str, Any], str]:
    """What a policy is worth, where it loses, and how it uses the rows."""
    from solver.sheet.study.evaluation import Player, rule_values
    from solver.sheet.study.evaluation import evaluate as valued
    from solver.sheet.study.policy import load_sheet_policy
    from solver.sheet.study.turns import Turns
    from solver.sheet.study.uses import row_uses
    from solver.sheet.study.words import describe_evaluation

    del against, response  # refused by check_two
    model = compile_sheet(rules)
    chosen = load_sheet_policy(policy, model, "--policy")
    best, bound = best_play(model, solve)
    turns, start = Turns(model), read_sheet(model, "--sheet", None)
    own = best if chosen.is_optimal else rule_values(turns, chosen, best, 0, progress)
    found = valued(turns, chosen, best, bound, start, own=own)
    player = Player(turns, None if chosen.is_optimal else chosen, best, own)
    uses = row_uses(player, start)
    told = {
        **found.to_json(),
        "rows": [
            {
                "row": use.name,
                "points": use.mean,
                "crossed_out": use.crossing,
                "turn": use.turn,
                "after_throw": [use.after_throw(number) for number in range(1, use.chances.shape[1] + 1)],
                "first_crossed_out": use.first_crossed,
            }
            for use in uses
        ],
    }
    return told, describe_evaluation(rules, found, uses)


def simulate(
    rules: SheetGameRules, policy: str, against: str | None, *, games: int, seed: int, solve: Solve, progress: Progress
) -> tuple[dict[str, Any], str]:
    """The same, found by playing many games with dice of its own."""
    from solver.sheet.study.evaluation import Player, rule_values
    from solver.sheet.study.policy import BEST, load_sheet_policy
    from solver.sheet.study.simulation import play
    from solver.sheet.study.turns import Turns
    from solver.sheet.study.words import describe_simulation

    del against  # refused by check_two
    model = compile_sheet(rules)
    chosen = load_sheet_policy(policy, model, "--policy")
    best, _bound = best_play(model, solve)
    turns = Turns(model)
    searches = not chosen.is_optimal and any(rule.verb == BEST for rule in chosen.rules)
    own = rule_values(turns, chosen, best, 0, progress) if searches else best
    found = play(Player(turns, None if chosen.is_optimal else chosen, best, own), games, seed, progress)
    told = {"policy": chosen.title, "seed": seed, "games": games, "mean": found.mean, "error": found.error}
    return told, describe_simulation(rules, chosen, found)


def review(rules: SheetGameRules, game: Path, *, solve: Solve) -> tuple[dict[str, Any], str]:
    """A game that was played, with what each decision cost."""
    from solver.sheet.study.review import review
    from solver.sheet.study.transcript import read_game
    from solver.sheet.study.words import describe_review

    model = compile_sheet(rules)
    record = read_game(model, game)
    values, bound = best_play(model, solve)
    try:
        found = review(model, record, values, bound)
    except TranscriptError as error:
        raise TranscriptError(f"{game}: {error}") from None
    return found.to_json(), describe_review(rules, found)


def simplify(
    rules: SheetGameRules, *, thresholds: int, players: int, solve: Solve, progress: Progress
) -> tuple[dict[str, Any], str]:
    """PositionError: what a card says of a sheet has no thresholds, and no search of it is known to find the best."""
    del thresholds, players, solve, progress
    raise PositionError(
        _(
            "{title}: simplify; allowed: games of the family race. A rule for a sheet can be valued: kosti evaluate"
        ).format(title=rules.title)
    )


def plot(rules: SheetGameRules, what: str, out: Path, *, dice: int | None, solve: Solve) -> None:
    """Draw how final totals are spread into a file, PNG or SVG as its name says."""
    from solver.pictures import check_picture
    from solver.sheet.spread import spread_from
    from solver.sheet.study.pictures import draw_totals

    if what not in PICTURES:
        raise PositionError(_("{what}; allowed: {allowed}").format(what=what, allowed=", ".join(PICTURES)))
    if dice is not None:
        raise PositionError(_("--dice: {found}; allowed: only with stops").format(found=dice))
    check_picture(out)
    model = compile_sheet(rules)
    values, _bound = best_play(model, solve)
    draw_totals(rules, spread_from(model, model.kernel(), values, read_sheet(model, "--sheet", None)), out)


def best_play(model: SheetModel, solve: Solve) -> tuple[Any, float]:
    """The values of best play for points, found or made, and their bound."""
    table = find_table(model.rules, "points", solve=lambda: solve(model.rules, "points"))
    return all_values(model, table), table.info.bound
