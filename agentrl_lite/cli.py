"""The command line: `agentrl-lite figures | numbers | notebooks | edition | workcopy`.

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


def command(function: Callable[P, None]) -> Callable[P, None]:
    """Register a command that tells a wrong input or file in one line, with exit code 2."""

    @functools.wraps(function)
    def run(*args: P.args, **kwargs: P.kwargs) -> None:
        try:
            function(*args, **kwargs)
        except (ValueError, OSError) as error:
            typer.echo(f"agentrl-lite {function.__name__}: {error}", err=True)
            raise typer.Exit(2) from None

    app.command()(run)
    return run


def _listed(text: str) -> list[str]:
    """Split `pdf, svg` at its commas."""
    return [part.strip() for part in text.split(",") if part.strip()]


@command
def figures(
    only: Annotated[
        str | None, typer.Option(help="A figure's id, or a question: q03. Default: all figures.")
    ] = None,
    formats: Annotated[
        str, typer.Option("--format", help="Any of pdf, svg, png, with commas between.")
    ] = "pdf,svg,png",
    out: Annotated[Path, typer.Option(help="The folder to write to.")] = Path("book/figures"),
    lang: Annotated[str, typer.Option(help="The language of the figures' text.")] = "en",
) -> None:
    """Write the print figures and a manifest; two runs give the same bytes."""
    from agentrl_lite.figures import export, ids

    known = ids()
    wanted = [i for i in known if only is None or only in (i, i.partition("-")[0])]
    if not wanted:
        raise ValueError(f"--only must be a question or one of {', '.join(known)}; it was {only!r}")
    manifest = export.export(wanted, _listed(formats), out, lang=lang, progress=True)
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
def edition(
    kind: Annotated[EditionKind, typer.Argument(help="Whom it is for.")],
    out: Annotated[Path, typer.Option(help="The folder to write.")],
    questions: Annotated[
        str | None, typer.Option(help="Some questions: q03,q04. Default: all.")
    ] = None,
    source: Annotated[Path, typer.Option(help="The notebooks' folder.")] = Path("notebooks/en"),
    force: Annotated[
        bool, typer.Option("--force", help="Replace an edition that is already in --out.")
    ] = False,
) -> None:
    """Write the notebooks for handing out; the students' edition holds no answer."""
    from agentrl_lite import editions

    chosen = _listed(questions) if questions is not None else None
    typer.echo(editions.build(kind.value, out, chosen, source=source, force=force))


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
