"""The abstract interpreter: it runs the scripts of a page on abstract values, along every path that matters.

README.md beside this file explains its values, joins and limits.
"""

from awning.check.interpreter.explorer import Exploration, explore, page_scripts

__all__ = ["Exploration", "explore", "page_scripts"]
