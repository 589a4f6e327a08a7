"""Gathers the pages of a language in one folder and lets Sphinx make the site of them."""

from __future__ import annotations

import hashlib
import shutil
from pathlib import Path

from sphinx.cmd.build import build_main

from agentrl_lite import i18n
from agentrl_lite.site import pages, pictures
from agentrl_lite.site.links import repository
from agentrl_lite.site.shown import wanted
from agentrl_lite.site.words import words_js

NOTEBOOKS = Path("notebooks")
BOOK = Path("book")


def build(out: Path, lang: str = "en", jobs: int = 2, frames: Path | None = None) -> Path:
    """Write the site of one language and return its folder, `out/<lang>`.

    What only the next build needs, the pictures among it, is kept in `out/.work`.

    Args:
        out: the folder of all sites.
        lang: a folder below `notebooks` and below `book`.
        jobs: processes that draw pictures, and read and write pages, at once.
        frames: where pictures are kept; by default in `out/.work`.

    Raises:
        ValueError: when there is no such language, or Sphinx has warned of anything.
    """
    source, settings = NOTEBOOKS / lang, BOOK / lang
    if not source.is_dir() or not (settings / "conf.py").is_file():
        raise ValueError(f"lang must have folders {source} and {settings}; it was {lang!r}")
    work = out / ".work" / lang
    site = out / lang
    with i18n.using(lang):
        gather(lang, work / "pages")
        pages.write_if_changed(work / "static" / "words.js", words_js(source))
        kept = (frames or out / ".work" / "frames").resolve()
        # Before Sphinx reads the pages: it deals out pages, of which some have fifty pictures.
        pictures.draw_all(wanted(work / "pages"), kept, jobs)
        options = {
            "agentrl_source": source.resolve(),
            "agentrl_static": (work / "static").resolve(),
            "agentrl_frames": kept,
            "agentrl_lite": "../lite" if (out / "lite" / "index.html").is_file() else "",
            "agentrl_repository": repository(Path("pyproject.toml")),
            "agentrl_code": _code_hash(),
        }
        arguments = ["-W", "--keep-going", "-q", "-b", "html", "-j", str(jobs)]
        arguments += ["-c", str(settings), "-d", str(work / "doctrees")]
        for name, value in options.items():
            arguments += ["-D", f"{name}={value}"]
        if build_main([*arguments, str(work / "pages"), str(site)]):
            raise ValueError("Sphinx has warned, or failed: see above")
    return site


def gather(lang: str, folder: Path) -> None:
    """Bring the pages of a language into `folder`: notebooks, written pages, and those made here.

    A file that has not changed keeps its time, so that Sphinx need not read it again.
    """
    wanted: set[Path] = set()
    for origin in (NOTEBOOKS / lang, BOOK / "pages" / lang):
        for path in sorted(origin.rglob("*")):
            inside = path.relative_to(origin)
            hidden = any(part.startswith(".") for part in inside.parts)
            skipped = inside.parts[0] == "answers" or inside.name == "index.md"
            if path.is_file() and not hidden and not skipped:
                _copy_if_changed(path, folder / inside)
                wanted.add(folder / inside)
    there = {path.stem for path in wanted if path.suffix in (".ipynb", ".md")}
    made = {"gallery": pages.gallery(there), **pages.api()}
    start = (NOTEBOOKS / lang / "index.md").read_text(encoding="utf-8")
    made["index"] = f"{start}\n{pages.contents({*there, *made})}"
    for name, text in made.items():
        pages.write_if_changed(folder / f"{name}.md", text)
        wanted.add(folder / f"{name}.md")
    for path in folder.rglob("*"):
        if path.is_file() and path not in wanted:
            path.unlink()


def _copy_if_changed(path: Path, copy: Path) -> None:
    if copy.is_file() and copy.read_bytes() == path.read_bytes():
        return
    copy.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(path, copy)


def _code_hash() -> str:
    """Return a hash of this folder: when it changes, pages must be read again."""
    digest = hashlib.sha256()
    for path in sorted(Path(__file__).parent.glob("*.py")):
        digest.update(path.read_bytes())
    return digest.hexdigest()
