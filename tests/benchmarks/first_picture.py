"""From the start of a kernel to the first picture with sliders, against a kernel that only imports.

Both start a fresh kernel; ours ends when the output with the picture has come, the other when the
libraries are imported. Prints both medians and their ratio, and ends with status 1 when ours takes
more than three seconds.
"""

from __future__ import annotations

import argparse
import statistics
import subprocess
import time

from jupyter_client import KernelManager

LIBRARIES = "import numpy, matplotlib.figure, ipywidgets"
OURS = "from agentrl_lite.widgets import explore\ndisplay(explore({figure!r}))"
MOST_S = 3.0
PATIENCE_S = 60.0


def seconds(code: str, wanted: str) -> float:
    """Return how long a fresh kernel takes until a message of type `wanted` answers `code`."""
    start = time.perf_counter()
    manager = KernelManager(kernel_name="python3")
    manager.start_kernel(stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    client = manager.client()
    try:
        client.start_channels()
        client.wait_for_ready(timeout=PATIENCE_S)
        asked = client.execute(code)
        while True:
            message = client.get_iopub_msg(timeout=PATIENCE_S)
            if message["parent_header"].get("msg_id") != asked:
                continue
            if message["msg_type"] == "error":
                raise RuntimeError("\n".join(message["content"]["traceback"]))
            state = message["content"].get("execution_state")
            if wanted in (message["msg_type"], state):
                return time.perf_counter() - start
    finally:
        client.stop_channels()
        manager.shutdown_kernel(now=True)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--figure", default="q03-degenerate", help="which figure to show")
    parser.add_argument("--repeats", type=int, default=5, help="kernels of each kind")
    options = parser.parse_args()
    ours, libraries = [], []
    for _ in range(options.repeats):
        ours.append(seconds(OURS.format(figure=options.figure), "display_data"))
        libraries.append(seconds(LIBRARIES, "idle"))
    taken, least = statistics.median(ours), statistics.median(libraries)
    print(f"kernel start to first picture: {taken:.2f} s (wanted: at most {MOST_S:.0f} s)")
    print(f"kernel start and imports alone: {least:.2f} s; ratio {taken / least:.2f}")
    return 1 if taken > MOST_S else 0


if __name__ == "__main__":
    raise SystemExit(main())
