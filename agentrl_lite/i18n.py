"""One gettext domain, `agentrl_lite`, for every string of the package that a reader sees.

A string is translated when it is shown, never when a module is imported: write `_("text")` inside
functions, and `N_("text")` where a module-level table keeps a string for later.
Numbers enter through `str.format`, so that a translation may reorder them.
"""

from __future__ import annotations

import gettext
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

DOMAIN = "agentrl_lite"
LOCALES = Path(__file__).parent / "locale"

_active: tuple[str, gettext.NullTranslations] = ("en", gettext.NullTranslations())
_collected: set[str] | None = None


def _(message: str) -> str:
    """Return `message` in the active language.

    >>> _("Reset")
    'Reset'
    """
    if _collected is not None and message:
        _collected.add(message)
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
    _active = (lang, _translations(lang))


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


@contextmanager
def collecting() -> Iterator[set[str]]:
    """Collect the strings that are shown inside a `with` block, each as it is in English."""
    global _collected
    before, _collected = _collected, set()
    try:
        yield _collected
    finally:
        _collected = before


def untranslated(messages: Iterable[str], lang: str) -> list[str]:
    """Return those of `messages` that `lang` has no translation of, in order; all of them for `en`.

    Raises:
        ValueError: when there is no catalogue for `lang`.

    >>> untranslated(["Reset"], "en")
    ['Reset']
    """
    missing: list[str] = []
    translations = _translations(lang)
    translations.add_fallback(_Missing(missing))
    for message in messages:
        translations.gettext(message)
    return sorted(missing)


class _Missing(gettext.NullTranslations):
    """A last resort that keeps what it is asked for."""

    def __init__(self, messages: list[str]) -> None:
        super().__init__()
        self._messages = messages

    def gettext(self, message: str) -> str:
        self._messages.append(message)
        return message


def _translations(lang: str) -> gettext.NullTranslations:
    """Return the catalogue of `lang`, an object of its own for each call."""
    if lang == "en":
        return gettext.NullTranslations()
    try:
        return gettext.translation(DOMAIN, localedir=str(LOCALES), languages=[lang])
    except OSError:
        known = sorted({"en", *(p.parts[-3] for p in LOCALES.glob("*/LC_MESSAGES/*.mo"))})
        raise ValueError(f"lang must be one of {', '.join(known)}; it was {lang!r}") from None
