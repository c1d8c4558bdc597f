"""The commands of ``kosti`` that study play: what human rules are worth, and reviews of games."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from solver.console import StatedOnce, as_json, out_option, solve_with_progress, waiting, working
from solver.text import _

if TYPE_CHECKING:
    from solver.studies import Study

policy_option = click.option(
    "--policy",
    required=True,
    help=_(
        'A policy file, or rules such as "stop at 50", or "stop if dice <= 2; optimal"; '
        'of sheets "keep equal; score most; write most".'
    ),
)
against_option = click.option("--against", help=_("Another policy, for two players; by default best play."))
players_option = click.option("--players", type=click.Choice(["1", "2"]), help=_("Alone, or two players."))


@click.command(cls=StatedOnce)
@click.argument("ruleset")
@policy_option
@against_option
@players_option
@click.option("--best-response", is_flag=True, help=_("Also how who knows the policy plays against it (for two)."))
@as_json
def evaluate(
    ruleset: str, policy: str, against: str | None, players: str | None, best_response: bool, as_json: bool
) -> None:
    """What a human rule is worth, exactly, and where it loses."""
    from solver.studies import study_of

    rules = _titled_rules(ruleset)
    study = study_of(rules, ruleset)
    against = _opponent(study, rules, against, players)
    if best_response and against is None:
        study.check_two(rules, "--best-response", _("in force"))
        raise click.UsageError(_("--best-response: in force; allowed: only for two, with --players 2 or --against"))
    with working(_("valuing {policy}").format(policy=policy)) as progress:
        found, text = study.evaluate(
            rules, policy, against, response=best_response, solve=solve_with_progress, progress=progress
        )
    _answer(ruleset, found, text, as_json=as_json)


@click.command(cls=StatedOnce)
@click.argument("ruleset")
@click.option("--policy", default="optimal", show_default=True, help=_("A policy file, or rules, as for evaluate."))
@against_option
@players_option
@click.option(
    "--games",
    type=click.IntRange(min=2, max=100_000_000),  # of one game there is no standard error
    default=100_000,
    show_default=True,
    help=_("Number of games to play."),
)
@click.option("--seed", type=click.IntRange(min=0), default=1, show_default=True, help=_("Where the dice begin."))
@as_json
def simulate(
    ruleset: str, policy: str, against: str | None, players: str | None, games: int, seed: int, as_json: bool
) -> None:
    """Play many games with dice: an independent check of what ``evaluate`` says."""
    from solver.studies import study_of

    rules = _titled_rules(ruleset)
    study = study_of(rules, ruleset)
    against = _opponent(study, rules, against, players)
    with working(_("playing {games} games").format(games=games)) as progress:
        found, text = study.simulate(
            rules, policy, against, games=games, seed=seed, solve=solve_with_progress, progress=progress
        )
    _answer(ruleset, found, text, as_json=as_json)


@click.command(cls=StatedOnce)
@click.argument("ruleset")
@click.option("--policy", help=_("A policy; by default what makes the chance as large as can be."))
@click.option(
    "--turns", type=click.IntRange(min=1, max=5000), default=100, show_default=True, help=_("Within so many turns.")
)
@click.option("--before", help=_('What must not have happened between two turns, such as "barrel" or "bolts = 2".'))
@click.option("--count", help=_('Of which turns to tell the expected number, such as "lost" or "score >= 900".'))
@as_json
def measure(ruleset: str, policy: str | None, turns: int, before: str | None, count: str | None, as_json: bool) -> None:
    """How soon, and how surely, a player alone is done."""
    from solver.studies import study_of

    rules = _titled_rules(ruleset)
    study = study_of(rules, ruleset, "measure")
    with waiting(_("measuring")):
        found, text = study.measure(rules, policy, turns=turns, before=before, count=count, solve=solve_with_progress)
    _answer(ruleset, found, text, as_json=as_json)


@click.command(cls=StatedOnce)
@click.argument("ruleset")
@click.argument("game", type=click.Path(path_type=Path))
@as_json
def review(ruleset: str, game: Path, as_json: bool) -> None:
    """Look at a game that was played: what each decision cost, and what was luck."""
    from solver.studies import study_of

    rules = _titled_rules(ruleset)
    found, text = study_of(rules, ruleset).review(rules, game, solve=solve_with_progress)
    _answer(ruleset, found, text, as_json=as_json)


@click.command(cls=StatedOnce)
@click.argument("ruleset")
@click.option(
    "--thresholds", type=click.IntRange(min=1, max=6), default=3, show_default=True, help=_("Most thresholds.")
)
@click.option("--players", type=click.Choice(["1", "2"]), default="1", show_default=True, help=_("Alone, or two."))
@as_json
def simplify(ruleset: str, thresholds: int, players: str, as_json: bool) -> None:
    """The best rule that fits on a card, and what it costs."""
    from solver.studies import study_of

    rules = _titled_rules(ruleset)
    study = study_of(rules, ruleset)
    with working(_("trying cards")) as progress:
        found, text = study.simplify(
            rules, thresholds=thresholds, players=int(players), solve=solve_with_progress, progress=progress
        )
    _answer(ruleset, found, text, as_json=as_json)


@click.command(cls=StatedOnce)
@click.argument("ruleset")
@click.argument("what", type=click.Choice(["stops", "wins", "track", "totals"]))
@out_option(_("A PNG or SVG file."), required=True)
@click.option("--dice", type=click.IntRange(min=1, max=6), help=_("Of stops: only with so many dice left."))
def plot(ruleset: str, what: str, out: Path, dice: int | None) -> None:
    """Draw when to stop, who is ahead, what each place of the track is worth, or of sheets the totals."""
    from solver.studies import study_of

    rules = _titled_rules(ruleset)
    study = study_of(rules, ruleset)
    with waiting(_("drawing {out}").format(out=out)):
        study.plot(rules, what, out, dice=dice, solve=solve_with_progress)
    click.echo(_("{file}: written").format(file=out))


def _titled_rules(ruleset: str) -> Any:
    """The rules of a ruleset. One without a title goes by what its user calls it."""
    from solver.families import load_rules

    rules = load_rules(ruleset)
    return rules if rules.title else type(rules)(**{**vars(rules), "title": ruleset})


def _opponent(study: "Study", rules: Any, against: str | None, players: str | None) -> str | None:
    """Whom the policy meets: nobody alone. What is refused is the option that was given."""
    if players == "1" and against is not None:
        raise click.UsageError(_("--against: {found}; allowed: only with --players 2").format(found=against))
    if players == "2":
        study.check_two(rules, "--players", players)
    elif against is not None:
        study.check_two(rules, "--against", against)
    return "optimal" if players == "2" and against is None else against


def _answer(ruleset: str, found: dict[str, Any], text: str, *, as_json: bool) -> None:
    click.echo(json.dumps({"ruleset": ruleset, **found}) if as_json else text)


COMMANDS = (evaluate, simulate, measure, review, simplify, plot)
