"""Random templates and contexts for them: a typed grammar of the language, with one production per line."""

from .maker import template
from .values import contexts

__all__ = ["contexts", "template"]
