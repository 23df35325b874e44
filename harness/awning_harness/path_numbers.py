"""The type of numbers in the paths of Starlette's routes: `/apps/{app_id:number}/`.

Starlette's own `int` takes any number of digits. SQLite and Python refuse very long ones.
"""

from starlette.convertors import Convertor, register_url_convertor


class Number(Convertor[int]):
    """A whole number of at most 15 digits. No website, app or instance has a longer one."""

    regex = "[0-9]{1,15}"

    def convert(self, value: str) -> int:
        return int(value)

    def to_string(self, value: int) -> str:
        return str(value)


def accept_numbers() -> None:
    """Let routes use the type `number`. Call it before the first route with one is made."""
    register_url_convertor("number", Number())
