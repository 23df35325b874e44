"""A certificate for one run of the simulated service, for clients that require https."""

import ssl
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from awning.errors import ConfigurationError

LOOPBACK = ("localhost", "127.0.0.1", "::1")


@dataclass(frozen=True, slots=True, kw_only=True)
class Tls:
    """TLS settings. `context` is for the servers. `ca_file` holds the certificate that clients must trust, in PEM."""

    context: ssl.SSLContext
    ca_file: Path


@contextmanager
def tls_for_the_run(names: Collection[str] = ()) -> Iterator[Tls]:
    """Make a certificate for loopback and `names`, issued by a new certificate authority.

    The authority's private key is only in memory. The server's is also in a temporary file while it is loaded, because
    `ssl` reads keys only from files. The file with the authority's certificate exists until the block ends.

    Raises ConfigurationError when trustme is not installed, and for a name that no certificate can have.
    """
    try:
        import trustme  # noqa: PLC0415 - importing cryptography takes 0.1 s, and few runs need it
    except ImportError:
        raise ConfigurationError("--tls needs trustme", hint="pip install 'awning[harness]'") from None
    authority = trustme.CA(organization_name="awning service, this run alone")
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.set_alpn_protocols(["http/1.1"])
    try:
        authority.issue_cert(*LOOPBACK, *names).configure_cert(context)
    except UnicodeError as error:  # IDNA allows less than a Host header does: no underscore, for example
        raise ConfigurationError(
            f"no certificate can be made for {', '.join(names)}: {error}",
            hint="name another --allow-host, or leave out --tls",
        ) from None
    with TemporaryDirectory(prefix="awning-service-") as folder:
        ca_file = Path(folder) / "ca.pem"
        authority.cert_pem.write_to_path(str(ca_file))
        yield Tls(context=context, ca_file=ca_file)
