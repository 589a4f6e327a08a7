"""What readers hand in, and what a teacher gets to see of it."""

import csv
import json
import os
import re
from html.parser import HTMLParser

import pytest
from typer.testing import CliRunner

from agentrl_lite import collect, reader
from agentrl_lite.answers import Part
from agentrl_lite.appendix.exercises import prediction
from agentrl_lite.cli import app
from agentrl_lite.collect import handed_in, histogram
from agentrl_lite.collect.overview import bin_guesses
from agentrl_lite.collect.report import FILES
from agentrl_lite.reader.handin import hand_in
from agentrl_lite.reader.record import PARTS, Guess, Record, Text, from_json, to_json

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
        leads = [value for name, value in attributes if name in ("src", "href")]
        self.running += [v for v in leads if not re.fullmatch(r"#[qx]\d+", v)]

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
    assert "Guesses: 2, from 40 to 70; the middle one is 55." in text
    assert prediction("q03-share").question in Tags(text).words


@pytest.mark.parametrize(
    "values", [[1.0], [2.0, 2.0], [0.0, 50.0, 100.0], [5e-324, 1e308, -1e308], [1e308] * 3]
)
def test_every_guess_that_makes_sense_is_in_one_bin(values):
    guesses = bin_guesses("somebody-elses", values)
    assert sum(guesses.counts) == len(values)
    assert guesses.beyond == 0
    assert re.search(r"(nan|inf)", histogram.svg(guesses)) is None


def test_bins_have_round_edges_and_hold_the_truth():
    guesses = bin_guesses("q03-share", [22.9, 40.0, 41.0, 60.0])
    assert guesses.edges == tuple(float(edge) for edge in range(20, 71, 5))
    assert guesses.truth == pytest.approx(100 * (0.9**4 + 0.1**4))
    assert sum(guesses.counts) == 4
    drawn = histogram.svg(guesses)
    # 44 to 596 is drawn: the truth lies at 45.62 of 50 parts.
    assert f'd="M{44 + 552 * 45.62 / 50:.1f} ' in drawn
    assert "Computed: 65.6 %." in histogram.summary(guesses)


def test_a_guess_out_of_range_is_counted_apart():
    guesses = bin_guesses("q03-share", [40.0, 1e9])
    assert (sum(guesses.counts), guesses.beyond) == (1, 1)
    assert "Outside the range that makes sense: 1." in histogram.summary(guesses)


def test_a_whole_class_at_a_glance(tmp_path):
    """Thirty people and fourteen notebooks: who left what empty is counted by a second way."""
    questions = [f"q{n:02}" for n in range(1, 13)] + ["x1", "x6"]
    made = tmp_path / "class"
    for n in range(30):
        own = {
            name: record({part: "some words" for k, part in enumerate(PARTS) if (n + k) % 5})
            if name[0] == "q"
            else Record(checks_s={f"{name}-any": T0})
            for name in questions[n % 4 :]
        }
        export(made / f"reader{n:02}.json", **own)
    found, page = collected(made, tmp_path)
    assert len(found.records) == 30
    rows = table(page, "answers.csv")
    assert len(rows) == sum(14 - n % 4 for n in range(30))
    of_q01 = [row for row in rows if row["question"] == "q01"]
    assert len(of_q01) == 8
    assert sum("measurement" in row["empty"] for row in of_q01) == sum(
        (n + 1) % 5 == 0 for n in range(0, 30, 4)
    )
    # An exercise has no card, so that nothing of it is empty.
    assert all(row["empty"] == "" for row in rows if row["question"] == "x1")
    text = re.sub(r"<[^>]*>", " ", page.read_text())
    assert re.search(r"Q1\s+8 of 30\s+\d empty", text)
    assert re.search(r"X6\s+30 of 30\s+Q1", text)


def test_a_class_list_ignores_capitals(tmp_path):
    for name in ("bob", "Ada", "Dan", "cy"):
        export(tmp_path / "class" / f"{name}.json", q03=record({"action": "x"}))
    _found, page = collected(tmp_path / "class", tmp_path)
    assert [row["person"] for row in table(page, "answers.csv")] == ["Ada", "bob", "cy", "Dan"]


def test_a_point_that_the_reference_lacks_is_none(tmp_path):
    """Somebody's edition had more of them; 3 of 2 points would puzzle."""
    ticks = [("mechanism", 0), ("mechanism", 1), ("mechanism", 2), ("action", 4)]
    export(tmp_path / "ada.json", q03=record({"mechanism": "x"}, ticks=ticks))
    part = Part("mechanism", "Text.", ("I said one.", "I said two."))
    found = collect.read_folder(tmp_path)
    (only,) = collect.overview(found, {"q03": {"mechanism": part}})
    assert only.rows[0].scores["mechanism"] == 2
    (only,) = collect.overview(found, {})  # without a reference nobody can say
    assert only.rows[0].scores["mechanism"] == 3


# ---- what does not -----------------------------------------------------------------------------


BAD = {
    "words.md": (b"# q03", "Ask for the export as JSON"),
    "broken.json": (b'{"records": [', "not JSON"),
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
    assert found.duplicates == ["eve.json holds the same answers as ada.json: q03, q04."]


def test_the_same_answers_in_another_form_are_named(folder, tmp_path):
    """All of them from one page, one question from another: the files differ."""
    everything = json.loads((folder / "ada.json").read_text())["records"]
    (folder / "max.json").write_text(json.dumps(everything[0], indent=1))
    found, page = collected(folder, tmp_path)
    assert found.duplicates == ["max.json holds the same answers as ada.json: q03."]
    assert "People: 3. Questions: 2." in page.read_text()


def test_a_guess_or_a_pass_of_the_same_moment_is_one_persons(tmp_path):
    passed = Record(checks_s={"x1-any": T0})
    for person, own in (("ada", passed), ("eve", passed), ("max", Record())):
        export(tmp_path / "class" / f"{person}.json", x1=own, q03=record(guess=len(person) + 40.0))
    export(tmp_path / "class" / "zoe.json", q03=record(guess=1.0), x1=Record())
    found = collect.read_folder(tmp_path / "class")
    assert found.duplicates == [
        "eve.json holds the same answers as ada.json: x1, q03.",
        "max.json holds the same answers as ada.json: q03.",
    ]


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
