"""The command ``kosti``: rulesets, solves and tables, and how commands end when they are cut short."""

import json
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from games import shipped_table
from processes import LONG, Run, environment, start

import solver

OTHERS = ("farkle-", "ten-thousand-", "pig-", "zilch")
"""Beginnings of the names of the other race games, of which there are many."""

NAMES = [
    "pig",
    "thousand-classic",
    "thousand-classic-1005",
    "thousand-classic-barrel",
    "thousand-classic-bolts-everywhere",
    "thousand-classic-debt-100",
    "thousand-classic-debt-50",
    "thousand-classic-open-barrel",
    "thousand-confirm",
    "thousand-general-barrel",
    "thousand-general-exact",
    "thousand-general-full",
    "thousand-general-simple",
    "thousand-pochti-x50",
    "thousand-pochti-x50-solo",
    "thousand-raznoobrazie",
    "thousand-raznoobrazie-extra-turn",
    "thousand-raznoobrazie-extra-turn-minus100",
    "thousand-ussr-box",
    "thousand-ussr-box-double-stake",
]
SHORT = 'extends = "pig"\ntitle = "Short"\n[match]\ntarget = 12\n'
WRONG = 'extends = "pig"\n[dice]\ncount = 9\n[match]\ntarget = 12\nluck = 1\n'
# A player who climbs on the barrel can be thrown off, so both wait below it for the other, for ever.
WAITING = """family = "race"
[dice]
count = 1
faces = 2
hot_dice = "may"
[combinations]
single = { 2 = 1 }
[match]
target = 6
[barrel]
start = 4
attempts = 2
fine = 1
falls = 2
"""


@pytest.fixture
def short(tmp_path: Path) -> Path:
    """A ruleset that is solved in no time."""
    path = tmp_path / "short.toml"
    path.write_text(SHORT)
    return path


# ---- rulesets ----


def test_the_shipped_rulesets_are_listed_with_their_titles(kosti: Run) -> None:
    lines = kosti("rules", "list").result.splitlines()
    names = [line.split()[0] for line in lines]
    assert names == sorted(names)
    assert [name for name in names if name.startswith(("pig", "thousand")) and not name.startswith(OTHERS)] == NAMES
    (pig,) = [line for line in lines if line.startswith("pig ")]
    assert pig.endswith("Pig: one die, a one loses the turn, first to 100")


@pytest.mark.parametrize("name", NAMES)
def test_the_shipped_rulesets_are_in_order(name: str, kosti: Run) -> None:
    assert kosti("rules", "check", name).result == f"{name}: in order\n"


def test_every_value_in_force_is_shown_with_its_origin(kosti: Run, short: Path) -> None:
    lines = kosti("rules", "show", short).result.splitlines()
    assert f"match.target = 12  # {short}" in lines
    assert "dice.count = 1  # pig" in lines
    assert "match.step = 1  # default" in lines


def test_everything_that_is_wrong_with_a_ruleset_is_listed(kosti: Run, tmp_path: Path) -> None:
    path = tmp_path / "wrong.toml"
    path.write_text(WRONG)
    answer = kosti("rules", "check", path)
    assert (answer.status, answer.out) == (2, "")
    first, second = sorted(answer.err.splitlines())
    assert first.startswith(f"{path}: dice.count: 9; allowed: ")
    assert second.startswith(f"{path}: match.luck: ")
    # Elsewhere one line must do.
    for words in (("rules", "show", path), ("solve", path)):
        assert "1 more" in kosti(*words).refusal


@pytest.mark.parametrize("words", [["rules", "show"], ["rules", "check"], ["solve"]])
def test_a_ruleset_that_cannot_be_read_is_refused(words: list[str], kosti: Run, tmp_path: Path) -> None:
    (tmp_path / "text.toml").write_text("no toml")
    (tmp_path / "bytes.toml").write_bytes(b"\xff\xfe\x00")
    assert "did you mean pig?" in kosti(*words, "pgi").refusal
    for name in ("missing.toml", "text.toml", "bytes.toml", "."):
        assert kosti(*words, tmp_path / name).refusal


# ---- solving ----


def test_a_solve_is_told_as_data_and_kept(kosti: Run, tmp_path: Path) -> None:
    out = tmp_path / "new" / "pig.safetensors"
    found = json.loads(kosti("solve", "pig", "--players", 2, "--json", "--out", out).result)
    keys = {"ruleset", "players", "objective", "start", "error_bound", "player_states", "iterations", "seconds"}
    assert set(found) == keys
    assert (found["ruleset"], found["players"], found["objective"]) == ("pig", 2, "win")
    assert found["start"] == pytest.approx(0.530592725274, abs=1e-9)
    assert 0.0 < found["error_bound"] <= 1e-9
    assert found["player_states"] == 100
    assert found["iterations"] > 0
    table = solver.read_table(out)
    assert table.values[0, 0] == found["start"]
    assert kosti("table", "verify", out).result.startswith(f"{out}: all values proven within ")


@pytest.mark.parametrize(
    ("words", "text"),
    [
        (["--players", "2"], "Chance to win, moving first: 0."),
        (["--players", "1"], "Expected turns: "),
        ([], "Expected turns: "),
        (["--objective", "points"], "Points of a turn: 6.6"),
    ],
)
def test_a_solve_is_told_in_words_and_cached(words: list[str], text: str, kosti: Run, short: Path, cache: Path) -> None:
    said = kosti("solve", short, *words).result
    assert text in said
    assert "proven to " in said
    (kept,) = cache.iterdir()
    assert str(kept) in said


@pytest.mark.parametrize(
    ("words", "named"),
    [
        (["--players", "3"], "--players"),
        (["--players", "0"], "--players"),
        (["--objective", "luck"], "objective"),
        (["--players", "1", "--objective", "win"], "--objective"),
        (["--players", "2", "--objective", "turns"], "--objective"),
        (["--out", "."], "--out"),
        (["--lcuk"], "--lcuk"),
        (["more"], "more"),
    ],
)
def test_a_solve_of_nothing_sensible_is_refused(words: list[str], named: str, kosti: Run, short: Path) -> None:
    assert named in kosti("solve", short, *words).refusal


def test_a_game_for_one_is_not_solved_for_two(kosti: Run, tmp_path: Path) -> None:
    (tmp_path / "alone.toml").write_text(f"{SHORT}most_players = 1\n")
    assert "--players" in kosti("solve", tmp_path / "alone.toml", "--players", 2).refusal
    assert kosti("solve", tmp_path / "alone.toml").result


def test_a_solve_that_proves_nothing_leaves_no_table(kosti: Run, short: Path, tmp_path: Path) -> None:
    out = tmp_path / "table.safetensors"
    words = ["solve", short, "--players", 2, "--tolerance", "1e-15", "--out", out]
    assert "no error bound" in kosti(*words).refusal
    assert not out.exists()


def test_a_match_that_may_stand_still_is_bracketed(kosti: Run, tmp_path: Path) -> None:
    (tmp_path / "waiting.toml").write_text(WAITING)
    out = tmp_path / "table.safetensors"
    words = ["solve", tmp_path / "waiting.toml", "--players", 2, "--out", out]
    assert "need not end" in kosti(*words).result
    assert json.loads(kosti(*words, "--json").result)["quality"] == "bracketed"
    assert "all values proven" in kosti("table", "verify", out).result
    assert json.loads(kosti("table", "info", out, "--json").result)["quality"] == "bracketed"


def test_a_table_that_cannot_be_written_is_told_in_one_line(kosti: Run, short: Path) -> None:
    assert "cannot be written" in kosti("solve", short, "--out", short / "table").refusal


@pytest.mark.parametrize(
    ("command", "missing"),
    [
        (("plot", "nowhere", "stops"), True),
        (("table", "export", "nowhere"), True),
        (("solve", "nowhere"), False),  # makes the folders that are missing
    ],
)
def test_a_file_that_cannot_be_written_is_told_before_any_work(
    kosti: Run, tmp_path: Path, command: tuple[str, ...], missing: bool
) -> None:
    (tmp_path / "file").write_text("in the way")
    (tmp_path / "pipe").symlink_to("/dev/null")
    for out, why in (("file/a.png", "Not a directory"), ("pipe", "not a regular file")):
        refusal = kosti(*command, "--out", tmp_path / out).refusal
        assert f"{tmp_path / out}: cannot be written: {why}" in refusal
    refusal = kosti(*command, "--out", tmp_path / "missing" / "deep" / "a.png").refusal
    assert ("cannot be written: No such file or directory" in refusal) == missing
    assert not (tmp_path / "missing").exists()


# ---- tables ----


def test_what_a_table_says_about_itself_is_told(kosti: Run) -> None:
    path = shipped_table("pig.win")
    found = json.loads(kosti("table", "info", path, "--json").result)
    assert found["ruleset_sha256"] == solver.read_table(path).info.ruleset_sha256
    assert (found["objective"], found["players"], found["player_states"]) == ("win", 2, 100)
    assert "objective: win\n" in kosti("table", "info", path).result


@pytest.mark.parametrize("what", ["info", "verify", "export"])
def test_what_is_no_table_is_refused(what: str, kosti: Run, short: Path, tmp_path: Path) -> None:
    for path in (short, tmp_path, tmp_path / "missing"):
        assert path.name in kosti("table", what, path).refusal


@pytest.mark.parametrize("words", [[], ["rules"], ["table"]])
def test_a_command_without_words_shows_what_it_can_do(words: list[str], kosti: Run) -> None:
    answer = kosti(*words)
    assert (answer.status, answer.out) == (2, "")
    assert "Usage:" in answer.err


@pytest.mark.parametrize(
    ("words", "option"),
    [
        ("solve pig --players 1 --players 2", "--players"),
        ("evaluate pig --policy optimal --policy throw", "--policy"),
        ("table export pig.safetensors --format csv --format json", "--format"),
    ],
)
def test_an_option_with_two_values_is_refused(words: str, option: str, kosti: Run) -> None:
    assert kosti(*words.split()).refusal == f"{option}: given twice; allowed: once\n"


@pytest.mark.parametrize("words", [["luck"], ["rules", "luck"], ["table", "luck"], ["table", "export"]])
def test_an_unknown_command_is_refused(words: list[str], kosti: Run) -> None:
    assert kosti(*words).refusal


# ---- cut short ----


def test_a_reader_who_has_had_enough_is_no_error(tmp_path: Path) -> None:
    with start("kosti", "table", "export", shipped_table("pig.win"), cwd=tmp_path) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "score,opponent_score,value\n"
        process.stdout.close()
        assert process.stderr is not None
        assert (process.wait(LONG), process.stderr.read()) == (0, "")


def test_a_reader_who_is_gone_from_the_start_is_no_error(tmp_path: Path) -> None:
    with start("advise", cwd=tmp_path, before="import sys; sys.stdin.readline()") as process:
        assert process.stdout is not None
        assert process.stdin is not None
        process.stdout.close()
        process.stdin.write("\n")
        process.stdin.close()
        assert process.stderr is not None
        assert (process.wait(LONG), process.stderr.read()) == (0, "")


def test_a_full_disk_is_told_and_no_answer_is_taken_for_written(tmp_path: Path) -> None:
    full = Path("/dev/full")
    if not full.exists():
        pytest.skip("no device that is always full")
    with full.open("w") as disk:
        command = [sys.executable, "-c", "from solver.entry import advise; advise()"]
        answer = subprocess.run(
            command, cwd=tmp_path, env=environment(), stdout=disk, stderr=subprocess.PIPE, text=True, check=False
        )
    assert (answer.returncode, answer.stderr) == (2, "the output cannot be written: No space left on device\n")


@pytest.mark.parametrize(("words", "status"), [((), 0), (("--score", "x"), 2), (("--version",), 0)])
def test_advice_ends_with_its_status_and_all_it_wrote(words: tuple[str, ...], status: int, tmp_path: Path) -> None:
    answers = []
    # Whoever looks on, as a profiler does, sees the process end as usual; else it ends at once.
    for before in ("", "import sys; sys.setprofile(lambda *_event: None)"):
        remark = f"import atexit; atexit.register(print, 'usual end'); {before}"
        process = start("advise", *words, cwd=tmp_path, before=remark)
        out, error = process.communicate(timeout=LONG)
        answers.append((process.returncode, out.removesuffix("usual end\n"), error))
        assert out.endswith("usual end\n") == bool(before)
    assert answers[0] == answers[1]
    assert answers[0][0] == status
    assert any(answers[0][1:])


def test_an_interrupted_solve_says_so_and_leaves_nothing(tmp_path: Path) -> None:
    # The slow imports come first, so that the interrupt hits the solve.
    ready = "import numpy, rich.progress, solver.race.solve, solver.race.tables\nprint('ready', flush=True)"
    out = tmp_path / "table.safetensors"
    words = ("solve", "thousand-classic-barrel", "--players", 2, "--out", out)
    with start("kosti", *words, cwd=tmp_path, before=ready) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        time.sleep(3.0)
        assert process.poll() is None
        process.send_signal(signal.SIGINT)
        said, complaint = process.communicate(timeout=LONG)
    assert (process.returncode, said) == (130, "")
    # An empty line may come first, to part the message from the ^C that terminals show.
    assert complaint.strip() == "stopped; nothing was written"
    assert list(tmp_path.iterdir()) == []


def test_an_interrupt_while_the_command_is_loaded_says_so_too(tmp_path: Path) -> None:
    # Whoever presses Ctrl-C at once does so while the command line library is imported.
    find = "def find_spec(self, name, *_more):\n        if name == 'click': raise KeyboardInterrupt"
    before = f"import sys\nclass Slow:\n    {find}\n"
    process = start("advise", cwd=tmp_path, before=f"{before}import solver\nsys.meta_path.insert(0, Slow())")
    out, error = process.communicate(timeout=60)
    assert (process.returncode, out, error) == (130, "", "stopped; nothing was written\n")
