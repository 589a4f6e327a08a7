"""Arrow key to new picture in a real JupyterLab: `explore` against the usual ways.

The same drawing is offered by `explore`, by `ipywidgets.interactive` with matplotlib's inline
pictures, and by ipympl where it is installed. Each gets single key presses, one at a time, timed in
the browser from the press to the first frame that shows another picture; `explore` then gets a
burst, timed from the last press to the last change. Prints medians, 95th percentiles and ratios,
and ends with status 1 when a bar is missed.
"""

from __future__ import annotations

import argparse
import importlib.util
import statistics

from lab import chromium, jupyterlab, open_notebook, run_all
from playwright.sync_api import Page

MOST_OF_INTERACTIVE = 0.5
MOST_P95_MS = 100.0
MOST_SETTLE_MS = 300.0

# The figure drawn whole by the usual ways, at the size that `explore` gives it.
SHARED = """
import ipywidgets, matplotlib.pyplot as plt
from agentrl_lite.figures import get, style
figure = get({figure!r})
width_in, height_in = style.SIZE_IN[figure.columns]
dpi = style.screen_dpi(figure.columns)
start = figure.values()
def draw_whole(fig, **values):
    with style.settings():
        figure.draw(figure.backdrop(fig), **values)
def slider():
    control = figure.controls[0]
    return ipywidgets.FloatSlider(start[control.name], min=control.minimum,
                                  max=control.maximum, step=control.step)
name = figure.controls[0].name
rest = dict(list(start.items())[1:])
"""
EXPLORE = ["from agentrl_lite.widgets import explore", "explore({figure!r})"]
INTERACTIVE = [
    SHARED,
    """
def show(value):
    fig = plt.figure(figsize=(width_in, height_in), dpi=dpi)
    draw_whole(fig, **{{name: value}}, **rest)
    plt.show()
%config InlineBackend.print_figure_kwargs = {{"bbox_inches": None}}
ipywidgets.interactive(show, value=slider())
""",
]
IPYMPL = [
    "%matplotlib widget" + SHARED,
    """
fig = plt.figure(figsize=(width_in, height_in), dpi=dpi)
def show(value):
    fig.clear()
    draw_whole(fig, **{{name: value}}, **rest)
    fig.canvas.draw_idle()
ipywidgets.interactive(show, value=slider())
""",
]

# What the picture now looks like: sources of the loaded images, and samples of every canvas.
WATCH = """
() => {
  const area = () => document.querySelector('.jp-NotebookPanel');
  window.look = () => {
    const seen = [];
    for (const image of area().querySelectorAll('.jp-OutputArea img'))
      if (image.complete && image.naturalWidth) seen.push(image.src);
    for (const canvas of area().querySelectorAll('.jp-OutputArea canvas')) {
      if (!canvas.width || !canvas.height) continue;
      const data = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data;
      let sum = 0;
      for (let i = 0; i < data.length; i += 16) sum = (sum * 31 + data[i]) | 0;
      seen.push(sum);
    }
    return seen.join();
  };
  window.times = { pressed: 0, first: 0, changed: 0 };
  let last = window.look();
  const step = () => {
    const now = window.look();
    if (now && now !== last) {
      last = now;
      window.times.changed = performance.now();
      window.times.first ||= window.times.changed;
    }
    requestAnimationFrame(step);
  };
  requestAnimationFrame(step);
  document.addEventListener('keydown',
    () => { window.times.pressed = performance.now(); window.times.first = 0; }, { capture: true });
}
"""
CHANGED = "() => window.times.first > 0"


def prepare(page: Page, address: str, title: str) -> None:
    open_notebook(page, address, title)
    run_all(page)
    page.wait_for_selector(".jp-OutputArea :is(img, canvas)", timeout=60_000)
    page.wait_for_timeout(1500)
    page.evaluate(WATCH)
    page.locator(".noUi-handle").first.focus()


def single_presses(page: Page, count: int) -> list[float]:
    """Return milliseconds from press to picture, for presses that wait for each other."""
    times = []
    for index in range(count + 3):
        page.keyboard.press("ArrowRight" if index % 20 < 10 else "ArrowLeft")
        page.wait_for_function(CHANGED, timeout=10_000)
        page.wait_for_timeout(120)  # let late frames of the same press arrive
        if index >= 3:  # the first ones warm up
            spent = page.evaluate("() => window.times.first - window.times.pressed")
            times.append(float(spent))
    return times


def burst(page: Page, moves: int) -> float:
    """Return milliseconds from the last of many fast presses to the last change of picture."""
    for _ in range(moves):
        page.keyboard.press("ArrowRight", delay=5)
    page.wait_for_timeout(2500)
    shown = float(page.locator(".arl-row input").first.input_value())
    handle = float(page.locator(".noUi-handle").first.get_attribute("aria-valuetext") or "nan")
    if abs(shown - handle) > 1e-6:
        raise RuntimeError(f"the handle stands at {handle}, the picture at {shown}")
    return float(page.evaluate("() => window.times.changed - window.times.pressed"))


def percentile_95(times: list[float]) -> float:
    return statistics.quantiles(times, n=20)[-1]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--figure", default="q03-degenerate", help="which figure to draw")
    parser.add_argument("--presses", type=int, default=40, help="timed presses of each way")
    parser.add_argument("--moves", type=int, default=40, help="fast moves of the burst")
    options = parser.parse_args()
    ways = {"explore": EXPLORE, "interactive": INTERACTIVE, "ipympl": IPYMPL}
    if importlib.util.find_spec("ipympl") is None:
        del ways["ipympl"]
        print("skipped: ipympl (not installed)")
    notebooks = {
        name: [cell.format(figure=options.figure) for cell in cells] for name, cells in ways.items()
    }
    medians: dict[str, float] = {}
    missed: list[str] = []
    with jupyterlab(notebooks) as address, chromium() as browser:
        for name in notebooks:
            page = browser.new_page(viewport={"width": 1280, "height": 900})
            prepare(page, address, name)
            times = single_presses(page, options.presses)
            medians[name], p95 = statistics.median(times), percentile_95(times)
            print(f"{name:12} median {medians[name]:6.1f} ms   95th percentile {p95:6.1f} ms")
            if name == "explore":
                settle = burst(page, options.moves)
                print(f"{name:12} {options.moves} fast moves settle in {settle:.0f} ms")
                if p95 >= MOST_P95_MS:
                    missed.append(f"95th percentile {p95:.0f} ms, below {MOST_P95_MS:.0f} wanted")
                if settle > MOST_SETTLE_MS:
                    missed.append(f"settles in {settle:.0f} ms, {MOST_SETTLE_MS:.0f} wanted")
            page.close()
    for name, most in (("interactive", MOST_OF_INTERACTIVE), ("ipympl", 1.0)):
        if name in medians:
            ratio = medians["explore"] / medians[name]
            print(f"explore / {name}: {ratio:.2f} (wanted: at most {most:.2f})")
            if ratio > most:
                missed.append(f"{ratio:.2f} of {name}, at most {most:.2f} wanted")
    for line in missed:
        print(f"missed: {line}")
    return 1 if missed else 0


if __name__ == "__main__":
    raise SystemExit(main())
