"""Sphinx's settings for the site that `docs_site.py` builds. Sphinx reads them as global names of this module."""

from awning import __version__

project = "awning"
release = __version__
html_title = "awning"
extensions = ["myst_parser"]
source_suffix = {".md": "markdown"}

myst_heading_anchors = 4
highlight_language = "none"
# The pages of the rules show wrong code on purpose, which cannot always be highlighted.
suppress_warnings = ["misc.highlighting_failure"]
nitpicky = True

html_theme = "furo"
html_static_path = ["_static"]
html_css_files = ["awning.css"]
# llms.txt links to the Markdown of the pages; the pages themselves show no link to it.
html_copy_source = True
html_sourcelink_suffix = ""
html_show_sourcelink = False
html_show_sphinx = False
html_show_copyright = False
smartquotes = False  # keeps the two hyphens of an option
html_permalinks_icon = "#"
pygments_style = "friendly"
pygments_dark_style = "github-dark"
html_theme_options = {
    "light_css_variables": {"color-brand-primary": "#223a2f", "color-brand-content": "#2c6149"},
    "dark_css_variables": {"color-brand-primary": "#9fc7b2", "color-brand-content": "#8fc3a9"},
}
