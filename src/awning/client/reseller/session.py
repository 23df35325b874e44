"""Who speaks to the Reseller API: an e-mail, a password, and the token they were exchanged for.

A token ends when it pleases (its lifetime is not shown), so a call that is answered with 401 is sent once more
with a new one: authentication comes before anything is done, so nothing can be done twice by that.
"""

from dataclasses import dataclass, field
from typing import TypeVar

from awning.client.flow import Calling, call
from awning.client.operation import Flow
from awning.client.reseller import operations
from awning.client.reseller.operations import Authorized
from awning.client.secret import Secret
from awning.errors import ConfigurationError, Unauthorized

T = TypeVar("T")


@dataclass(slots=True, kw_only=True)
class Session:
    """Holds the token as long as it is valid. With a token alone, a session ends with it."""

    calling: Calling
    email: str = ""
    password: Secret | None = None
    token: Secret | None = None
    obtained: bool = field(default=False, init=False)
    """Whether the token was obtained here: then it is ours to end."""

    def authorize(self) -> Flow[Secret]:
        """A new token. Raises Unauthorized."""
        if self.password is None or not self.email:
            raise ConfigurationError(
                "there is no e-mail and password to obtain a token with",
                hint="set AWNING_RESELLER_EMAIL and AWNING_RESELLER_PASSWORD",
            )
        self.token = yield from call(operations.authorize(self.email, self.password), self.calling)
        self.obtained = True
        return self.token

    def send(self, operation: Authorized[T]) -> Flow[T]:
        """One call with a valid token."""
        token, fresh = self.token, False
        if token is None:
            token, fresh = (yield from self.authorize()), True
        try:
            return (yield from call(operation(token), self.calling))
        except Unauthorized:
            if fresh or self.password is None:
                raise
        token = yield from self.authorize()
        return (yield from call(operation(token), self.calling))

    def end(self) -> Flow[None]:
        """Invalidate the token."""
        if self.token is not None:
            operation = operations.logout()(self.token)
            self.token = None
            self.obtained = False
            yield from call(operation, self.calling)
