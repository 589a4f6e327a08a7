"""The book as web pages: what Sphinx needs to know of notebooks, figures, cards and docstrings.

`build` calls Sphinx, `extension` is what Sphinx loads, and `mime` is what MyST-NB asks how to show
an output. What runs in the reader's browser lies in `book/_static`.
"""
