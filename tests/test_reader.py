"""The reader's store: nothing written is lost, and the state says what happened."""

import asyncio
import errno
import json
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

import pytest

from agentrl_lite import reader
from agentrl_lite.reader import PARTS, files, open_store
from agentrl_lite.reader.files import read_record
from agentrl_lite.reader.store import SAVE_AFTER_S, Store

posix = pytest.mark.skipif(os.name != "posix", reason="POSIX limits and signals")


@pytest.fixture(autouse=True)
def temp_dir(tmp_path, monkeypatch):
    """Keep rescue copies inside the test's own folder, here and in processes it starts."""
    folder = tmp_path / "temp"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    monkeypatch.setenv("TMPDIR", str(folder))
    return folder


def on_disk(folder, question="q03"):
    return json.loads((folder / f"{question}.json").read_text("utf-8"))


def words(folder, part="action"):
    return on_disk(folder)["answers"][part]["text"]


def full_disk(*_arguments):
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def test_opening_and_reading_write_nothing(reader_dir):
    open_store("q03")
    assert reader.read("q03") == (reader.Record(), "")
    assert not reader_dir.exists()


def test_what_is_written_is_there_on_reopening(reader_dir):
    store = Store("q03", reader_dir)
    store.write("action", "Raise G to 8.\nBeta β, 中文, 🙂")
    store.tick("action", 1, True)
    store.run_clock(1_790_000_000.0)
    store.open_reference("action")
    store.open_reference("metric")
    store.commit_guess("q03-share", 50.0)
    store.pass_check("q03-smallest-G")
    again = Store("q03", reader_dir)
    assert again.record == store.record
    assert again.record.text("action") == "Raise G to 8.\nBeta β, 中文, 🙂"
    assert set(again.record.opened_s) == {"action", "metric"}
    assert set(again.record.opened_unwritten_s) == {"metric"}
    assert again.notices == []


def test_the_file_can_be_read_by_a_person(reader_dir):
    Store("q03", reader_dir).write("action", "Größer: G = 8")
    text = (reader_dir / "q03.json").read_text("utf-8")
    assert "Größer: G = 8" in text
    assert '\n "answers": {\n' in text


def test_one_store_per_question_and_folder(reader_dir, monkeypatch, tmp_path):
    store = open_store("q03")
    assert open_store("q03") is store
    assert open_store("q04") is not store
    monkeypatch.setenv("AGENTRL_READER_DIR", str(tmp_path / "elsewhere"))
    assert open_store("q03") is not store


def test_the_folder_is_in_the_home_folder_unless_chosen(monkeypatch):
    monkeypatch.delenv("AGENTRL_READER_DIR")
    assert reader.folder() == Path.home() / "agentrl-reader"


@pytest.fixture
def in_browser(monkeypatch, tmp_path):
    """Return the drive of a browser, which is there unless a test removes it."""
    monkeypatch.delenv("AGENTRL_READER_DIR", raising=False)
    drive = tmp_path / "drive"
    drive.mkdir()
    monkeypatch.setattr(files, "IN_BROWSER", True)
    monkeypatch.setattr(files, "DRIVE", drive)
    monkeypatch.setitem(sys.modules, "filelock", None)  # a browser has none
    monkeypatch.chdir(tmp_path)
    return drive


def test_in_a_browser_words_lie_on_the_drive_that_outlasts_the_tab(in_browser):
    store = Store("q03", reader.folder())
    store.write("action", "Filter flat groups.")
    assert store.save()
    assert (in_browser / "agentrl-reader" / "q03.json").is_file()
    again = Store("q03", reader.folder())
    assert again.record.text("action") == "Filter flat groups."
    assert again.notices == []


def test_where_a_browser_keeps_nothing_the_reader_is_told(in_browser):
    in_browser.rmdir()
    assert reader.folder() == Path.cwd() / "agentrl-reader"
    (told,) = Store("q03", reader.folder()).notices
    assert "vanish with the tab" in told


def test_half_a_surrogate_pair_can_be_saved(reader_dir):
    store = Store("q03", reader_dir)
    store.write("action", "broken \ud83d emoji")
    assert store.state.kind == "saved"
    assert words(reader_dir) == "broken ? emoji"


def test_a_guess_is_never_changed(reader_dir):
    store = Store("q03", reader_dir)
    first = store.commit_guess("q03-share", 50.0)
    assert store.commit_guess("q03-share", 65.6) == first
    assert on_disk(reader_dir)["guesses"]["q03-share"]["value"] == 50.0


def test_a_guess_that_cannot_be_saved_is_not_changed_either(reader_dir, monkeypatch):
    monkeypatch.setattr("agentrl_lite.reader.store.write_record", full_disk)
    store = Store("q03", reader_dir)
    store.commit_guess("q03-share", 50.0)
    assert store.commit_guess("q03-share", 65.6).value == 50.0


def test_the_first_of_two_windows_guesses_counts(reader_dir):
    one, two = Store("q03", reader_dir), Store("q03", reader_dir)
    one.commit_guess("q03-share", 50.0)
    time.sleep(0.002)  # times are kept to the millisecond
    assert two.commit_guess("q03-share", 65.6).value == 50.0


# --- a moment later, on the kernel's event loop -------------------------------------------------


def test_saved_within_a_second_of_the_last_key_and_while_typing(reader_dir):
    async def type_on():
        store = Store("q03", reader_dir)
        for number in range(40):  # two seconds of keys 50 ms apart, never a pause
            store.write("action", "x" * (number + 1))
            await asyncio.sleep(0.05)
            if number >= 20:
                assert len(words(reader_dir)) > number - 20, "a key waited more than a second"
        await asyncio.sleep(0.9)
        assert words(reader_dir) == "x" * 40
        assert store.state.kind == "saved"

    asyncio.run(type_on())


def test_a_burst_of_keys_is_saved_once(reader_dir, monkeypatch):
    saves = []
    monkeypatch.setattr("agentrl_lite.reader.store.write_record", lambda *_: saves.append(1))

    async def burst():
        store = Store("q03", reader_dir)
        for number in range(100):
            store.write("action", str(number))
        assert store.state.kind == "pending"
        await asyncio.sleep(0.7)

    asyncio.run(burst())
    assert saves == [1]


def test_flush_saves_what_waits(reader_dir):
    async def close_at_once():
        open_store("q03").write("action", "the last word")
        reader.flush_all()

    asyncio.run(close_at_once())
    assert words(reader_dir) == "the last word"


def test_the_end_of_the_process_saves_what_waits(reader_dir):
    program = (
        "import asyncio\n"
        "from agentrl_lite.reader import open_store\n"
        "async def main():\n"
        "    open_store('q03').write('action', 'the last word')\n"
        "asyncio.run(main())\n"
    )
    subprocess.run([sys.executable, "-c", program], check=True)
    assert words(reader_dir) == "the last word"


# --- crashes -------------------------------------------------------------------------------------


@posix
def test_killed_in_the_middle_of_saves(reader_dir):
    program = (
        "from agentrl_lite.reader import open_store\n"
        "store = open_store('q03')\n"
        "for number in range(10**6):\n"
        "    store.write('action', f'{number} ' + 'x' * 20000)\n"
        "    print(number, flush=True)\n"
    )
    confirmed = -1
    for stop_after in (5, 11, 23):
        with subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE) as process:
            for _ in range(stop_after):
                confirmed = int(process.stdout.readline())
            time.sleep(0.001 * stop_after)
            process.send_signal(signal.SIGKILL)
            rest = process.stdout.read().split()
        confirmed = int(rest[-1]) if rest and rest[-1].isdigit() else confirmed
        saved = int(words(reader_dir).split()[0])
        assert saved in (confirmed, confirmed + 1)
    store = Store("q03", reader_dir)  # the killed process holds no lock, and its leftovers go
    store.write("action", "after the crash")
    assert store.state.kind == "saved"
    assert list(reader_dir.glob("*.tmp")) + list(reader_dir.glob(".*.tmp")) == []


@posix
def test_killed_between_the_temporary_file_and_its_place(reader_dir):
    Store("q03", reader_dir).write("action", "old")
    program = (
        "import os, signal\n"
        "from agentrl_lite.reader import open_store\n"
        "store = open_store('q03')\n"
        "os.fsync = lambda _handle: os.kill(os.getpid(), signal.SIGKILL)\n"
        "store.write('action', 'new')\n"
    )
    killed = subprocess.run([sys.executable, "-c", program], check=False)
    assert killed.returncode == -signal.SIGKILL
    assert len(list(reader_dir.glob(".q03-*.tmp"))) == 1
    assert Store("q03", reader_dir).record.text("action") == "old"
    assert list(reader_dir.glob(".q03-*.tmp")) == []


# --- damaged files -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "damage", [b"", b"{", b"\xff\xfe", b"[]", b'{"version": 1}', b"[" * 100_000, b"\x00" * 512]
)
def test_a_damaged_file_is_set_aside_and_said_so(reader_dir, damage):
    reader_dir.mkdir()
    (reader_dir / "q03.json").write_bytes(damage)
    store = Store("q03", reader_dir)
    (notice,) = store.notices
    assert "q03.corrupt-1.json" in notice
    store.write("action", "written again")
    assert words(reader_dir) == "written again"
    assert (reader_dir / "q03.corrupt-1.json").read_bytes() == damage


def test_files_set_aside_earlier_stay(reader_dir):
    reader_dir.mkdir()
    for number in (1, 2, 3):
        (reader_dir / "q03.json").write_text(f"damage {number}")
        Store("q03", reader_dir)
    kept = [(reader_dir / f"q03.corrupt-{n}.json").read_text() for n in (1, 2, 3)]
    assert kept == ["damage 1", "damage 2", "damage 3"]


def test_a_file_damaged_or_gone_while_open_costs_no_words(reader_dir):
    store = Store("q03", reader_dir)
    store.write("action", "one")
    (reader_dir / "q03.json").write_text("damage")
    store.write("metric", "two")
    assert (words(reader_dir), words(reader_dir, "metric")) == ("one", "two")
    assert (reader_dir / "q03.corrupt-1.json").read_text() == "damage"
    assert len(store.notices) == 1
    (reader_dir / "q03.json").unlink()
    store.write("metric", "three")
    assert (words(reader_dir), words(reader_dir, "metric")) == ("one", "three")


def test_a_file_of_a_later_version_is_never_overwritten(reader_dir):
    reader_dir.mkdir()
    later = '{"version": 2, "answers": "in another way"}'
    (reader_dir / "q03.json").write_text(later)
    store = Store("q03", reader_dir)
    assert "version must be at most 1" in store.notices[0]
    store.write("action", "words")
    assert store.state.kind == "failed"
    assert store.state.copy.exists()
    assert (reader_dir / "q03.json").read_text() == later
    assert list(reader_dir.glob("*corrupt*")) == []


# --- a disk that takes nothing -------------------------------------------------------------------


def test_full_disk_says_so_keeps_a_copy_and_recovers(reader_dir, monkeypatch):
    Store("q03", reader_dir).write("metric", "older words")
    store = Store("q03", reader_dir)
    with monkeypatch.context() as full:
        full.setattr("agentrl_lite.reader.store.write_record", full_disk)
        store.write("action", "words in danger")
        assert store.state.kind == "failed"
        assert store.state.problem == os.strerror(errno.ENOSPC)
        assert "words in danger" in store.state.copy.read_text("utf-8")
        # The kernel dies now. Another one finds the words while the disk is still full.
        assert Store("q03", reader_dir).record.text("action") == "words in danger"
    again = Store("q03", reader_dir)
    assert again.record.text("action") == "words in danger"
    assert again.record.text("metric") == "older words"
    assert again.notices == ["Words that could not be saved last time are back."]
    assert words(reader_dir) == "words in danger"
    assert not store.state.copy.exists()
    # The first kernel did not die after all: it goes on, and nothing is said twice.
    copy = store.state.copy
    store.write("action", "words in danger no more")
    assert (store.state.kind, copy.exists()) == ("saved", False)
    assert Store("q03", reader_dir).record.kept == {}


def test_a_failed_save_is_tried_again_by_itself(reader_dir, monkeypatch):
    monkeypatch.setattr("agentrl_lite.reader.store.RETRY_AFTER_S", 0.05)
    attempts = []

    def full_twice(path, record):
        attempts.append(1)
        if len(attempts) < 3:
            full_disk()
        files.write_record(path, record)

    monkeypatch.setattr("agentrl_lite.reader.store.write_record", full_twice)

    async def wait():
        store = Store("q03", reader_dir)
        store.write("action", "patience")
        await asyncio.sleep(1.2)
        return store

    store = asyncio.run(wait())
    assert store.state.kind == "saved"
    assert words(reader_dir) == "patience"
    assert list(reader.rescue_folder(reader_dir).iterdir()) == []


def test_neither_folder_takes_anything(reader_dir, monkeypatch):
    monkeypatch.setattr("agentrl_lite.reader.store.write_record", full_disk)
    monkeypatch.setattr("agentrl_lite.reader.store.write_rescue", full_disk)
    store = Store("q03", reader_dir)
    store.write("action", "only in memory")
    assert (store.state.kind, store.state.copy) == ("failed", None)
    assert store.record.text("action") == "only in memory"


def test_words_rescued_meet_words_written_meanwhile(reader_dir, monkeypatch):
    store = Store("q03", reader_dir)
    with monkeypatch.context() as full:
        full.setattr("agentrl_lite.reader.store.write_record", full_disk)
        store.write("action", "rescued")
    (copy,) = reader.rescue_folder(reader_dir).iterdir()
    aside = copy.rename(copy.with_suffix(".later"))
    Store("q03", reader_dir).write("action", "meanwhile")
    aside.rename(copy)
    record = Store("q03", reader_dir).record
    texts = {record.text("action"), *(kept.text.text for kept in record.kept_for("action"))}
    assert texts == {"rescued", "meanwhile"}


def test_a_damaged_copy_is_left_and_said_so(reader_dir):
    copies = reader.rescue_folder(reader_dir)
    copies.mkdir(parents=True)
    (copies / "q03-ab.json").write_text("{")
    assert "q03-ab.json" in Store("q03", reader_dir).notices[0]
    assert (copies / "q03-ab.json").exists()


@posix
def test_a_disk_that_fills_up_leaves_the_old_file(reader_dir):
    """A limit on the size of files acts as a full disk does: a write stops in the middle."""
    Store("q03", reader_dir).write("action", "old words")
    program = (
        "import resource, signal\n"
        "from agentrl_lite.reader import open_store\n"
        "signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))\n"
        "store = open_store('q03')\n"
        "store.write('action', 'x' * 10000)\n"
        "print(store.state.kind, store.state.copy)\n"
        "store.write('action', 'short')\n"
        "print(store.state.kind)\n"
    )
    ran = subprocess.run(
        [sys.executable, "-c", program], check=True, capture_output=True, text=True
    )
    assert ran.stdout.split("\n")[:2] == ["failed None", "saved"]
    assert words(reader_dir) == "short"
    assert list(reader_dir.glob(".q03-*.tmp")) == []


@pytest.mark.parametrize("place", ["file", "file/folder"])
def test_a_folder_that_cannot_be(tmp_path, monkeypatch, place):
    (tmp_path / "file").write_text("in the way")
    monkeypatch.setenv("AGENTRL_READER_DIR", str(tmp_path / place))
    store = open_store("q03")
    store.write("action", "words")
    assert store.state.kind == "failed"
    assert store.state.problem == os.strerror(errno.ENOTDIR)
    assert "words" in store.state.copy.read_text("utf-8")


def test_a_folder_that_takes_no_lock_can_still_be_read(reader_dir, monkeypatch):
    Store("q03", reader_dir).write("action", "old words")

    def read_only(*_arguments, **_options):
        raise OSError(errno.EROFS, os.strerror(errno.EROFS))

    monkeypatch.setattr("agentrl_lite.reader.store.locked", read_only)
    store = Store("q03", reader_dir)
    assert store.record.text("action") == "old words"
    store.write("action", "new words")
    assert store.state.problem == os.strerror(errno.EROFS)


# --- two windows ---------------------------------------------------------------------------------


def test_two_windows_on_one_part_keep_both(reader_dir):
    one, two = Store("q03", reader_dir), Store("q03", reader_dir)
    one.write("action", "from one")
    two.write("action", "from two")
    assert two.record.text("action") == "from two"
    assert [kept.text.text for kept in two.record.kept_for("action")] == ["from one"]
    one.write("metric", "one goes on elsewhere")
    assert one.record.text("action") == "from two"
    assert [kept.text.text for kept in one.record.kept_for("action")] == ["from one"]
    one.put_away("action", one.record.kept_for("action")[0].text.draft)
    assert Store("q03", reader_dir).record.kept_for("action") == []
    assert on_disk(reader_dir)["kept"][0]["text"] == "from one"


def test_a_window_that_went_on_from_the_others_words_keeps_its_own(reader_dir):
    one, two = Store("q03", reader_dir), Store("q03", reader_dir)
    one.write("action", "from one")
    two.write("action", "from two")
    one.write("metric", "looks again")  # takes over what `two` wrote; its own words are kept
    one.write("action", "from two, and more")
    record = Store("q03", reader_dir).record
    assert record.text("action") == "from two, and more"
    assert [kept.text.text for kept in record.kept_for("action")] == ["from one"]


def test_two_windows_that_go_on_from_the_same_words_keep_both(reader_dir):
    one = Store("q03", reader_dir)
    one.write("action", "common")
    two = Store("q03", reader_dir)
    two.write("action", "common, then two")
    one.write("action", "common, then one")
    record = Store("q03", reader_dir).record
    there = {record.text("action"), *(kept.text.text for kept in record.kept_for("action"))}
    assert there == {"common, then one", "common, then two"}


def test_many_processes_write_at_once(reader_dir):
    program = (
        "import sys\n"
        "from agentrl_lite.reader import open_store\n"
        "store, name = open_store('q03'), sys.argv[1]\n"
        "print('open', flush=True)\n"
        "sys.stdin.readline()\n"
        "for number in range(15):\n"
        "    store.write('action', f'{name} {number}')\n"
        "    assert store.state.kind == 'saved', store.state\n"
        "store.tick('action', int(name), True)\n"
        "store.write(['mechanism', 'measurement', 'metric'][int(name)], f'only {name}')\n"
    )
    writers = [
        subprocess.Popen(
            [sys.executable, "-c", program, str(number)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        for number in range(3)
    ]
    for process in writers:
        assert process.stdout.readline() == "open\n"
    for process in writers:
        process.stdin.write("go\n")
        process.stdin.flush()
    for process in writers:
        process.communicate(timeout=60)
        assert process.returncode == 0
    record = Store("q03", reader_dir).record
    there = {record.text("action"), *(kept.text.text for kept in record.kept.values())}
    assert there == {"0 14", "1 14", "2 14"}  # nobody had another's words in front of them
    assert record.ticks == {("action", 0), ("action", 1), ("action", 2)}
    for number, part in enumerate(["mechanism", "measurement", "metric"]):
        assert record.text(part) == f"only {number}"


def test_a_request_on_a_loop_that_is_gone_does_not_keep_later_ones_waiting(tmp_path):
    """A kernel may end the loop of a widget's messages with the browser's tab, in mid-save."""
    store = Store("q03", tmp_path)

    async def write(text, stay_s):
        store.write("mechanism", text)
        await asyncio.sleep(stay_s)

    asyncio.run(write("first", 0.0))  # this loop ends before its timer
    assert not store.path.exists()
    asyncio.run(write("first and second", SAVE_AFTER_S + 0.3))
    assert read_record(store.path).text("mechanism") == "first and second"


def test_threads_that_write_at_once_lose_nothing(tmp_path):
    store = Store("q03", tmp_path)

    def work(part):
        for n in range(200):
            store.write(part, f"{part} {n}")
            store.tick(part, n % 3, given=True)

    threads = [threading.Thread(target=work, args=(part,)) for part in PARTS]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    store.flush()
    saved = read_record(store.path)
    assert [saved.text(part) for part in PARTS] == [f"{part} 199" for part in PARTS]
    assert len(saved.ticks) == 3 * len(PARTS)
