"""What readers hand in, and what a teacher gets to see of it."""

import csv
import json
import os
import re
from html.parser import HTMLParser

import pytest
from typer.testing import CliRunner

from agentrl_lite import collect, reader
from agentrl_lite.appendix.exercises import prediction
from agentrl_lite.cli import app
from agentrl_lite.collect import handed_in, histogram
from agentrl_lite.collect.overview import bin_guesses
from agentrl_lite.collect.report import FILES
from agentrl_lite.reader.handin import hand_in
from agentrl_lite.reader.record import Guess, Record, Text, from_json, to_json

T0 = 1_790_000_000.0
HOSTILE = "<script>alert(1)</script><img src=x onerror=alert(2)>\"'&"


def record(words=(), guess=None, opened=(), peeked=(), ticks=(), at_s=T0):
    return Record(
        answers={part: Text(text, "d-1", 1, at_s) for part, text in dict(words).items()},
        guesses={} if guess is None else {"q03-share": Guess(guess, at_s)},
        opened_s=dict.fromkeys(opened, T0),
        opened_unwritten_s=dict.fromkeys(peeked, T0),
        ticks=frozenset(ticks),
    )


def export(path, **records):
    """Write an export as the site and `agentrl-lite answers` do."""
    data = {"version": 1, "records": [to_json(one, name) for name, one in records.items()]}
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(data, ensure_ascii=False), encoding="utf-8")


@pytest.fixture
def folder(tmp_path):
    """Return a folder in which two people handed in: one an export, one the reader's own files."""
    made = tmp_path / "answers"
    export(
        made / "ada.json",
        q03=record(
            {"mechanism": "They agree.", "metric": "  "},
            guess=40.0,
            opened=["mechanism", "action"],
            peeked=["action"],
            ticks=[("mechanism", 0), ("mechanism", 1)],
        ),
        q04=record({"action": "none"}),
    )
    (made / "bob" / "agentrl-reader").mkdir(parents=True)
    (made / "bob" / "agentrl-reader" / "q03.json").write_text(
        json.dumps(to_json(record({"mechanism": "x"}, guess=70.0), "q03"))
    )
    return made


def collected(folder, tmp_path):
    found = collect.read_folder(folder)
    page = collect.write_report(found, collect.overview(found, {}), tmp_path / "report")
    return found, page


def table(page, name):
    text = (page.parent / name).read_text(encoding="utf-8-sig")
    return list(csv.DictReader(text.splitlines()))


class Tags(HTMLParser):
    """Lists the elements of a page, its attributes that run something, and its text."""

    def __init__(self, page):
        super().__init__()
        self.tags, self.running, self.words = set(), [], ""
        self.feed(page)

    def handle_starttag(self, tag, attributes):
        self.tags.add(tag)
        self.running += [name for name, _value in attributes if name.startswith("on")]
        self.running += [v for n, v in attributes if n in ("src", "href")]

    def handle_data(self, data):
        self.words += data


# ---- what counts -------------------------------------------------------------------------------


def test_who_answered_and_what_is_empty(folder, tmp_path):
    _found, page = collected(folder, tmp_path)
    ada, bob, ada4 = table(page, "answers.csv")
    assert (ada["question"], ada["person"]) == ("q03", "ada")
    assert ada["empty"] == "measurement action metric"
    assert (ada["mechanism_words"], ada["mechanism_points"]) == ("2", "2")
    assert (ada["action_opened_first"], ada["mechanism_opened_first"]) == ("1", "0")
    assert (bob["person"], bob["mechanism_words"]) == ("bob", "1")
    assert (ada4["question"], ada4["person"], ada4["action_words"]) == ("q04", "ada", "1")
    words = Tags(page.read_text()).words
    assert "opened before writing" in words
    assert "Nothing from: bob." in words


def test_guesses_are_one_histogram(folder, tmp_path):
    _found, page = collected(folder, tmp_path)
    assert [row["value"] for row in table(page, "guesses.csv")] == ["40.0", "70.0"]
    text = page.read_text()
    assert text.count("<svg") == 1
    assert "2 guesses, from 40 to 70; the middle one is 55." in text
    assert prediction("q03-share").question in Tags(text).words


@pytest.mark.parametrize(
    "values", [[1.0], [2.0, 2.0], [0.0, 50.0, 100.0], [5e-324, 1e308, -1e308], [1e308] * 3]
)
def test_every_guess_that_makes_sense_is_in_one_bin(values):
    guesses = bin_guesses("somebody-elses", values)
    assert sum(guesses.counts) == len(values)
    assert guesses.beyond == 0
    assert re.search(r"(nan|inf)", histogram.svg(guesses)) is None


def test_a_guess_out_of_range_is_counted_apart():
    guesses = bin_guesses("q03-share", [40.0, 1e9])
    assert (sum(guesses.counts), guesses.beyond) == (1, 1)
    assert "1 outside the range" in histogram.summary(guesses)


# ---- what does not -----------------------------------------------------------------------------


BAD = {
    "words.md": (b"# q03", "Ask for the export as JSON"),
    "broken.json": (b'{"records": [', "no JSON"),
    "latin.json": (b'{"question": "caf\xe9"}', "not in UTF-8"),
    "list.json": (b"[1, 2]", "no answers to a question"),
    "empty.json": (b'{"records": []}', "holds no answers"),
    "other.json": (b'{"question": "q99", "version": 1}', "no answers to a question"),
    "path.json": (b'{"question": "../../etc/passwd", "version": 1}', "no answers to a question"),
    "newer.json": (b'{"question": "q03", "version": 99}', "version must be at most 1"),
    "deep.json": (b"[" * 100_000, "nested too deeply"),
    "number.json": (b'{"question": "q03", "version": 1' + b"0" * 5000 + b"}", "."),
    "huge.json": (
        json.dumps(to_json(record(guess=0.5), "q03")).replace("0.5", "1" + "0" * 400).encode(),
        "too large",
    ),
    "nan.json": (
        json.dumps(to_json(record(guess=0.5), "q03")).replace("0.5", "NaN").encode(),
        "finite",
    ),
}


@pytest.mark.parametrize("name", BAD)
def test_a_file_that_cannot_be_read_is_named(folder, tmp_path, name):
    data, reason = BAD[name]
    (folder / name).write_bytes(data)
    found, page = collected(folder, tmp_path)
    assert [item.file for item in found.unread] == [name]
    assert reason in found.unread[0].reason
    assert len(found.unread[0].reason) <= 300
    assert [row["file"] for row in table(page, "not_read.csv")] == [name]
    assert name in Tags(page.read_text()).words
    assert set(found.records) == {"ada", "bob"}


def test_a_file_of_many_megabytes_is_not_read(folder, tmp_path, monkeypatch):
    monkeypatch.setattr(handed_in, "LARGEST_BYTES", 1000)
    (folder / "big.json").write_bytes(b" " * 1001)
    found, _page = collected(folder, tmp_path)
    assert [item.file for item in found.unread if "larger" in item.reason][-1] == "big.json"


def test_no_link_and_no_pipe_is_followed(folder, tmp_path):
    secret = tmp_path / "secret.json"
    export(secret, q03=record({"mechanism": "not in the folder"}))
    (folder / "link.json").symlink_to(secret)
    (folder / "linked").symlink_to(tmp_path)
    os.mkfifo(folder / "pipe.json")
    found, page = collected(folder, tmp_path)
    assert {item.file for item in found.unread} == {"link.json", "linked", "pipe.json"}
    assert "not in the folder" not in page.read_text()


def test_one_bad_record_spoils_its_whole_file(folder, tmp_path):
    """Half of somebody's answers would look like all of them."""
    path = folder / "ada.json"
    data = json.loads(path.read_text())
    data["records"][1]["answers"] = 7
    path.write_text(json.dumps(data))
    found, _page = collected(folder, tmp_path)
    assert set(found.records) == {"bob"}
    assert found.unread[0].file == "ada.json"


# ---- twice -------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["Ada.json", "ada (1).json", "a-d-a.json"])
def test_a_person_who_may_be_there_twice_is_named(folder, tmp_path, name):
    export(folder / name, q03=record({"mechanism": "again"}))
    found, page = collected(folder, tmp_path)
    assert any("may be one person" in text and "ada" in text for text in found.duplicates)
    assert "may be one person" in Tags(page.read_text()).words


def test_the_same_file_under_two_names_is_named(folder, tmp_path):
    (folder / "eve.json").write_bytes((folder / "ada.json").read_bytes())
    found, _page = collected(folder, tmp_path)
    assert found.duplicates == ["eve.json is the same file as ada.json."]


def test_of_one_question_twice_the_latest_words_count(folder, tmp_path):
    export(folder / "bob" / "later.json", q03=record({"mechanism": "later"}, at_s=T0 + 9))
    export(folder / "bob" / "zz.json", q03=record({"mechanism": "earlier"}, at_s=T0 - 9))
    found, _page = collected(folder, tmp_path)
    assert found.records["bob"]["q03"].text("mechanism") == "later"
    assert any("bob handed in q03 more than once" in text for text in found.duplicates)


# ---- hostile words -----------------------------------------------------------------------------


def test_nothing_a_reader_wrote_runs_in_the_page(folder, tmp_path):
    name = "<img src=x onerror=alert(3)>"
    hostile = record({"mechanism": HOSTILE, "action": "\ud800"})
    hostile = Record(answers=hostile.answers, guesses={HOSTILE: Guess(1.0, T0)})
    path = folder / f"{name}.json"
    data = {"version": 1, "records": [to_json(hostile, "q03")]}
    path.write_text(json.dumps(data))  # JSON can hold half of a surrogate pair
    (folder / "<b>.json").write_text("{}")
    _found, page = collected(folder, tmp_path)
    seen = Tags(page.read_text())
    assert not seen.tags & {"script", "img", "b", "iframe"}
    assert seen.running == []
    assert HOSTILE in seen.words
    assert "default-src 'none'" in page.read_text()


@pytest.mark.parametrize("start", "=+-@")
def test_no_cell_of_a_table_starts_a_formula(folder, tmp_path, start):
    export(folder / f"{start}HYPERLINK(1).json", q03=record({"mechanism": "x"}, guess=1.0))
    _found, page = collected(folder, tmp_path)
    for name in ("answers.csv", "guesses.csv"):
        people = {row["person"] for row in table(page, name)}
        assert f"'{start}HYPERLINK(1)" in people
        assert not any(person.startswith(start) for person in people)


def test_names_cannot_steer_a_terminal():
    assert handed_in.printable("a\x1b[2J\u202eb\n") == "a\ufffd[2J\ufffdb\ufffd"


# ---- folders and files -------------------------------------------------------------------------


def test_a_report_replaces_only_a_report(folder, tmp_path):
    found, page = collected(folder, tmp_path)
    assert {p.name for p in page.parent.iterdir()} == set(FILES)
    collect.write_report(found, (), page.parent)
    (page.parent / "thesis.md").write_text("mine")
    with pytest.raises(ValueError, match=r"earlier report; .* holds thesis\.md"):
        collect.write_report(found, (), page.parent)


def test_an_empty_folder_and_none_at_all_are_refused(tmp_path):
    with pytest.raises(ValueError, match="folder must be a folder"):
        collect.read_folder(tmp_path / "nowhere")
    with pytest.raises(ValueError, match="is empty"):
        collect.read_folder(tmp_path)


def run(*arguments):
    return CliRunner().invoke(app, [str(a) for a in arguments])


def test_the_command_names_what_it_could_not_read(folder, tmp_path):
    assert run("collect", folder, "--out", tmp_path / "a").exit_code == 0
    (folder / "bad.json").write_text("{")
    result = run("collect", folder, "--out", tmp_path / "b")
    assert result.exit_code == 1
    assert result.stderr.startswith("bad.json: ")
    assert result.stdout.strip() == str(tmp_path / "b" / "report.html")


# ---- what a reader exports ---------------------------------------------------------------------


def test_what_a_reader_exports_is_collected(tmp_path):
    store = reader.open_store("q03")
    store.write("mechanism", "Ünïcödé ✓ they agree")
    store.commit_guess("q03-share", 40.0)
    store.save()
    handed = tmp_path / "class" / "cy.json"
    handed.parent.mkdir()
    assert hand_in(reader.folder(), handed) == []
    found = collect.read_folder(handed.parent)
    assert found.records["cy"]["q03"] == store.record
    assert from_json(json.loads(handed.read_text())["records"][0]) == store.record


def test_a_reader_can_read_the_export(tmp_path):
    store = reader.open_store("q04")
    store.write("action", "none")
    store.save()
    out = tmp_path / "all.md"
    assert run("answers", "--out", out).stdout.strip() == str(out)
    assert out.read_text().startswith("# Q4 · ")
    assert "> none" in out.read_text()


def test_an_export_names_the_file_that_it_lacks(tmp_path):
    reader.open_store("q03").write("metric", "x")
    reader.flush_all()
    (reader.folder() / "q05.json").write_text("{")
    result = run("answers", "--out", tmp_path / "all.json")
    assert result.exit_code == 1
    assert "q05.json cannot be read" in result.stderr
    assert len(json.loads((tmp_path / "all.json").read_text())["records"]) == 1


def test_an_export_wants_answers_and_an_ending(tmp_path):
    for out, problem in (("a.txt", "out must end in .json or .md"), ("a.json", "has none")):
        result = run("answers", "--out", tmp_path / out)
        assert result.exit_code == 2
        assert problem in result.stderr
