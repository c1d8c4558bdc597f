"""The commands ``advise`` and ``kosti``."""

import json
from typing import TYPE_CHECKING, Any

import click

from solver import __version__
from solver.console import StatedOnce, as_json, run, solve_with_progress, warn, working
from solver.text import _

if TYPE_CHECKING:
    from pathlib import Path

DEFAULT_RULESET = "thousand-classic"


def advise_command() -> None:
    """Entry point of ``advise``."""
    run(advise)


def kosti_command() -> None:
    """Entry point of ``kosti``."""
    from solver import cli_games, cli_odds, cli_rules, cli_study, cli_tables  # not on the way to advice

    games = (cli_rules.rules, cli_games.solve, cli_games.compare, cli_odds.odds, cli_tables.table)
    for command in (*games, *cli_study.COMMANDS):
        kosti.add_command(command)
    run(kosti)


def _as_path(_context: click.Context, _parameter: click.Parameter, name: str | None) -> "Path | None":
    if name is None:
        return None
    from pathlib import Path  # which a quick answer does without

    return Path(name)


@click.command(cls=StatedOnce)
@click.option("--ruleset", default=DEFAULT_RULESET, show_default=True, help=_("A shipped ruleset, or a TOML file."))
@click.option("--score", help=_("Your written score."))
@click.option("--turn", help=_("Points gathered in this turn before the throw."))
@click.option("--dice", help=_("The throw just made, such as 1,5,3,3,4."))
@click.option("--throw", help=_("Which of your throws the dice are, from 1, where there are several."))
@click.option("--sheet", help=_("The rows that are written, with their points, such as ones=3,chance=22."))
@click.option(
    "--keep", help=_("On a score sheet, dice of which to tell what keeping them is worth, such as 3,3 or none.")
)
@click.option("--goal", help=_("The total to reach, with --objective reach."))
@click.option("--vs", help=_("Your opponent's score, facts such as score=640,bolts=1, or his sheet."))
@click.option("--state", help=_("Further facts about you, such as bolts=2,opened=no."))
@click.option("--objective", help=_("win or stake (with --vs), turns (alone), points; of sheets also settle, reach."))
@click.option(
    "--die", multiple=True, help=_("A loaded die, as a name and the weights of its faces: lucky=2,1,1,1,1,1.")
)
@click.option("--locked", help=_("Dice of the throw that may not be thrown again."))
@click.option("--players", help=_("Number of players, where there may be more than two."))
@click.option("--claim", help=_('The announcement that stands, such as "two pairs 5 3".'))
@click.option("--seed", help=_("Where best play is mixed: a whole number to draw by."))
@click.option("--table", type=click.Path(), callback=_as_path, help=_("A table file to use."))
@as_json
@click.version_option(__version__, prog_name="kosti")
def advise(as_json: bool, ruleset: str, **position: Any) -> None:
    """What to hold, and whether to stop or to throw."""
    from solver.families import advise_by, family_of, load_rules

    loaded = load_rules(ruleset, "--ruleset")
    given = {name: value for name, value in position.items() if value not in (None, ())}
    found = advise_by(loaded, ruleset, solve=solve_with_progress, warn=warn, working=working, **given)
    click.echo(json.dumps(found.to_json()) if as_json else family_of(loaded).describe(found))


@click.group()
@click.version_option(__version__, prog_name="kosti")
def kosti() -> None:
    """Solve dice games exactly, and look after rulesets and tables."""
