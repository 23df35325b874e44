"""Every exception awning raises on purpose.

    AwningError                exit code, sentence, hint
    ├── Faulty                 findings in the user's files: carries diagnostics         exit 1
    ├── OwnFault               an error that awning does not expect: a fault of its own    exit 1
    ├── ConfigurationError     usage, configuration, environment                         exit 2
    │   ├── EsbuildUnusable    the bundler's binary is missing or not the pinned one     exit 2
    │   └── DatabaseUnusable   inventory, journal or the host's records, as they are now exit 2
    └── ServiceError           the service could not be spoken to, or refused            exit 1
        ├── Unreachable        no connection, or it broke                                exit 1
        ├── BadAnswer          an answer that is not what the specification describes    exit 1
        └── Refused            an answer with `error: true`; with HTTP 5XX: exit 1       exit 6
            ├── Unauthorized   error_code 401: the key or the code is wrong              exit 6
            └── Declined       a rule of the Reseller API; one class per errorCode       exit 6
                ├── BadCredits, CreditsAreFree, AbovePlan, FeeUnpaid: 507, 508, 509, 601

Nothing here prints; the command line turns an AwningError into its text and exit code.
"""

from collections.abc import Sequence

from awning.contract import Exit
from awning.diagnostics import Diagnostic

FIRST_FAULT = 500


class AwningError(Exception):
    """A problem the user can do something about. `hint` says what."""

    exit_code: Exit = Exit.FINDINGS

    def __init__(self, message: str, *, hint: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint


class Faulty(AwningError):
    """The user's files have errors; `diagnostics` says which and where."""

    def __init__(self, diagnostics: Sequence[Diagnostic], *, hint: str | None = None) -> None:
        super().__init__("\n".join(d.render() for d in diagnostics), hint=hint)
        self.diagnostics = tuple(diagnostics)


class OwnFault(AwningError):
    """An exception that nobody expected, with its traceback: shown by what has to go on, such as a watcher."""


def shown_as(error: Exception) -> AwningError:
    """Any exception as one that can be shown: ours as it is, the system's in a sentence, others as an `OwnFault`."""
    if isinstance(error, AwningError):
        return error
    if isinstance(error, OSError) and error.strerror:
        where = f"{error.filename}: " if error.filename else ""
        return AwningError(f"{where}{error.strerror}", hint="it is tried again at the next change")
    import traceback  # noqa: PLC0415 - no verb starts with a fault

    told = "".join(traceback.format_exception(error)).rstrip()
    return OwnFault(
        f"a fault of awning's own, {type(error).__name__}:\n{told}",
        hint="please report it; awning goes on watching, and tries again at the next change",
    )


class ConfigurationError(AwningError):
    exit_code = Exit.USAGE


class EsbuildUnusable(ConfigurationError):
    pass


class DatabaseUnusable(ConfigurationError):
    """A database of ours cannot be read or written: locked, damaged, away, out of room, or of another version.

    Nothing of the transaction that met it is kept. Holds no parameter, no statement and no password.
    """


class ServiceError(AwningError):
    """Something went wrong between us and the service.

    `call` is the operation's name, `status` the HTTP status where there was an answer. `unclear` says that a
    changing call may have taken effect all the same: only reading back can tell.
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
    """No answer. `under_way`: a changing call was given up on in mid-air, and the service may act on it still."""

    under_way: bool = False


class BadAnswer(ServiceError):
    pass


class Refused(ServiceError):
    """The service answered `error: true` (Apps Integration API, Errors, rule 2).

    Exit code 6, unless an HTTP status 5XX says that it is the service's own fault.
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
    exit_code = Exit.REFUSED


class Declined(Refused):
    """The Reseller API says no, by one of its documented codes (Reseller API, Errors). Nothing was changed."""

    exit_code = Exit.REFUSED


class BadCredits(Declined):
    """507: not an amount of AI credits."""


class CreditsAreFree(Declined):
    """508: extra credits cannot be added while AI credits are free of charge."""


class AbovePlan(Declined):
    """509: more monthly AI credits than the plan has. `max_credits` is what it has, where the service says so."""

    max_credits: int | None = None


class FeeUnpaid(Declined):
    """601: the reseller's signup fee is not paid."""
