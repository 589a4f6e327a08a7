"""What the sites of all languages share. Each language has a `conf.py` of its own beside this.

`make book` calls Sphinx with the settings that differ from build to build: where the notebooks are,
where pictures are kept between builds, and where a JupyterLite site lies, if there is one.
"""

from importlib.util import find_spec
from pathlib import Path

HERE = Path(__file__).parent

project = "agentrl-lite"
author = "the agentrl-lite contributors"
project_copyright = "the agentrl-lite contributors. Text: CC BY 4.0. Code: BSD 3-clause"

extensions = [
    "myst_nb",
    "sphinx.ext.autodoc",
    "sphinx.ext.napoleon",
    "agentrl_lite.site.extension",
]
exclude_patterns = ["answers"]
templates_path = [str(HERE / "_templates")]
html_static_path = [str(HERE / "_static")]

# ---- pages -------------------------------------------------------------------------------------

nb_execution_mode = "off"  # `make notebooks` has stored the outputs
nb_ipywidgets_js = {}  # else every page loads two scripts from elsewhere
nb_merge_streams = True
myst_enable_extensions = ["colon_fence", "deflist", "dollarmath"]
myst_heading_anchors = 3
numfig = False
# The same attribute may occur in several classes, and none of these names is a link.
suppress_warnings = ["ref.python"]
add_module_names = False
autodoc_member_order = "bysource"
autodoc_typehints = "none"  # the docstrings say them with their units
napoleon_use_ivar = True
napoleon_custom_sections = [("Reference", "References")]
# A module that wants an optional package is described where that is missing, too.
autodoc_mock_imports = [name for name in ("gymnasium", "joblib") if find_spec(name) is None]

# ---- look --------------------------------------------------------------------------------------

html_theme = "sphinx_book_theme"
html_css_files = ["book.css"]
html_context = {"default_mode": "auto"}  # as dark as the reader's system is
html_theme_options = {
    "navbar_persistent": [],  # the search stands in the side bar already
    "home_page_in_toc": True,
    "navigation_with_keys": False,
    "use_download_button": False,
    "use_fullscreen_button": False,
}
html_copy_source = True  # the notebooks, to download
html_show_sourcelink = False
html_last_updated_fmt = None  # two builds of one source are equal
html_domain_indices = False
html_use_index = False
# An excerpt would begin with the theme's menu, and a page from a disk cannot fetch one at all.
html_show_search_summary = False
html_favicon = str(HERE / "_static" / "favicon.svg")
html_search_scorer = str(HERE / "scorer.js")

# ---- formulas ----------------------------------------------------------------------------------

mathjax_path = "mathjax/tex-svg.js"
mathjax3_config = {
    # The menu could switch on parts that are not here.
    "options": {"enableMenu": False},
    "svg": {"fontCache": "global"},
}
