"""The command ``kosti odds``."""

import json

import click

from solver.console import as_json, waiting
from solver.text import _


@click.command()
@click.argument("ruleset")
@click.option("--players", type=click.IntRange(min=1), help=_("Number of players."))
@as_json
def odds(ruleset: str, players: int | None, as_json: bool) -> None:
    """Chances, payoffs and expectations of a small game, as fractions and decimals."""
    from solver.families import load_rules
    from solver.parlour import family
    from solver.parlour.odds import describe
    from solver.parlour.rules import ParlourRules

    loaded = load_rules(ruleset)
    if not isinstance(loaded, ParlourRules):
        text = _("{name}: family {family}; allowed: parlour; for this game see: kosti solve")
        raise click.UsageError(text.format(name=ruleset, family=loaded.family))
    with waiting(_("working out {title}").format(title=loaded.title or ruleset)):
        found = family.odds(loaded, players)
    if as_json:
        click.echo(json.dumps({"ruleset": ruleset, "players": players, **found.to_json()}))
    else:
        click.echo("\n".join([loaded.title or ruleset, "", *describe(found)]))
