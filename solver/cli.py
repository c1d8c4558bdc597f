"""The commands ``advise`` and ``kosti``."""

import json
from pathlib import Path
from typing import Any

import click

from solver import __version__
from solver.console import as_json, run, solve_with_progress, warn
from solver.text import _

DEFAULT_RULESET = "thousand-classic"


def advise_command() -> None:
    """Entry point of ``advise``."""
    run(advise)


def kosti_command() -> None:
    """Entry point of ``kosti``."""
    from solver import cli_games, cli_rules, cli_study, cli_tables  # not on the way to advice

    for command in (cli_rules.rules, cli_games.solve, cli_games.compare, cli_tables.table, *cli_study.COMMANDS):
        kosti.add_command(command)
    run(kosti)


@click.command()
@click.option("--ruleset", default=DEFAULT_RULESET, show_default=True, help=_("A shipped ruleset, or a TOML file."))
@click.option("--score", help=_("Your written score."))
@click.option("--turn", help=_("Points gathered in this turn before the throw."))
@click.option("--dice", help=_("The throw just made, such as 1,5,3,3,4."))
@click.option("--vs", help=_("Your opponent's score, or facts such as score=640,bolts=1."))
@click.option("--state", help=_("Further facts about you, such as bolts=2,opened=no."))
@click.option("--objective", help=_("win or stake (with --vs), turns (alone), or points (of this turn)."))
@click.option("--table", type=click.Path(path_type=Path), help=_("A table file to use."))
@as_json
@click.version_option(__version__, prog_name="kosti")
def advise(as_json: bool, ruleset: str, **position: Any) -> None:
    """What to hold, and whether to stop or to throw."""
    from solver.families import advise_by, family_of, load_rules

    loaded = load_rules(ruleset, "--ruleset")
    given = {name: value for name, value in position.items() if value is not None}
    found = advise_by(loaded, ruleset, solve=solve_with_progress, warn=warn, **given)
    click.echo(json.dumps(found.to_json()) if as_json else family_of(loaded).describe(found))


@click.group()
@click.version_option(__version__, prog_name="kosti")
def kosti() -> None:
    """Solve dice games exactly, and look after rulesets and tables."""
