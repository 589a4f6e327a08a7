"""One gettext domain, `agentrl_lite`, for every string of the package that a reader sees.

A string is translated when it is shown, never when a module is imported: write `_("text")` inside
functions, and `N_("text")` where a module-level table keeps a string for later.
Numbers enter through `str.format`, so that a translation may reorder them.
"""

from __future__ import annotations

import gettext
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

DOMAIN = "agentrl_lite"
LOCALES = Path(__file__).parent / "locale"

_active: tuple[str, gettext.NullTranslations] = ("en", gettext.NullTranslations())


def _(message: str) -> str:
    """Return `message` in the active language.

    >>> _("Reset")
    'Reset'
    """
    # gettext keeps the catalogue's header under the empty string: it is not for readers.
    return _active[1].gettext(message) if message else ""


def N_(message: str) -> str:  # noqa: N802 - gettext's customary name
    """Mark `message` for the catalogue and return it as it is; `_` translates it when shown."""
    return message


def language() -> str:
    """Return the code of the active language, `en` unless `use` chose another."""
    return _active[0]


def use(lang: str) -> None:
    """Show every later string in `lang`.

    Args:
        lang: `en`, or the name of a folder below `agentrl_lite/locale`.

    Raises:
        ValueError: when there is no catalogue for `lang`.
    """
    global _active
    if lang == "en":
        _active = ("en", gettext.NullTranslations())
        return
    try:
        _active = (lang, gettext.translation(DOMAIN, localedir=str(LOCALES), languages=[lang]))
    except OSError:
        known = sorted({"en", *(p.parts[-3] for p in LOCALES.glob("*/LC_MESSAGES/*.mo"))})
        raise ValueError(f"lang must be one of {', '.join(known)}; it was {lang!r}") from None


@contextmanager
def using(lang: str) -> Iterator[None]:
    """Show strings in `lang` inside a `with` block, and in the former language after it."""
    global _active
    before = _active
    use(lang)
    try:
        yield
    finally:
        _active = before
