"""Wheels for the browser, the same bytes each time: ours, what it needs, and what starts it."""

from __future__ import annotations

import base64
import hashlib
import zipfile
from collections.abc import Mapping
from email.parser import Parser
from importlib import metadata
from pathlib import Path, PurePosixPath

from packaging.requirements import Requirement

from agentrl_lite.lite.needs import Release

#: No file is older in a zip file.
OLDEST = (1980, 1, 1, 0, 0, 0)
#: What an installer adds to a distribution.
ADDED = {"INSTALLER", "RECORD", "REQUESTED", "direct_url.json"}


def installed(name: str) -> Release | None:
    """Return what is installed here under a name."""
    try:
        found = metadata.distribution(name)
    except metadata.PackageNotFoundError:
        return None
    return Release(found.version, found.requires or [], _is_pure(found))


def requirements(wheel: Path) -> list[str]:
    """Return what a wheel requires, as its metadata has it."""
    with zipfile.ZipFile(wheel) as file:
        (name,) = (n for n in file.namelist() if n.endswith(".dist-info/METADATA"))
        headers = Parser().parsestr(file.read(name).decode("utf-8"), headersonly=True)
    return headers.get_all("Requires-Dist") or []


def pack(name: str, folder: Path) -> Path:
    """Write a wheel of what is installed here under a name, and return its path.

    What lies outside of the packages' folder is left out: programs, and JupyterLab's extensions.

    Raises:
        ValueError: when it is not pure Python.
    """
    found = metadata.distribution(name)
    if not _is_pure(found):
        raise ValueError(f"name must be of pure Python; {name} {found.version} is not")
    content = {}
    for path in found.files or []:
        inside = PurePosixPath(path.as_posix())
        outside = ".." in inside.parts or inside.is_absolute()
        if not (outside or "__pycache__" in inside.parts or _is_added(inside)):
            content[str(inside)] = Path(str(path.locate())).read_bytes()
    stem = found.metadata["Name"].replace("-", "_").replace(".", "_")
    return write(folder, stem, found.version, content)


def starter(kernel_wheel: Path, start: str, folder: Path) -> Path:
    """Write the wheel that makes a kernel bring a package along, and return its path.

    A kernel installs `ipykernel` when it starts, of which there is only a placeholder in a browser.
    This is the placeholder, in a version of its own, which requires the package as well; so no
    notebook needs a cell that installs something.

    Args:
        kernel_wheel: the placeholder.
        start: what is to be there when the kernel has started.
        folder: where the wheel is written.
    """
    stem, version = kernel_wheel.name.split("-")[:2]
    ours = f"{version}.post1"
    content = {}
    with zipfile.ZipFile(kernel_wheel) as file:
        for name in file.namelist():
            data = file.read(name)
            inside = name.replace(f"{stem}-{version}.dist-info", f"{stem}-{ours}.dist-info")
            if inside.endswith(".dist-info/METADATA"):
                text = data.decode("utf-8").replace(
                    f"\nVersion: {version}\n",
                    f"\nVersion: {ours}\nRequires-Dist: {Requirement(start)}\n",
                    1,
                )
                data = text.encode("utf-8")
            if not _is_added(PurePosixPath(inside)):
                content[inside] = data
    return write(folder, stem, ours, content)


def write(folder: Path, stem: str, version: str, content: Mapping[str, bytes]) -> Path:
    """Write a wheel of pure Python, and return its path.

    Args:
        folder: where.
        stem: the distribution's name as file names have it.
        version: its version.
        content: every file but the record, by its path in the wheel.
    """
    # Beside the metadata: an installer may have spelled that folder in another way than the stem.
    (metadata_file,) = (name for name in content if name.endswith(".dist-info/METADATA"))
    record = str(PurePosixPath(metadata_file).with_name("RECORD"))
    lines = [f"{name},{_digest(data)},{len(data)}" for name, data in sorted(content.items())]
    whole = {**content, record: "\n".join([*lines, f"{record},,", ""]).encode("utf-8")}
    path = folder / f"{stem}-{version}-py3-none-any.whl"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as file:
        for name in (*sorted(content), record):
            entry = zipfile.ZipInfo(name, OLDEST)
            entry.external_attr = 0o644 << 16
            file.writestr(entry, whole[name], zipfile.ZIP_DEFLATED)
    return path


def _digest(data: bytes) -> str:
    """Return a checksum as a wheel's record has it."""
    digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest())
    return f"sha256={digest.rstrip(b'=').decode('ascii')}"


def _is_added(path: PurePosixPath) -> bool:
    return path.parent.suffix == ".dist-info" and path.name in ADDED


def _is_pure(found: metadata.Distribution) -> bool:
    text = found.read_text("WHEEL") or ""
    tags = Parser().parsestr(text).get_all("Tag") or []
    return bool(tags) and all(tag.endswith("-none-any") for tag in tags)
