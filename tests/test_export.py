"""Tables as CSV and JSON: the same numbers, for programs that only look things up."""

import csv
import io
import json
from pathlib import Path

import pytest
from games import shipped_table
from processes import LONG, Run, start

import solver
from solver.table import Table


@pytest.fixture
def short(kosti: Run, tmp_path: Path) -> Path:
    """The table of a short game for two, which is exported in no time."""
    (tmp_path / "short.toml").write_text('extends = "pig"\n[match]\ntarget = 12\n')
    assert kosti("solve", tmp_path / "short.toml", "--players", 2, "--out", tmp_path / "short").result
    return tmp_path / "short"


@pytest.fixture(scope="module")
def pig() -> Table:
    return solver.read_table(shipped_table("pig.win"))


def test_values_of_a_match_are_exported_as_csv(pig: Table, kosti: Run) -> None:
    text = kosti("table", "export", shipped_table("pig.win")).result
    assert text.startswith("score,opponent_score,value\n")
    rows = list(csv.DictReader(io.StringIO(text)))
    assert len(rows) == 100 * 100
    found = {(int(row["score"]), int(row["opponent_score"])): float(row["value"]) for row in rows}
    # Every digit is there.
    assert all(value == pig.values[match] for match, value in found.items())
    assert found[99, 99] == pytest.approx(6 / 7, abs=1e-9)


def test_values_of_a_match_are_exported_as_json(pig: Table, kosti: Run, tmp_path: Path) -> None:
    out = tmp_path / "values.json"
    assert kosti("table", "export", shipped_table("pig.win"), "--out", out).result == f"{out}: written\n"
    rows = json.loads(out.read_text())
    assert len(rows) == 100 * 100
    assert set(rows[0]) == {"score", "opponent_score", "value"}
    assert all(row["value"] == pig.values[row["score"], row["opponent_score"]] for row in rows)


def test_values_alone_are_exported(kosti: Run) -> None:
    path = shipped_table("thousand-classic.turns")
    table = solver.read_table(path)
    rows = list(csv.DictReader(io.StringIO(kosti("table", "export", path).result)))
    assert len(rows) == len(table.rows())
    assert list(rows[0]) == ["score", "opened", "bolts", "value"]
    first = next(row for row in rows if (row["score"], row["opened"], row["bolts"]) == ("0", "0", "0"))
    assert float(first["value"]) == pytest.approx(35.767675874274, abs=1e-8)


def test_both_formats_tell_the_same_decisions(kosti: Run, short: Path, tmp_path: Path) -> None:
    words = ("table", "export", short, "--what", "decisions")
    rows = json.loads(kosti(*words, "--format", "json").result)
    assert len(rows) == 12 * 12
    assert set(rows[0]) == {"score", "opponent_score", "dice", "stop"}
    kosti(*words, "--out", tmp_path / "decisions.csv")
    with (tmp_path / "decisions.csv").open(newline="") as file:
        lines = list(csv.DictReader(file))
    assert len(lines) == len(rows)
    for row, line in zip(rows, lines, strict=True):
        assert (row["score"], row["opponent_score"]) == (int(line["score"]), int(line["opponent_score"]))
        runs = [f"{low}-{'' if high is None else high}" for low, high in row["stop"]]
        assert line["stop"] == " ".join(runs)


def test_who_wins_with_every_good_throw_is_told_to_stop(kosti: Run, short: Path) -> None:
    # One point is missing, and the lowest throw brings two.
    rows = json.loads(kosti("table", "export", short, "--what", "decisions", "--format", "json").result)
    (run,) = next(row["stop"] for row in rows if (row["score"], row["opponent_score"]) == (11, 5))
    assert run in ([1, None], [2, None])


def test_decisions_are_those_that_advice_gives(kosti: Run, advise: Run, tmp_path: Path) -> None:
    rows = json.loads(
        kosti("table", "export", shipped_table("pig.turns"), "--what", "decisions", "--format", "json").result
    )
    assert len(rows) == 100
    for score in (0, 41, 80, 99):
        plan = json.loads(advise("--ruleset", "pig", "--score", score, "--json").result)["plan"]
        assert plan == [{"dice": row["dice"], "stop": row["stop"]} for row in rows if row["score"] == score]


def test_the_published_decision_of_pig_is_exported(tmp_path: Path) -> None:
    # At 41 against 49: throw at 27, stop just below and above; see the tests of values.
    words = ("table", "export", shipped_table("pig.win"), "--what", "decisions", "--format", "json")
    with start("kosti", *words, cwd=tmp_path) as process:
        assert process.stdout is not None
        # The rows come one at a time; those after this one are not waited for.
        line = next(line for line in process.stdout if '"score": 41, "opponent_score": 49,' in line)
        process.terminate()
        process.communicate(timeout=LONG)
    found = json.loads(line.rstrip(",\n"))
    assert found["dice"] == 1
    assert found["stop"][0] == [22, 26]
    assert found["stop"][1][0] == 28


def test_an_export_to_a_file_is_whole_or_not_there(kosti: Run, short: Path, tmp_path: Path) -> None:
    (tmp_path / "folder.csv").mkdir()
    before = sorted(tmp_path.iterdir())
    for out in (tmp_path / "folder.csv", short / "values.csv", tmp_path / "no" / "folder" / "values.csv"):
        assert kosti("table", "export", short, "--out", out).refusal
    assert sorted(tmp_path.iterdir()) == before


def test_a_format_that_does_not_exist_is_refused(kosti: Run, short: Path) -> None:
    assert "--format" in kosti("table", "export", short, "--format", "xml").refusal
    assert "--what" in kosti("table", "export", short, "--what", "luck").refusal


def test_the_format_may_differ_from_the_name(kosti: Run, short: Path, tmp_path: Path) -> None:
    assert kosti("table", "export", short, "--format", "json", "--out", tmp_path / "values.csv").result
    assert len(json.loads((tmp_path / "values.csv").read_text())) == 12 * 12
    assert kosti("table", "export", short, "--out", tmp_path / "values").result
    assert (tmp_path / "values").read_text().startswith("score,")
