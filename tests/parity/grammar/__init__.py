"""Random templates and the contexts that fit them: a typed grammar of the language, a production a line."""

from .maker import template
from .values import contexts

__all__ = ["contexts", "template"]
