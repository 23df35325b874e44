"""Secrets that are known by their shape alone: each service's own prefix, alphabet and length.

The shapes are those that the services document, and that the rules of gitleaks (MIT) look for. Left out are keys that
are meant for browsers (Google Maps, Stripe's `pk_`, Mapbox's `pk.`) and shapes that plain data has too.
"""

import re

_WORD = r"(?<![\w-])"
_SHAPES = (
    r"[sr]k_(?:live|test|prod)_[0-9A-Za-z]{16,247}",  # Stripe
    r"whsec_[0-9A-Za-z+/]{16,100}",  # Stripe, Svix
    r"(?:AKIA|ASIA|ABIA|ACCA)[A-Z2-7]{16}(?![A-Za-z0-9])",  # Amazon Web Services
    r"gh[pousr]_[0-9A-Za-z]{36,251}",  # GitHub
    r"github_pat_[0-9A-Za-z_]{82}",
    r"glpat-[\w-]{20,100}",  # GitLab
    r"xox[abeprs]-[0-9A-Za-z-]{10,250}",  # Slack
    r"https://hooks\.slack\.com/(?:services|workflows)/[\w+/]{20,100}",
    r"SG\.[\w-]{16,32}\.[\w-]{16,64}",  # SendGrid
    r"sk-(?:proj-|ant-[a-z0-9]{1,20}-|svcacct-)?[0-9A-Za-z_-]{20,200}",  # OpenAI, Anthropic
    r"npm_[0-9A-Za-z]{36}",
    r"pypi-AgEIcHlwaS5vcmc[\w-]{50,1000}",
    r"shp(?:at|ca|pa|ss)_[0-9A-Fa-f]{32}",  # Shopify
    r"do[opr]_v1_[0-9a-f]{64}",  # DigitalOcean
    r"dop?_v1_[0-9a-f]{64}",
    r"EAAA[\w-]{60}|sq0(?:atp|csp)-[\w-]{22,60}",  # Square
    r"[0-9]{8,10}:AA[\w-]{33}(?![\w-])",  # Telegram
    r"hvs\.[\w-]{90,120}",  # HashiCorp Vault
    r"(?:eyJ[\w-]{8,2000}\.){2}[\w-]{8,2000}",  # a signed JSON Web Token
)
SHAPES = re.compile(_WORD + "(?P<value>" + "|".join(_SHAPES) + ")")
PRIVATE_KEY = re.compile(r"-----BEGIN (?:[A-Z]{1,20} ){0,3}PRIVATE KEY(?: BLOCK)?-----(?=\s*\S{16})")
PASSWORD_IN_ADDRESS = re.compile(
    r"(?<=[a-z]://)[\w.-]{1,100}:(?P<value>[^\s@/:\"'`{}$<>()\[\]]{6,100})@(?=[\w-]{1,100}[.:/])"
)
AUTHORIZATION = re.compile(
    r"\b(?P<scheme>ApiKey|Bearer|Basic) (?P<value>[A-Za-z0-9._~+/-]{16,1000}={0,2})(?=[\"'`\s]|$)"
)
