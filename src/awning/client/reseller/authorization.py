"""Authorization at the Reseller API: exchanges an e-mail and a password for a token.

The specification does not show how long a token is valid, so a call that gets 401 is sent once more with a new token,
if the session has a password. The service checks the token before it acts, so no action happens twice.
"""

from dataclasses import dataclass, field
from typing import TypeVar

from awning.client.flow import Calling, call
from awning.client.operation import Flow
from awning.client.reseller import operations
from awning.client.reseller.operations import Authorized
from awning.client.secret import Secret, checked_secret
from awning.errors import ConfigurationError, Unauthorized

T = TypeVar("T")


@dataclass(slots=True, kw_only=True)
class ResellerSession:
    """The account and its token. Without e-mail and password, no new token can be obtained.

    Raises TypeError when the password or the token is not a Secret.
    """

    calling: Calling
    email: str = ""
    password: Secret | None = None
    token: Secret | None = None
    obtained: bool = field(default=False, init=False)
    """Whether this session obtained the token. If so, a client invalidates the token at the end of its block."""

    def __post_init__(self) -> None:
        for secret, what in ((self.password, "the password"), (self.token, "the token")):
            if secret is not None:
                checked_secret(secret, what)

    def authorize(self) -> Flow[Secret]:
        """Obtain a token.

        Raises Unauthorized when the service refuses the e-mail and password, another ServiceError when the call fails,
        ConfigurationError when the e-mail or the password is missing.
        """
        if self.password is None or not self.email:
            raise ConfigurationError(
                "the e-mail or the password for obtaining a token is missing",
                hint="set AWNING_RESELLER_EMAIL and AWNING_RESELLER_PASSWORD",
            )
        try:
            return (yield from self.log_in(self.password))
        except Unauthorized as refusal:
            refusal.hint = refusal.hint or "look at AWNING_RESELLER_EMAIL and AWNING_RESELLER_PASSWORD"
            raise

    def log_in(self, password: Secret) -> Flow[Secret]:
        """Obtain a token with `password` for this session. Raises a ServiceError when the call fails."""
        self.token = yield from call(operations.authorize(self.email, password), self.calling)
        self.obtained = True
        return self.token

    def send(self, operation: Authorized[T]) -> Flow[T]:
        """Send one call with the token.

        If the service refuses a token that was not just obtained, and there is a password, the call is sent once more
        with a new token. Raises a ServiceError when the call fails, ConfigurationError when a new token is needed and
        the e-mail or the password is missing.
        """
        token, fresh = self.token, False
        if token is None:
            token, fresh = (yield from self.authorize()), True
        try:
            return (yield from call(operation(token), self.calling))
        except Unauthorized as refusal:
            if self.password is None:
                refusal.hint = (
                    "look at AWNING_RESELLER_TOKEN, or set AWNING_RESELLER_EMAIL and AWNING_RESELLER_PASSWORD"
                )
            if fresh or self.password is None:
                raise
        token = yield from self.authorize()
        return (yield from call(operation(token), self.calling))

    def end(self) -> Flow[None]:
        """Invalidate the token at the service, and forget it."""
        if self.token is not None:
            operation = operations.logout()(self.token)
            self.token = None
            self.obtained = False
            yield from call(operation, self.calling)
