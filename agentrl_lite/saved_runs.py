"""A run in a file: to stop, to go on later, and to try what an earlier state could do.

The file is NumPy's `.npz`: the arrays of a `State`, and a header in JSON with the options of the
run. Nothing in it is executed when it is read. It is replaced in one step, after its successor is
complete on disk.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, fields, replace
from io import BytesIO
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from agentrl_lite.atomic import replace_file
from agentrl_lite.losses import Clip
from agentrl_lite.rules import Rules
from agentrl_lite.run_config import Config
from agentrl_lite.trainer import State

Floats = NDArray[np.float64]
FORMAT = 1
ARRAYS = ("weights", "start", "moments")


class _NewerFormatError(Exception):
    """The file is from the future."""


class SavedRun(NamedTuple):
    """What a file holds.

    Attributes:
        config: options of the run.
        state: where it stands.
    """

    config: Config
    state: State


def save_run(path: str | Path, config: Config, state: State) -> None:
    """Write where a run stands.

    Args:
        path: the file; one that is there is replaced.
        config: options of the run.
        state: as a `Step` holds it.

    Raises:
        OSError: when it cannot be written, as on a full disk; an older file is then as it was.
    """
    path = Path(path)
    header = {"format": FORMAT, "config": asdict(config)}
    header |= {"step": state.step, "updates": state.updates}
    whole = BytesIO()
    np.savez(
        whole,
        header=np.array(json.dumps(header)),
        weights=np.stack(state.weights),
        start=state.start,
        moments=np.stack(state.moments),
    )
    try:
        replace_file(path, whole.getvalue())
    except OSError as error:
        kept = "; the file of before is as it was" if path.exists() else ""
        what = f"the run was not saved ({error.strerror}){kept}"
        raise OSError(error.errno, what, str(path)) from error


def load_run(path: str | Path, config: Config | None = None) -> SavedRun:
    """Read where a run stands; `steps` of the trainer goes on from there.

    Args:
        path: the file.
        config: options to go on with; only `steps` may differ from those in the file. `None` takes
            the file's.

    Raises:
        FileNotFoundError: where there is no such file.
        ValueError: for a file that is damaged, no saved run, or of a newer format; or for other
            options, which the message names.
    """
    path = Path(path)
    data = path.read_bytes()
    try:
        header, arrays = _read(data)
        form = header["format"]
        if form > FORMAT:
            raise _NewerFormatError
        saved = SavedRun(_config(header["config"]), _state(header, arrays))
        if len(saved.state.weights) > saved.config.staleness + 1:
            raise ValueError("it holds more weights than the staleness asks for")
    except _NewerFormatError:
        raise ValueError(
            f"{path} must be of format {FORMAT} or older; it is of {form}: a newer version of this "
            "package wrote it"
        ) from None
    # The bytes are there: whatever goes wrong with them is damage, and zip files can raise much.
    except Exception as error:
        raise ValueError(f"{path} must be a saved run, and whole; {error}") from error
    if config is None:
        return saved
    others = [
        f"{field.name} is {getattr(saved.config, field.name)!r} there and "
        f"{getattr(config, field.name)!r} here"
        for field in fields(Config)
        if field.name != "steps"
        and getattr(saved.config, field.name) != getattr(config, field.name)
    ]
    if others:
        raise ValueError(f"config must be that of {path}, but for steps; {'; '.join(others)}")
    return SavedRun(replace(saved.config, steps=config.steps), saved.state)


def _read(data: bytes) -> tuple[dict[str, Any], dict[str, Floats]]:
    loaded = np.load(BytesIO(data), allow_pickle=False)
    if not isinstance(loaded, np.lib.npyio.NpzFile):
        raise ValueError("it holds one array alone")
    with loaded as file:
        header = json.loads(str(file["header"][()]))
        arrays = {name: file[name] for name in ARRAYS}
    if not isinstance(header, dict) or type(header["format"]) is not int or header["format"] < 1:
        raise ValueError(f"its header is {header!r}")
    return header, arrays


def _config(options: Mapping[str, Any]) -> Config:
    """Return the options; what JSON wrote as a list was a tuple."""
    rules = {name: _untouched(value) for name, value in options["rules"].items()}
    rest = {name: _untouched(value) for name, value in options.items()}
    return Config(**{**rest, "rules": Rules(**rules), "clip": Clip(*options["clip"])})


def _untouched(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value


def _state(header: Mapping[str, Any], arrays: Mapping[str, Floats]) -> State:
    weights, start, moments = (arrays[name] for name in ARRAYS)
    step, updates = header["step"], header["updates"]
    shape = start.shape
    if (
        len(shape) != 2
        or not len(weights)
        or weights.shape[1:] != shape
        or moments.shape != (2, *shape)
    ):
        shapes = {name: array.shape for name, array in arrays.items()}
        raise ValueError(f"its arrays do not fit together: {shapes}")
    if not all(a.dtype == np.float64 and np.isfinite(a).all() for a in arrays.values()):
        raise ValueError("its arrays are not all finite numbers of 64 bits")
    if not all(type(count) is int and count >= 0 for count in (step, updates)):
        raise ValueError(f"its steps and updates are {step!r} and {updates!r}")
    return State(step, tuple(weights), start, (moments[0], moments[1]), updates)
