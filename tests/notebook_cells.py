"""A pytest plugin: runs every notebook through nbval, strictly, one test a cell.

nbval compares a new run's outputs with the stored ones. What it leaves open is closed here:
pictures are compared, as pixels; a cell that was never run fails; the kernel runs without a
network, on an empty reader's store.
"""

import base64
import io
import os
import tempfile
from pathlib import Path

import numpy as np
import pytest
from nbval.plugin import IPyNbCell, IPyNbFile
from PIL import Image

from agentrl_lite.notebooks import kernel_environment

OFFLINE = Path(__file__).parent / "offline"
PNG = "image/png"
# Another machine may shade an edge otherwise. A changed curve moves hundreds of pixels.
SHADES = 40
PIXELS = 20


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    if file_path.suffix == ".ipynb" and ".ipynb_checkpoints" not in file_path.parts:
        return NotebookFile.from_parent(parent, path=file_path)
    return None


class NotebookFile(IPyNbFile):
    """A notebook; its cells go by their ids."""

    def __init__(self, **keywords):
        super().__init__(**keywords)
        self.skip_compare = tuple(key for key in self.skip_compare if key != PNG)

    def collect(self):
        for cell in super().collect():
            yield NotebookCell.from_parent(
                self,
                name=cell.cell.get("id", cell.name),
                cell_num=cell.cell_num,
                cell=cell.cell,
                options=cell.options,
            )

    def setup(self):
        self.folder = tempfile.TemporaryDirectory(prefix="agentrl-")
        with pytest.MonkeyPatch.context() as patch:
            for name in set(os.environ) - set(kernel_environment(self.folder.name)):
                patch.delenv(name)
            for name, value in kernel_environment(self.folder.name).items():
                patch.setenv(name, value)
            patch.setenv("PYTHONPATH", str(OFFLINE))
            super().setup()

    def teardown(self):
        super().teardown()
        self.folder.cleanup()


class NotebookCell(IPyNbCell):
    """A code cell."""

    def reportinfo(self):
        return self.path, 0, f"{self.path.name}, cell {self.name}"

    def runtest(self):
        if self.cell.source.strip() and self.cell.execution_count is None:
            self.raise_cell_error("The cell has no stored run: `make notebooks`")
        super().runtest()

    def compare_outputs(self, test, ref, skip_compare=None):
        for new, old in zip(_with_picture(test), _with_picture(ref), strict=False):
            if same_picture(new["data"][PNG], old["data"][PNG]):
                new["data"][PNG] = old["data"][PNG]
        return super().compare_outputs(test, ref, skip_compare)


def same_picture(new: str, old: str) -> bool:
    """Say whether two base64 PNGs have one size and nearly the same pixels."""
    first, second = _pixels(new), _pixels(old)
    if first.shape != second.shape:
        return False
    return int((np.abs(first - second).max(axis=-1) > SHADES).sum()) <= PIXELS


def _with_picture(outputs):
    return [output for output in outputs if PNG in output.get("data", {})]


def _pixels(text: str) -> np.ndarray:
    picture = Image.open(io.BytesIO(base64.b64decode(text)))
    return np.asarray(picture.convert("RGBA"), dtype=np.int16)
