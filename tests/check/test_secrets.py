"""Secrets, and texts that only resemble secrets, some of them from npm libraries."""

import pytest

from awning.check.files import check_text
from awning.contract import Dialect
from awning.diagnostics import Severity

SECRETS = [
    'const KEY = "SVC-0a1b2c3d4e5f60718293a4b5c6d7e8f9";',
    'headers.Authorization = "Basic c2hvcDpxN1ZkMm1YejlMazQ=";',
    'headers.Authorization = "Bearer 9f2c7a1be04d4c58a6e13f7720cb55d1";',
    "fetch('https://shop:q7Vd2mXz9@api.example.com/offers');",
    "const key = `-----BEGIN RSA PRIVATE KEY-----\nMIIEowIBAAKCAQEAx0a1b2c3\n`;",
    'const aws = "AKIAQ3EGRV6KXW7DPMZB";',
    'const app = "ghp_' + "a1B2c3D4e5" * 4 + '";',
    'const hook = "https://hooks.slack.com/services/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";',
    'const shop = "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";',
    'config["app_secret"] = "correct-horse-battery";',
    'const token: string = "Zx9Qm2Lk7Vt4Rb8Wn3Yc6Hd1";',
    '({ sessionToken: "Zx9Qm2Lk7Vt4Rb8Wn3Yc6Hd1" });',
]
HARMLESS = {
    "jquery": "// For values outside the Basic Multilingual Plane (BMP), construct a surrogate pair",
    "d3, colours": 'var category10 = colors("1f77b4ff7f0e2ca02cd62728949e8b567bd8c564e377c27f7f7fbcbd2217becf");',
    "d3, minified": 'var token=1,d_=h_("1f77b4ff7f0e2ca02cd62728949e8b567bd8c564e377c27f7f7fbcbd2217becf");',
    "packed data": 'const bits = "Zx9Qm2Lk7Vt4Rb8Wn3Yc6Hd1Zx9Qm2Lk7Vt4Rb8Wn3Yc6Hd1";',
    "prop-types": "var ReactPropTypesSecret = 'SECRET_DO_NOT_PASS_THIS_OR_YOU_WILL_BE_FIRED';",
    "a field": '({ name: "password", type: "password", passwordLabel: "Enter your password" });',
    "a header": 'const apiKeyHeader = "X-Api-Key-For-Offers";',
    "a parser": 'const token = "comma-separated-list";',
    "a scheme": 'const scheme = "Bearer authentication-required";',
    "a key for browsers": 'const stripe = "pk_live_4eC39HqLyjWDarjtT1zdp7dc";',
    "an address": 'const address = "https://example.com:8443/path@2x.png";',
    "a place to fill in": 'const apiKey = "YOUR-API-KEY-HERE";',
    "a header of a key, which is not there": 'if (text.includes("-----BEGIN PRIVATE KEY-----")) parse(text);',
    "an integrity hash": 'const authHash = "sha384-oqVuAfXRKap7fdgcCY5uykM6+R9GqQ8K/uxy9rx7HNQlGYl1kPzQho1wx4JwY8wC";',
}


def found_in(code):
    return [
        diagnostic
        for diagnostic in check_text("x.ts", code, Dialect()).diagnostics
        if diagnostic.rule == "secret-in-source"
    ]


@pytest.mark.parametrize("code", SECRETS)
def test_a_secret_is_an_error_and_is_not_shown(code):
    (diagnostic,) = found_in(code)
    assert diagnostic.severity is Severity.ERROR
    assert diagnostic.excerpt not in code.splitlines()


@pytest.mark.parametrize("name", HARMLESS)
def test_a_text_that_only_resembles_a_secret_is_not_reported(name):
    assert found_in(HARMLESS[name]) == []
