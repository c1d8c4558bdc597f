"""The command ``kosti odds``."""

import json
from functools import partial

import click

from solver.console import as_json, solve_with_progress, waiting, warn
from solver.text import _


@click.command()
@click.argument("ruleset")
@click.option("--players", type=click.IntRange(min=1), help=_("Number of players."))
@as_json
def odds(ruleset: str, players: int | None, as_json: bool) -> None:
    """Chances, payoffs and expectations of a small game, as fractions and decimals."""
    from solver.families import load_rules
    from solver.library import find_table
    from solver.parlour import family
    from solver.parlour.odds import describe
    from solver.parlour.rules import ParlourRules

    loaded = load_rules(ruleset)
    if not isinstance(loaded, ParlourRules):
        text = _("{name}: family {family}; allowed: parlour; for this game see: kosti solve")
        raise click.UsageError(text.format(name=ruleset, family=loaded.family))
    for objective in family.objectives(loaded):
        # A game that needs a table is solved first, where one can see how far it is.
        find_table(loaded, objective, solve=partial(solve_with_progress, loaded, objective), warn=warn)
    with waiting(_("working out {title}").format(title=loaded.title or ruleset)):
        found = family.odds(loaded, players)
    if as_json:
        click.echo(json.dumps({"ruleset": ruleset, "players": players, **found.to_json()}))
    else:
        click.echo("\n".join([loaded.title or ruleset, "", *describe(found)]))
