"""The exceptions that several packages raise or catch. A few more are defined beside the code that raises them.

    AwningError                exit code, message, hint
    ├── Faulty                 errors in the user's files, as diagnostics                exit 1
    ├── OwnFault               an unexpected error: a bug of awning                      exit 1
    ├── ConfigurationError     usage, configuration, environment                         exit 2
    │   ├── ProgramUnusable    esbuild or TypeScript is missing, changed or does not run  exit 2
    │   └── DatabaseUnusable   inventory, journal or the host's records cannot be used   exit 2
    └── ServiceError           the service cannot be reached, or refused                 exit 1
        ├── Unreachable        no response from the service                              exit 1
        ├── BadAnswer          a response that the specification does not describe       exit 1
        └── Refused            a response with `error: true` (HTTP 5XX: exit 1)          exit 6
            ├── Unauthorized   error_code or HTTP 401: the credentials are wrong         exit 6
            └── Declined       refused with one of four errorCodes of the Reseller API   exit 6
                ├── BadCredits (507), CreditsAreFree (508), AbovePlan (509), FeeUnpaid (601)

Nothing here prints. The command line turns an AwningError into text and an exit code.
"""

from collections.abc import Sequence

from awning.contract import Exit
from awning.diagnostics import Diagnostic, gravest_first

FIRST_FAULT = 500


class AwningError(Exception):
    """A problem that awning reports to the user. `hint` says what to do, if awning knows it."""

    exit_code: Exit = Exit.FINDINGS

    def __init__(self, message: str, *, hint: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint


class Faulty(AwningError):
    """The user's files have errors, which are the first in `diagnostics`."""

    def __init__(self, diagnostics: Sequence[Diagnostic], *, hint: str | None = None) -> None:
        self.diagnostics = tuple(gravest_first(diagnostics))
        super().__init__("\n".join(d.render() for d in self.diagnostics), hint=hint)


class OwnFault(AwningError):
    """An unexpected exception in a program that must continue, such as a watcher. The message has its traceback."""


def shown_as(error: Exception) -> AwningError:
    """Return any exception as an AwningError.

    An AwningError is returned unchanged. An OSError with a message of the operating system becomes an AwningError with
    this message, without a traceback. Any other exception becomes an `OwnFault`.
    """
    if isinstance(error, AwningError):
        return error
    if isinstance(error, OSError) and error.strerror:
        where = f"{error.filename}: " if error.filename else ""
        return AwningError(f"{where}{error.strerror}", hint="awning tries again at the next change")
    import traceback  # noqa: PLC0415 - rarely needed

    text = "".join(traceback.format_exception(error)).rstrip()
    return OwnFault(
        f"an internal error of awning, {type(error).__name__}:\n{text}",
        hint="please report it; awning goes on watching, and tries again at the next change",
    )


class ConfigurationError(AwningError):
    exit_code = Exit.USAGE


class ProgramUnusable(ConfigurationError):
    pass


class DatabaseUnusable(ConfigurationError):
    """A database cannot be read or written: it is locked, damaged, missing, full, or of another version.

    The transaction is rolled back. The error holds no statement, no parameter and no password.
    """


class DatabaseDamaged(DatabaseUnusable):
    """A database is not what was written: it is damaged, a part of it is missing, or it is another one."""


class ServiceError(AwningError):
    """A call of the service failed.

    `call` is the operation's name, `status` the HTTP status if there was a response. `unclear` means that a call that
    changes something may have taken effect, so the value must be read back.
    """

    def __init__(
        self,
        message: str,
        *,
        call: str,
        status: int | None = None,
        unclear: bool = False,
        hint: str | None = None,
    ) -> None:
        super().__init__(message, hint=hint)
        self.call = call
        self.status = status
        self.unclear = unclear


class Unreachable(ServiceError):
    """There was no whole response.

    `under_way` is True when the client stopped waiting for a call that changes something. The service may still
    execute the call.
    """

    under_way: bool = False


class BadAnswer(ServiceError):
    pass


class Refused(ServiceError):
    """The response has `error: true` (Apps Integration API, Errors, rule 2).

    The exit code is 6. With HTTP 5XX, which is an error of the service itself, it is 1. Subclasses always have code 6.
    """

    def __init__(
        self,
        message: str,
        *,
        call: str,
        error_code: int,
        status: int,
        unclear: bool = False,
        hint: str | None = None,
    ) -> None:
        super().__init__(message, call=call, status=status, unclear=unclear, hint=hint)
        self.error_code = error_code
        if status < FIRST_FAULT:
            self.exit_code = Exit.REFUSED


class Unauthorized(Refused):
    """The `error_code` or the HTTP status is 401. With HTTP 401, the body may be anything."""

    exit_code = Exit.REFUSED


class Declined(Refused):
    """The Reseller API refused with a code that has a subclass here (Reseller API, Errors). Nothing was changed."""

    exit_code = Exit.REFUSED


class BadCredits(Declined):
    """507: the number of AI credits is not valid."""


class CreditsAreFree(Declined):
    """508: extra credits cannot be added while AI credits are free of charge."""


class AbovePlan(Declined):
    """509: more monthly AI credits than the plan has. `max_credits` is the plan's number, if the response has it."""

    max_credits: int | None = None


class FeeUnpaid(Declined):
    """601: the reseller's signup fee is not paid."""
