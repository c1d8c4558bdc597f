"""The command ``advise`` on the rules that only some tables play by; for the points of a turn, which need no table."""

from pathlib import Path

import pytest
from processes import Run

YARD = {
    "confirm and end": '[dice]\nhot_dice = "confirm and end"\n',
    "confirm only": '[dice]\nhot_dice = "confirm only"\n',
    "bolts for blank throws": '[second_try]\n[bolts]\ngiven_for = "first throw"\nconsecutive = true\n',
    "cumulative": "[barrel]\nstart = 880\ncumulative = true\n",
    "win at once": '[match]\nfinish = "exactly"\nwin_at_once = true\n',
    "overshoot on a stop": '[match]\nfinish = "exactly"\novershoot = "on a stop"\n',
    "debts": "[opening.debt]\nfine = 50\nmin_score = -300\n[match]\nmin_score = -50\n",
}


def question(name: str, folder: Path) -> str:
    """A shipped ruleset, or one of the yard as a file."""
    if name not in YARD:
        return name
    path = folder / "yard.toml"
    path.write_text('extends = "thousand-classic"\n' + YARD[name])
    return str(path)


@pytest.mark.parametrize(
    ("ruleset", "position", "says"),
    [
        (
            "thousand-general-simple",
            "--score 420 --dice 2,3,4,4,6",
            "Nothing scores, but there is a second try: throw all 5 dice again.",
        ),
        (
            "thousand-general-simple",
            "--score 420 --dice 2,3,4,4,6 --state tries=1",
            "Nothing scores: the turn is over.",
        ),
        ("thousand-general-simple", "--score 330 --dice 1,1,1,1,1", "the turn ends at 1000.  +670.00 points"),
        ("thousand-general-simple", "--score 330 --turn 60 --dice 1,2", "in the pit 300-400 a turn needs 75 points"),
        ("thousand-general-simple", "--score 990 --dice 1,2,3,3,4", "the target must be passed, not hit"),
        ("thousand-general-full", "--score 540 --dice 1,5,2,3,4", "The dump truck takes it: the score becomes 0."),
        ("thousand-raznoobrazie", "--score 295 --dice 1,5,2,3,3 --turn 0", "Hold 1 for 10 and stop with 10."),
        ("thousand-raznoobrazie", "--score 330 --state skips=yes", "You: score 330, opened, the next turn lost."),
        ("thousand-raznoobrazie", "--score 330 --state skips=yes", "The turn is lost."),
        ("thousand-raznoobrazie", "--score 290 --turn 60 --dice 1,2", "costs the next turn"),
        ("thousand-raznoobrazie-extra-turn", "--score 290 --turn 60 --dice 1,2", "an extra turn follows at once"),
        (
            "thousand-raznoobrazie-extra-turn",
            "--score 330 --state extra=yes --turn 15 --dice 2,3,4",
            "the next turn lost",
        ),
        ("thousand-classic-debt-50", "--score -50 --state failures=2 --dice 2,3,4,4,6", "You now have: score -100"),
        ("thousand-confirm", "--score 300 --dice 1,5,2,3,3", "Hold 1 5 for 15 and stop with 15."),
        (
            "thousand-confirm",
            "--score 0 --turn 40 --dice 1,5,3,3,4",
            "You may not stop: to open, a turn needs 75 points, and this one has 50; a stop would count every",
        ),
        ("thousand-confirm", "--score 300 --state admission=80 --dice 1,5,2,3,3", "admitted with 80"),
        ("thousand-ussr-box", "--score 400 --turn 25 --dice 3,3", "all dice have scored, so all must be thrown again"),
        ("confirm and end", "--score 300 --turn 125 --dice 1,2,3,3,4", "Hold 1 for 10: the turn ends at 135."),
        ("confirm only", "--score 300 --turn 125 --dice 1,2,3,3,4", "the turn ends at 125."),
        ("confirm only", "--score 230 --turn 50 --dice 1,2,3,3,4", "That is not enough to be written."),
        ("bolts for blank throws", "--score 300 --state bolts=2,tries=1 --dice 2,3,4,4,6", "You now have: score 200"),
        ("bolts for blank throws", "--score 300 --state blank=yes,bolts=2 --turn 100 --dice 1", "throw 5 dice"),
        ("cumulative", "--score 900 --state attempts=2 --dice 2,3,4,4,6", "You now have: score 780"),
        ("win at once", "--score 875 --dice 1,2,3,4,5", "That wins."),
        ("overshoot on a stop", "--score 990 --dice 1,5,3,3,4", "throw 3 dice"),
        ("debts", "--score -200 --state opened=yes,bolts=2 --dice 2,3,4,4,6", "Nothing scores"),
    ],
)
def test_each_rule_is_advised_on_in_words(ruleset: str, position: str, says: str, advise: Run, tmp_path: Path) -> None:
    words = ("--ruleset", question(ruleset, tmp_path), "--objective", "points", *position.split())
    assert says in advise(*words).result


@pytest.mark.parametrize(
    ("ruleset", "position", "error"),
    [
        (
            "thousand-raznoobrazie",
            "--score 330 --state skips=yes --dice 1,2,3,3,4",
            "--dice: 1,2,3,3,4; allowed: no throw, since this turn is lost",
        ),
        ("thousand-raznoobrazie", "--score 330 --state skips=2", "--state: 'skips=2'; allowed: skips=yes or skips=no"),
        (
            "thousand-classic-debt-50",
            "--score -305",
            "--score: '-305'; allowed: a multiple of 5 from -300 to 995",
        ),
        (
            "thousand-classic-debt-50",
            "--score 0 --state failures=3",
            "--state: 'failures=3'; allowed: a whole number from 0 to 2",
        ),
        (
            "thousand-confirm",
            "--score 300 --state admission=77",
            "--state: 'admission=77'; allowed: a multiple of 5 from 0 to 850",
        ),
        (
            "thousand-general-simple",
            "--score 300 --state tries=2 --dice 1,2,3,3,4",
            "--state: 'tries=2'; allowed: a whole number from 0 to 1",
        ),
        (
            "thousand-general-simple",
            "--score 300 --turn 10 --state tries=1 --dice 1,2,3",
            "--dice: 3 dice with a turn total of 10: a position that cannot occur",
        ),
    ],
)
def test_facts_that_cannot_be_are_refused_in_one_line(ruleset: str, position: str, error: str, advise: Run) -> None:
    assert advise("--ruleset", ruleset, "--objective", "points", *position.split()).refusal == error + "\n"


def test_a_hold_that_forbids_a_stop_does_not_forbid_that_of_every_scoring_die(advise: Run) -> None:
    answer = advise("--ruleset", "thousand-confirm", "--score", "330", "--turn", "40", "--dice", "1,5,3,3,4").result
    assert "With this hold you may not stop: a stop would count every scoring die of the throw." in answer
    assert "You may not stop" not in answer
    assert "Hold 1 5 for 15 and stop with 55." in answer


WAITING = """\
family = "race"
dice = { count = 2 }
combinations.single = { 1 = 10, 5 = 5 }
match = { target = 60, step = 5 }
barrel = { start = 50, attempts = 1, fine = 20, falls = "unlimited" }
instant_win = { dice = 2, face = 1 }
"""
"""Who climbs onto the barrel falls nearly always, and two ones win from anywhere."""
WAIT = "Best is to wait: to stand still is worth more than any stop, so throw until the turn busts. The best stop costs"


@pytest.mark.parametrize("throw", ["", "--turn 5 --dice 5"])
def test_who_had_better_wait_is_told_so_and_others_are_not(throw: str, advise: Run, tmp_path: Path) -> None:
    (tmp_path / "waiting.toml").write_text(WAITING)
    ask = ("--ruleset", str(tmp_path / "waiting.toml"))
    near = advise(*ask, "--score", "45", "--vs", "45", *throw.split()).result
    assert WAIT in near
    assert throw or near.count(": never") == 1  # after a hold of one die, the only place to stop
    assert "Best is to wait" not in advise(*ask, "--score", "0", "--vs", "0", *throw.split()).result
    assert "Best is to wait" not in advise(*ask, "--score", "45", *throw.split()).result
    # On the barrel no stop is allowed but the one that wins.
    assert "Best is to wait" not in advise(*ask, "--score", "50", "--vs", "45", *throw.split()).result


@pytest.mark.parametrize(
    ("position", "meant"),
    [("--score 330", "extra=yes in --state"), ("--score 0 --vs 330 --objective win", "extra=yes in --vs")],
)
def test_who_stands_where_only_an_extra_turn_is_played_is_told_so(position: str, meant: str, advise: Run) -> None:
    ask = ("--ruleset", "thousand-raznoobrazie-extra-turn-minus100")
    option = position.split()[-4 if "vs" in position else 0]
    expected = f"{option}: a position that cannot occur: score=330, opened=yes, extra=no; with {meant} it can\n"
    assert advise(*ask, *position.split(), "--turn", "40", "--dice", "1,5,3,3,4").refusal == expected


def test_rules_that_make_no_game_are_told_of_their_file(advise: Run, kosti: Run, tmp_path: Path) -> None:
    path = tmp_path / "for-ever.toml"
    path.write_text('extends = "thousand-ussr-box"\ndice.hold = "any"\ncombinations.single.1 = 0\n')
    error = f"{path}: combinations: a turn could go on for ever without points, throwing 1 die\n"
    assert advise("--ruleset", str(path)).refusal == error
    assert kosti("solve", str(path)).refusal == error
    assert kosti("compare", str(path), "thousand-classic").refusal == error


def test_dice_that_never_fail_are_refused_wherever_the_rules_are_looked_at(kosti: Run, tmp_path: Path) -> None:
    path = tmp_path / "never-fails.toml"
    path.write_text(
        'extends = "farkle-simple"\ncombinations.single = { 1 = 100, 2 = 50, 3 = 50, 4 = 50, 5 = 50, 6 = 50 }\n'
    )
    error = f"{path}: combinations: a turn may take too many throws\n"
    assert kosti("rules", "check", str(path)).refusal == error
    assert kosti("solve", str(path)).refusal == error


def test_stakes_need_an_opponent(advise: Run) -> None:
    error = advise("--ruleset", "thousand-ussr-box-double-stake", "--objective", "stake").refusal
    assert error == "--objective: stake; allowed: only with an opponent, --vs\n"
