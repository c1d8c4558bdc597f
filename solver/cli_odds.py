"""The command ``kosti odds``."""

import json
from functools import partial

import click

from solver.console import StatedOnce, as_json, solve_with_progress, waiting, warn, working
from solver.text import _


@click.command(cls=StatedOnce)
@click.argument("ruleset")
@click.option("--players", type=click.IntRange(min=1), help=_("Number of players."))
@as_json
def odds(ruleset: str, players: int | None, as_json: bool) -> None:
    """Chances and expectations of a small game, or how the totals of a score sheet are spread."""
    from solver.families import load_rules
    from solver.library import find_table
    from solver.parlour import family
    from solver.parlour.odds import describe
    from solver.parlour.rules import ParlourRules

    loaded = load_rules(ruleset)
    if loaded.family == "sheet":
        from solver.sheet.report import spread_report
        from solver.sheet.rules import SheetGameRules

        assert isinstance(loaded, SheetGameRules)
        if players not in (None, 1):
            raise click.UsageError(
                _("--players: {found}; allowed: 1, totals do not depend on others").format(found=players)
            )
        with waiting(_("playing every game of {title}").format(title=loaded.title or ruleset)):
            data, text = spread_report(loaded)
        click.echo(json.dumps({"ruleset": ruleset, **data}) if as_json else f"{loaded.title or ruleset}\n\n{text}")
        return
    if not isinstance(loaded, ParlourRules):
        text = _("{name}: family {family}; allowed: parlour or sheet; for this game see: kosti solve")
        raise click.UsageError(text.format(name=ruleset, family=loaded.family))
    for objective, seats in family.objectives(loaded).items():
        # A game that needs a table is solved first, where one can see how far it is.
        if players in (None, seats):
            find_table(loaded, objective, solve=partial(solve_with_progress, loaded, objective), warn=warn)
    with working(_("solving {title}").format(title=loaded.title or ruleset)) as progress:
        family.prepare(loaded, players, progress)
    with waiting(_("working out {title}").format(title=loaded.title or ruleset)):
        found = family.odds(loaded, players)
    if as_json:
        click.echo(json.dumps({"ruleset": ruleset, "players": players, **found.to_json()}))
    else:
        click.echo("\n".join([loaded.title or ruleset, "", *describe(found)]))
