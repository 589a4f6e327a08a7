"""The command line, `agentrl-lite`: what the notebooks are made of, and made into.

Each command imports what it needs when it runs, so that `--help` answers at once.
"""

from __future__ import annotations

import functools
import shlex
import sys
from collections.abc import Callable
from enum import StrEnum
from pathlib import Path
from typing import Annotated, ParamSpec

import typer

P = ParamSpec("P")
#: What brings whatever a command may need; `make` does it by itself.
INSTALL = "pip install -c constraints.txt -e '.[lab,sweep,book,lite]'"

app = typer.Typer(
    name="agentrl-lite",
    help="What the companion's notebooks are made of, and made into.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)


class NumbersFormat(StrEnum):
    """How `numbers` writes."""

    table = "table"
    json = "json"
    csv = "csv"
    tex = "tex"


class EditionKind(StrEnum):
    """Whom an edition is for."""

    student = "student"
    instructor = "instructor"
    slides = "slides"
    handout = "handout"


def command(function: Callable[P, None]) -> Callable[P, None]:
    """Register a command that tells what is wrong or missing in one line, with exit code 2."""

    @functools.wraps(function)
    def run(*args: P.args, **kwargs: P.kwargs) -> None:
        try:
            function(*args, **kwargs)
        except (ValueError, OSError, ModuleNotFoundError) as error:
            hint = f"; {INSTALL} brings it" if isinstance(error, ModuleNotFoundError) else ""
            typer.echo(f"agentrl-lite {function.__name__}: {error}{hint}", err=True)
            raise typer.Exit(2) from None

    app.command()(run)
    return run


def _listed(text: str) -> list[str]:
    """Split `pdf, svg` at its commas."""
    return [part.strip() for part in text.split(",") if part.strip()]


@command
def figures(
    only: Annotated[
        str | None, typer.Option(help="Figures or questions: q03,q05-tail. Default: all figures.")
    ] = None,
    formats: Annotated[
        str, typer.Option("--format", help="Any of pdf, svg, png, with commas between.")
    ] = "pdf,svg,png",
    out: Annotated[Path, typer.Option(help="The folder to write to.")] = Path("book/figures"),
    lang: Annotated[str, typer.Option(help="The language of the figures' text.")] = "en",
) -> None:
    """Write the print figures and a manifest; two runs give the same bytes."""
    from agentrl_lite import i18n
    from agentrl_lite.figures import export

    wanted = [] if only is None else _listed(only) or [only]
    with i18n.collecting() as shown:
        manifest = export.export(wanted, _listed(formats), out, lang=lang, progress=True)
    if lang != "en":
        missing = i18n.untranslated(shown, lang)
        typer.echo(f"{len(shown) - len(missing)} of {len(shown)} strings are translated", err=True)
    typer.echo(manifest)


@command
def numbers(
    question: Annotated[str | None, typer.Option(help="One question: q03. Default: all.")] = None,
    format_: Annotated[
        NumbersFormat, typer.Option("--format", help="tex gives macros for a LaTeX appendix.")
    ] = NumbersFormat.table,
    check: Annotated[
        bool, typer.Option("--check", help="Report where printed digits and value part.")
    ] = False,
) -> None:
    """Print the appendix's numbers, computed."""
    from agentrl_lite.appendix import ledger

    entries = ledger.numbers(question)
    if not check:
        typer.echo(ledger.render(entries, format_.value), nl=False)
        return
    lines = ledger.disagreements(entries)
    for line in lines:
        typer.echo(line, err=True)
    if lines:
        raise typer.Exit(1)
    typer.echo(f"{len(entries)} numbers: printed digits and computed values agree")


@command
def notebooks(
    paths: Annotated[
        list[Path] | None,
        typer.Argument(help="Notebooks, or folders of them. Default: notebooks/en."),
    ] = None,
    check: Annotated[
        bool, typer.Option("--check", help="Write nothing; fail if a file would change.")
    ] = False,
    tidy: Annotated[
        bool, typer.Option("--tidy", help="Don't execute; only drop what differs between runs.")
    ] = False,
) -> None:
    """Execute notebooks in place and store their outputs. A second run changes no byte."""
    from agentrl_lite import notebooks as books

    found = books.find(paths or [books.SOURCE])
    renew = books.tidied if tidy else books.executed
    changed = books.refresh(found, renew, check=check, progress=True)
    for path in changed:
        typer.echo(f"{path}: {'differs' if check else 'written'}", err=check)
    if check and changed:
        raise typer.Exit(1)
    if not changed:
        typer.echo(f"{len(found)} notebooks: nothing changed")


@command
def sweeps(
    only: Annotated[
        str | None, typer.Option(help="One experiment: q27. Default: all of them.")
    ] = None,
    jobs: Annotated[int, typer.Option(help="Runs at once, each in a process of its own.")] = 2,
    check: Annotated[
        bool, typer.Option("--check", help="Train nothing; fail if options or code have changed.")
    ] = False,
) -> None:
    """Train every arm of the experiments over sixteen seeds and store the figures."""
    from agentrl_lite import experiments
    from agentrl_lite import sweeps as runs

    ids = [only] if only else experiments.experiment_ids()
    wanted = [experiments.experiment(one) for one in ids]
    if not check:
        for one in wanted:
            typer.echo(runs.store(runs.run_sweep(one, jobs=jobs, progress=True)))
        return
    changed = [line for one in wanted for line in runs.changes(one)]
    for line in changed:
        typer.echo(line, err=True)
    if changed:
        typer.echo("Run `make sweeps`, or `agentrl-lite sweeps --only` with one's id", err=True)
        raise typer.Exit(1)
    typer.echo(f"{len(wanted)} sweeps: options and code are those they were run with")


@command
def edition(
    kind: Annotated[EditionKind, typer.Argument(help="Whom, or what, it is for.")],
    out: Annotated[Path, typer.Option(help="The folder to write.")],
    questions: Annotated[
        str | None, typer.Option(help="Some questions: q03,q04. Default: all.")
    ] = None,
    zipped: Annotated[
        bool, typer.Option("--zip", help="Write one file, --out with .zip behind it.")
    ] = False,
    answers: Annotated[
        bool | None,
        typer.Option(
            "--answers/--no-answers",
            help="For slides (with, by default) and handout (without, by default).",
            show_default=False,
        ),
    ] = None,
    source: Annotated[Path, typer.Option(help="The notebooks' folder.")] = Path("notebooks/en"),
    force: Annotated[
        bool, typer.Option("--force", help="Replace an edition that is already there.")
    ] = False,
) -> None:
    """Write the notebooks for handing out or projecting; without answers, it tells none."""
    from agentrl_lite import editions

    chosen = _listed(questions) if questions is not None else None
    made = editions.build(
        kind.value, out, chosen, source=source, force=force, answers=answers, zipped=zipped
    )
    typer.echo(made)


@command
def answers(
    out: Annotated[Path, typer.Option(help="A file that ends in .json, to hand in, or in .md.")],
    source: Annotated[Path, typer.Option(help="The notebooks' folder.")] = Path("notebooks/en"),
) -> None:
    """Write all your own answers to one file."""
    from agentrl_lite import reader
    from agentrl_lite.reader.handin import hand_in

    problems = hand_in(reader.folder(), out, source / "answers")
    for line in problems:
        typer.echo(line, err=True)
    typer.echo(out)
    if problems:
        raise typer.Exit(1)


@command
def collect(
    folder: Annotated[Path, typer.Argument(help="A file or a folder in it for each person.")],
    out: Annotated[Path, typer.Option(help="The folder of the report.")] = Path("report"),
    source: Annotated[Path, typer.Option(help="The notebooks' folder.")] = Path("notebooks/en"),
) -> None:
    """Put a class's answers together: a page to read, and tables."""
    from agentrl_lite import answers as references
    from agentrl_lite import collect as collecting
    from agentrl_lite.appendix.catalog import QUESTIONS

    found = collecting.read_folder(folder)
    known = {q.id: references.load(q.id, source / "answers") for q in QUESTIONS}
    page = collecting.write_report(found, collecting.overview(found, known), out)
    for item in found.unread:
        typer.echo(f"{item.file}: {item.reason}", err=True)
    for line in found.duplicates:
        typer.echo(line, err=True)
    typer.echo(page)
    if found.unread:
        raise typer.Exit(1)


@command
def book(
    out: Annotated[Path, typer.Option(help="The folder of all sites.")] = Path("build/book"),
    lang: Annotated[str, typer.Option(help="The language of the site: a folder in it.")] = "en",
    jobs: Annotated[int, typer.Option(help="Pages that are made at once.")] = 2,
) -> None:
    """Write the book as a web site that needs neither Python nor a network."""
    from agentrl_lite.site import build

    typer.echo(build.build(out, lang, jobs) / "index.html")


@command
def lite(
    out: Annotated[Path, typer.Option(help="The folder of the site.")] = Path("build/book/lite"),
    source: Annotated[Path, typer.Option(help="The notebooks' folder.")] = Path("notebooks/en"),
    pyodide: Annotated[
        Path | None, typer.Option(help="All of Pyodide, if the site is to bring its own.")
    ] = None,
) -> None:
    """Write a site whose notebooks run in the reader's browser; it needs a web server."""
    from agentrl_lite.lite import build

    typer.echo(build.build(out, source, pyodide) / "index.html")


@command
def workcopy(
    source: Annotated[Path, typer.Option(help="The notebooks' folder.")] = Path("notebooks/en"),
    copy: Annotated[Path, typer.Option(help="The reader's own folder.")] = Path("my"),
    beside: Annotated[
        bool,
        typer.Option("--beside", help="Put newer versions of files you changed beside yours."),
    ] = False,
) -> None:
    """Bring the reader's own copy up to date; what the reader has changed is never overwritten."""
    from agentrl_lite import workcopy as copies

    report = copies.refresh(source, copy, beside=beside)
    for line in report.lines(command=f"{_program()} workcopy --beside"):
        typer.echo(line)


def _program() -> str:
    """Return how this program was called, for a hint that can be pasted."""
    called = sys.argv[0]
    as_module = called.endswith(".py")
    return shlex.join([sys.executable, "-m", "agentrl_lite.cli"] if as_module else [called])


if __name__ == "__main__":
    app(prog_name="agentrl-lite")
