"""What has to be brought to a browser so that a package runs there, besides Pyodide."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from agentrl_lite.lite.pyodide import Contents


@dataclass(frozen=True)
class Release:
    """A distribution that can be brought along.

    Attributes:
        version: its version.
        requires: its requirements, as its metadata has them.
        pure: whether it is pure Python: anything else does not run in a browser.
    """

    version: str
    requires: Sequence[str]
    pure: bool


@dataclass
class Needs:
    """Who brings what a package needs.

    Attributes:
        pyodide: names that Pyodide has, in a version that is wanted.
        kernel: names that the kernel has with it.
        wheels: version by name of what the site must bring.
    """

    pyodide: set[str] = field(default_factory=set)
    kernel: set[str] = field(default_factory=set)
    wheels: dict[str, str] = field(default_factory=dict)


def resolve(
    requirements: Iterable[str],
    contents: Contents,
    kernel: Mapping[str, Sequence[str]],
    here: Callable[[str], Release | None],
) -> Needs:
    """Follow requirements as the browser's installer will: Pyodide's packages go first.

    Args:
        requirements: with markers, as in a wheel's metadata.
        contents: what Pyodide holds.
        kernel: versions by name that the kernel has with it.
        here: gives what is installed here by name; `None` where nothing is.

    Raises:
        ValueError: naming a requirement that nobody can bring, and what there is instead.
    """
    markers = contents.markers() | {"extra": ""}
    found = Needs()
    waiting = [Requirement(line) for line in requirements]
    while waiting:
        wanted = waiting.pop(0)
        name = canonicalize_name(wanted.name)
        if wanted.marker is not None and not wanted.marker.evaluate(markers):
            continue
        if _fits(wanted, [contents.packages[name]] if name in contents.packages else []):
            found.pyodide.add(name)  # its own needs are Pyodide's
        elif _fits(wanted, kernel.get(name, [])):
            found.kernel.add(name)
        else:  # one that is brought already must fit this requirement, too
            release = _fitting(wanted, here(name), contents)
            if name not in found.wheels:
                found.wheels[name] = release.version
                waiting += [Requirement(line) for line in release.requires]
    return found


def _fits(wanted: Requirement, versions: Sequence[str]) -> bool:
    return any(wanted.specifier.contains(version, prereleases=True) for version in versions)


def _fitting(wanted: Requirement, release: Release | None, contents: Contents) -> Release:
    """Return a release that can be brought along for a requirement."""
    theirs = contents.packages.get(canonicalize_name(wanted.name), "none")
    if release is None:
        what = "none is installed here"
    elif not _fits(wanted, [release.version]):
        what = f"installed here is {release.version}"
    elif not release.pure:
        what = f"{release.version}, installed here, is not pure Python"
    else:
        return release
    raise ValueError(
        f"'{wanted}' must be in Pyodide {contents.version} or installed here as pure Python; "
        f"Pyodide has {theirs}, and {what}"
    )
