"""Table files: what is written is read back, and damage is found."""

import json
import mmap
import os
from pathlib import Path

import numpy as np
import pytest
from games import coin, rules_from, shipped_table
from hypothesis import given, settings
from hypothesis import strategies as st
from processes import python
from safetensors import safe_open
from table_files import SMALL, read_or_refuse, refusal

import solver
from solver.errors import TableError
from solver.table import Table, read_info, read_table, write_table

SHIPPED = ["pig.win", "pig.turns", "thousand-classic.win", "thousand-classic.turns", "thousand-classic-barrel.turns"]


@pytest.fixture(scope="module")
def scratch(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file that properties may write again and again."""
    return tmp_path_factory.mktemp("tables") / "scratch.safetensors"


def small() -> Table:
    return read_table(shipped_table("pig.turns"))


def piglet() -> Table:
    return solver.solve_table(rules_from(coin(5)), "win")[0]


# ---- reading back ----


@pytest.mark.parametrize("name", SHIPPED)
def test_a_table_is_written_as_it_was_read(name: str, tmp_path: Path) -> None:
    table = read_table(shipped_table(name))
    path = tmp_path / "new" / "folder" / "table.safetensors"
    write_table(path, table)
    again = read_table(path)
    assert again.info == table.info == read_info(path)
    assert again.rows() == table.rows()
    assert bytes(again.values) == bytes(table.values)
    assert [entry.name for entry in path.parent.iterdir()] == [path.name]


def test_the_same_table_gives_the_same_bytes(tmp_path: Path) -> None:
    for name in ("one", "two"):
        write_table(tmp_path / name, piglet())
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()


def test_a_table_is_replaced_as_a_whole(tmp_path: Path) -> None:
    path = tmp_path / "table.safetensors"
    write_table(path, small())
    old = read_table(path)
    write_table(path, piglet())
    assert read_table(path).info.objective == "win"
    # What was mapped before is still the whole old table.
    assert bytes(old.values) == bytes(small().values)


def test_other_readers_find_the_same_arrays(tmp_path: Path) -> None:
    path = tmp_path / "table.safetensors"
    table = piglet()
    write_table(path, table)
    with safe_open(path, "np") as file:
        assert sorted(file.keys()) == ["states", "values"]
        assert json.loads(file.metadata()["kosti"])["objective"] == "win"
        assert file.get_tensor("states").tolist() == table.rows()
        assert np.array_equal(file.get_tensor("values"), np.asarray(table.values))
    # With NumPy alone, as the layout is described.
    with path.open("rb") as opened, mmap.mmap(opened.fileno(), 0, access=mmap.ACCESS_READ) as mapped:
        length = int.from_bytes(mapped[:8], "little")
        found = json.loads(mapped[8 : 8 + length])["values"]
        begin, end = (8 + length + offset for offset in found["data_offsets"])
        values = np.frombuffer(mapped[begin:end], "<f8").reshape(found["shape"])
    assert values.tolist() == table.values.tolist()


# ---- damage ----


def test_a_truncated_table_is_refused_at_every_length(scratch: Path) -> None:
    scratch.write_bytes(SMALL)
    for length in reversed(range(len(SMALL))):
        os.truncate(scratch, length)
        refusal(scratch)


def test_a_table_with_something_after_it_is_refused(scratch: Path) -> None:
    refusal(scratch, SMALL + b"\0")


def test_no_flipped_bit_goes_unnoticed(scratch: Path) -> None:
    scratch.write_bytes(SMALL)
    good = small()
    with scratch.open("r+b", buffering=0) as file:
        for place, byte in enumerate(SMALL):
            for bit in range(8):
                file.seek(place)
                file.write(bytes([byte ^ 1 << bit]))
                table = read_or_refuse(scratch)
                # 1e-12 may be spelled 1E-12: then nothing that the table says has changed.
                assert table is None or table[:3] == good[:3]
            file.seek(place)
            file.write(bytes([byte]))
    assert read_table(scratch).info == good.info


@settings(max_examples=40)
@given(data=st.data(), name=st.sampled_from([name for name in SHIPPED if name != "pig.turns"]))
def test_no_flipped_bit_of_a_larger_table_goes_unnoticed(scratch: Path, data: st.DataObject, name: str) -> None:
    content = bytearray(shipped_table(name).read_bytes())
    # Headers are small beside the arrays, so half of the flips are among the first bytes.
    last = data.draw(st.sampled_from([2000, len(content) - 1]))
    content[data.draw(st.integers(0, last))] ^= 1 << data.draw(st.integers(0, 7))
    scratch.write_bytes(content)
    table = read_or_refuse(scratch)
    assert table is None or table.info == read_info(shipped_table(name))


def test_a_flipped_bit_in_the_data_is_named_damage(scratch: Path) -> None:
    assert "checksum" in refusal(scratch, SMALL[:-1] + bytes([SMALL[-1] ^ 1]))


# ---- files that cannot be read or written ----


def test_what_is_not_a_regular_file_is_refused(tmp_path: Path) -> None:
    refusal(tmp_path)
    refusal(tmp_path / "missing.safetensors")
    refusal(tmp_path / "empty.safetensors", b"")
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    refusal(tmp_path / "loop")
    assert "too long" in refusal(tmp_path / ("long" * 100)).lower()


def test_a_pipe_is_refused_without_waiting_for_a_writer(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    # In a process of its own, which can be stopped if it waits.
    found = python(
        f"from solver.table import read_table; read_table(Path({str(tmp_path / 'pipe')!r}))", cwd=tmp_path, stuck=20
    )
    assert "TableError" in found.stderr
    assert "not a regular file" in found.stderr


def unwritable(path: Path) -> None:
    """Check that a table cannot be written, and that nothing is left of the attempt."""
    before = sorted(path.parent.iterdir()) if path.parent.is_dir() else []
    with pytest.raises(TableError) as caught:
        write_table(path, small())
    assert str(path) in str(caught.value)
    assert "\n" not in str(caught.value)
    assert (sorted(path.parent.iterdir()) if path.parent.is_dir() else []) == before


def test_a_table_that_cannot_be_written_leaves_nothing_behind(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "kept").write_text("kept")
    unwritable(tmp_path / "file" / "table.safetensors")  # its folder is a file
    unwritable(tmp_path / "file" / "folder" / "table.safetensors")
    unwritable(tmp_path / "folder")
    unwritable(tmp_path / ("long" * 100))
    assert (tmp_path / "file").read_text() == "in the way"
    assert (tmp_path / "folder" / "kept").read_text() == "kept"


def test_a_full_disk_leaves_the_old_table(tmp_path: Path) -> None:
    path = tmp_path / "table.safetensors"
    write_table(path, small())
    found = python(
        "import resource, solver",
        "from games import shipped_table",
        "resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))",
        "table = solver.read_table(shipped_table('pig.win'))",
        f"solver.write_table(Path({str(path)!r}), table)",
        cwd=tmp_path,
    )
    assert f"TableError: {path}: cannot be written: " in found.stderr
    assert list(tmp_path.iterdir()) == [path]
    assert read_table(path).info == small().info
