"""Reviews of played games: how people write them down, and what is said of them."""

import random
from pathlib import Path

import pytest
from processes import Run

from solver.errors import TranscriptError
from solver.families import load_rules
from solver.race.actions import Turn
from solver.race.endings import after_attack, attacked_by
from solver.race.player import start
from solver.race.position import state_index
from solver.race.rules import RaceRules
from solver.race.study.pictures import _stretches
from solver.race.study.review import Review, review
from solver.race.study.transcript import read_transcript
from solver.race.tables import solve_table
from solver.race.worth import win_worth
from solver.table import read_table

from games import rules_from, shipped_table  # isort: skip


def reviewed(tmp_path: Path, ruleset: str, text: str, objective: str = "win") -> Review:
    file = tmp_path / "game.txt"
    file.write_text(text)
    rules = load_rules(ruleset)
    return review(rules, read_transcript(rules, file), read_table(shipped_table(f"{ruleset}.{objective}")))


def perfect_game(seed: int) -> str:
    """A whole match of Thousand as the best plan plays it, written down."""
    rules, table = load_rules("thousand-classic"), read_table(shipped_table("thousand-classic.win"))
    index, dice = state_index(rules, table), random.Random(seed)
    players, mover, lines = [start(rules), start(rules)], 0, ["players: One, Other"]
    while True:
        turn = Turn(rules, players[mover], win_worth(rules, players[1 - mover], index, table.values))
        points, left, throws, outcome = 0, 5, [], None
        while outcome is None:
            throw = tuple(sorted(dice.randint(1, 6) for _die in range(left)))
            throws.append(" ".join(map(str, throw)))
            slot = turn.slot_of(left, points)
            choices = turn.choices(slot, throw, points)
            if not choices:
                outcome = turn.end(slot, throw)[2]
                break
            best = max(choices, key=lambda choice: (choice.value, choice.stop))
            throws[-1] += " hold " + " ".join(map(str, best.hold))
            points, left, outcome = best.turn_points, best.dice, best.outcome
        lines.append(f"{('One', 'Other')[mover]}: {'; '.join(throws)}")
        if outcome.won:
            return "\n".join(lines)
        players[mover] = outcome.player
        if rule := attacked_by(outcome, players[1 - mover].score):
            players[1 - mover] = after_attack(rules, players[1 - mover], rule)
        mover = 1 - mover


@pytest.mark.parametrize("seed", [1, 2])
def test_a_perfect_record_loses_nothing(tmp_path: Path, seed: int) -> None:
    found = reviewed(tmp_path, "thousand-classic", perfect_game(seed))
    assert found.winner is not None
    assert sum(found.losses(0)) == sum(found.losses(1)) == 0.0


GAME = """players: Anna, Boris   # an evening
Anna: 1 1 1 2 3; 4 4
boris: 11523; 51 ; 1,2,2,3,6 stop = 50

Anna: 11155 hold 11155; 22345
Boris: 1 2 3 4 5; 1 3 3 4 6; 2 4 5 1 STOP
Anna: 55524 stop = 115
"""


def test_luck_and_losses_explain_the_whole_course_of_a_game(tmp_path: Path) -> None:
    found = reviewed(tmp_path, "thousand-classic", GAME)
    first, last = found.turns[0].value, found.turns[-1].moves[-1].value
    assert found.turns[-1].mover == 0
    own = found.luck(0) - sum(found.losses(0))
    other = found.luck(1) - sum(found.losses(1))
    assert last == pytest.approx(first + own - other, abs=1e-7)


def test_a_match_to_its_end_is_explained_as_well(tmp_path: Path) -> None:
    found = reviewed(tmp_path, "thousand-classic", perfect_game(3))
    won = 1.0 if found.winner == 0 else 0.0
    assert won == pytest.approx(found.turns[0].value + found.luck(0) - found.luck(1), abs=1e-6)


LAST = {"ending": "equal turns", "ties": "shared"}
SMALL_GAMES = {
    "last turns": {"match": {"target": 8, **LAST}},
    "dice left over": {"match": {"target": 8, "ending": "one more turn"}, "inherited_dice": {"bonus": 1}},
    "points given away": {"match": {"target": 8, "finish": "exactly", "overshoot": "given away"}},
}


@pytest.mark.parametrize("name", SMALL_GAMES)
def test_games_with_last_turns_gifts_and_dice_left_over_are_explained_to_their_end(tmp_path: Path, name: str) -> None:
    rules = rules_from({"dice": {"count": 2, "faces": 3, "hold": "any", "hot_dice": "may"},
                        "combinations": {"single": {"1": 2, "2": 1}}, **SMALL_GAMES[name]})  # fmt: skip
    table, _solution = solve_table(rules, "win")
    file, dice, lines, found = tmp_path / "game.txt", random.Random(4), ["players: A, B"], None
    while found is None or (found.winner is None and not found.drawn):
        # Whatever is thrown, the first record that can have been is taken: hold all that scores, and stop.
        throw = "".join(str(dice.randint(1, 3)) for _die in range(2))
        for line in (throw, f"{throw} stop"):
            file.write_text("\n".join([*lines, line]))
            try:
                found = review(rules, read_transcript(rules, file), table)
            except TranscriptError:
                continue
            lines.append(line)
            break
    end = 0.5 if found.drawn else float(found.winner == 0)
    own, other = (found.luck(who) - sum(found.losses(who)) for who in (0, 1))
    assert end == pytest.approx(found.turns[0].value + own - other, abs=1e-6)


def test_decisions_are_marked_by_what_they_cost(tmp_path: Path) -> None:
    found = reviewed(tmp_path, "thousand-classic", GAME)
    assert [found.mark(loss) for loss in (0.0, 0.0099, 0.01, 0.03, 0.1)] == ["", "", "?!", "?", "??"]
    move = found.turns[0].moves[0]  # three ones: to stop with 100 is better than to throw two dice
    assert (move.best.stop, move.choice.stop, found.mark(move.loss)) == (True, False, "?!")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "no turns"),
        ("Anna: 1 2 3 4", "line 1: 4 dice thrown"),
        ("Anna: 1 2 3 4 7", "line 1:"),
        ("Anna: 1 1 1 2 3; 4 4; 1 1", "line 1: the turn is over"),
        ("Anna: 1 1 1 2 3 hold 2 stop", "line 1: hold 2"),
        ("Anna: 1 2 3 3 4 stop", "line 1: a stop with 10 points; allowed: with 50 at least"),
        ("Anna: 1 1 1 2 3 stop = 105", "line 1: = 105; allowed: 100"),
        ("Anna: 1 1 1 2 3 stop\nAnna: 2 2 3 4 6", "line 2:"),
        ("players: A, B\nA: 2 2 3 4 6\nA: 2 2 3 4 6", "line 3: A; allowed: B"),
        ("players: A, B, C", "line 1: players"),
        ("players: A, B\nC: 1", "line 2: 'C'; allowed: A, B"),
        ("A: banana", "line 1:"),
        ("players: A, B\nstart A: 557\nA: 22346", "line 2:"),
        ("players: A\n22346\nplayers: A, B", "line 3: players: stated; allowed: once"),
        ("players: A\nplayers: A, B\n22346", "line 2: players: stated; allowed: once"),
        ("players: A, B\nstart A: 50\nstart a: 100\nA: 22346", "line 3: start A: stated; allowed: once"),
        ("players: A, B\nA: 22346\nstart A: 50", "line 3: start A: stated; allowed: once"),
    ],
)
def test_what_cannot_have_been_is_told_with_its_line(tmp_path: Path, text: str, said: str) -> None:
    if "Anna: 1 1 1 2 3 stop\nAnna" in text:
        text = "players: Anna, Boris\n" + text
        said = "line 3: Anna; allowed: Boris"
    elif not text.startswith("players"):
        text = text.replace("Anna", "A")
        text = text and "players: A, B\n" + text
        said = said.replace("line 1", "line 2")
    with pytest.raises(TranscriptError, match=r"^[^\n]*$") as error:
        reviewed(tmp_path, "thousand-classic", text)
    assert said in str(error.value)


def test_the_record_of_the_manual_can_be_reviewed(tmp_path: Path) -> None:
    manual = (Path(__file__).parent.parent / "docs" / "study.md").read_text(encoding="utf-8")
    record = manual.partition("## Reviews\n\n")[2].partition("\n\n")[0]
    assert [len(found.moves) for found in reviewed(tmp_path, "thousand-classic", record).turns] == [2, 1]


def test_a_throw_that_brings_nothing_decides_nothing(tmp_path: Path) -> None:
    found = reviewed(tmp_path, "thousand-classic", "players: A, B\nA: 22346\nB: 1 1 1 2 3 stop\nA: 1 1 2 3 3; 22 3")
    assert [len(found.losses(who)) for who in (0, 1)] == [0, 1]  # 20 do not open: A had to throw on


def test_the_last_score_may_be_written_as_it_is_or_as_the_target(tmp_path: Path) -> None:
    for score in (100, 103):
        assert reviewed(tmp_path, "pig", f"start A: 97\nA: 6 stop = {score}", "turns").winner == 0
    with pytest.raises(TranscriptError, match="= 102; allowed: 103"):
        reviewed(tmp_path, "pig", "start A: 97\nA: 6 stop = 102", "turns")


def test_a_game_alone_needs_no_names(tmp_path: Path) -> None:
    found = reviewed(tmp_path, "pig", "6; 6; 6; 2 stop = 20\n5; 1", "turns")
    assert [turn.mover for turn in found.turns] == [0, 0]
    assert sum(found.losses(0)) == 0.0


@pytest.mark.parametrize("record", ["5 stop", "Anna: 5; 6; 4; 6 stop", "6; 1"])
def test_a_review_alone_reads_too(record: str, tmp_path: Path, kosti: Run) -> None:
    (tmp_path / "game.txt").write_text(record)
    assert "turns" in kosti("review", "pig", tmp_path / "game.txt").result


def test_the_command_reads_well(tmp_path: Path, kosti: Run) -> None:
    file = tmp_path / "game.txt"
    file.write_text(GAME)
    answer = kosti("review", "thousand-classic", file)
    assert "1 1 1 2 3 (+4.1 %): holds 1 1 1, throws 2 dice, 53.1 %  ?! loses 1.96 %" in answer.out
    file.write_text("nonsense")
    answer = kosti("review", "thousand-classic", file)
    assert (answer.status, answer.out) == (2, "")
    assert f"{file}: line 1" in answer.err


def test_a_card_for_pig_says_20_alone(kosti: Run) -> None:
    answer = kosti("simplify", "pig")
    assert "Stop with 20 or more." in answer.out
    assert "0.0915 turns" in answer.out  # 12.63676949 - 12.54523235


def test_the_line_of_a_track_has_a_gap_where_the_dump_truck_waits() -> None:
    rules = load_rules("thousand-ussr-box")
    assert isinstance(rules, RaceRules)
    scores = [540, 545, 550, 560, 565]  # nobody stands at 555
    assert [scores[part] for part in _stretches(rules, scores)] == [[540, 545, 550], [560, 565]]
    pig = load_rules("pig")
    assert isinstance(pig, RaceRules)
    assert [scores[part] for part in _stretches(pig, scores)] == [scores]


def test_pictures_are_written_and_wrong_names_refused(tmp_path: Path, kosti: Run) -> None:
    for what, name in (("track", "track.svg"), ("wins", "wins.png")):
        kosti("plot", "pig", what, "--out", tmp_path / name)
        head = (tmp_path / name).read_bytes()[:60]
        assert head.startswith(b"<?xml" if name.endswith("svg") else b"\x89PNG")
    answer = kosti("plot", "pig", "wins", "--out", tmp_path / "wins.pdf")
    assert answer.status == 2
    assert ".png or .svg" in answer.err
