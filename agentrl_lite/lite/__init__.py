"""The notebooks in a browser that runs Python itself: a JupyterLite site, with nothing to install.

`build.build` writes it. JupyterLite is JupyterLab without a server; its kernel is Pyodide, which is
Python with numpy and the like, compiled for browsers. Everything comes from the environment that
runs this, in the versions of constraints.txt, so that nothing is fetched when the site is made.

The parts of this package, from the inside out: `pyodide` knows what is in Pyodide, and takes a
folder of it apart; `needs` finds what a wheel needs beyond that; `wheels` writes wheels; `tools` is
JupyterLite as it is installed here; `build` puts the site together. Settings of the site are in
`book/lite`.
"""
