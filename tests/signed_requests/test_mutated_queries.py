"""Signed requests with one change: each is refused, and none raises an exception."""

import random
from urllib.parse import quote_plus

from verifiers import SECRET, digest
from volumes import volume

from awning.client import Secret
from awning.signed_requests import verify_request

ALPHABET = "abcXYZ019 ~*&=+%/?#[].-_āß€\U0001f600\0\n'\"<>"


def text(rng, least=0):
    return "".join(rng.choices(ALPHABET, k=rng.randint(least, 8)))


def parameters(rng):
    """The parameters of a real request, and some more with plain names."""
    pairs = [("appId", str(rng.randint(1, 999))), ("language", rng.choice(["lv", "en", "pt-BR"]))]
    pairs += [("callback", f"https://service.example/{quote_plus(text(rng))}"), ("svcVersion", "2.1")]
    pairs += [("authCode", text(rng, 1))] if rng.random() < 0.5 else []
    pairs += [(f"x{number}", text(rng)) for number in range(rng.randint(0, 3))]
    rng.shuffle(pairs)
    return pairs


def query(pairs):
    """The canonical form, written from the specification and not with our code."""
    safe = {"~": "%7E", "*": "%2A"}
    return "&".join(
        "=".join("".join(safe.get(c, quote_plus(c)) for c in part) for part in pair) for pair in pairs
    )


def another_value(rng, pairs):
    at = rng.randrange(len(pairs))
    name, value = pairs[at]
    place = rng.randint(0, len(value))
    rest = value[place + rng.randint(0, 1) :]
    changed = value[:place] + text(rng) + rest
    return [*pairs[:at], (name, changed if changed != value else value + "x"), *pairs[at + 1 :]]


def another_name(rng, pairs):
    at = rng.randrange(len(pairs))
    return [*pairs[:at], (f"{pairs[at][0]}{rng.choice('xyz')}", pairs[at][1]), *pairs[at + 1 :]]


def one_more(rng, pairs):
    return [*pairs, (rng.choice(["y", "authcode", "Callback", "hash2", "y[]"]), text(rng))]


def one_less(rng, pairs):
    at = rng.randrange(len(pairs))
    return [*pairs[:at], *pairs[at + 1 :]]


def another_order(rng, pairs):
    at = rng.randrange(1, len(pairs))
    return [*pairs[at:], *pairs[:at]]


def one_twice(rng, pairs):
    name = rng.choice([name for name, _ in pairs])
    return [*pairs, (name, text(rng) + "changed")]


MUTATIONS = [another_value, another_name, one_more, one_less, another_order, one_twice]


def spoilt_hash(rng, digits):
    at = rng.randrange(64)
    return rng.choice(
        [
            digits[:at] + rng.choice([d for d in "0123456789abcdef" if d != digits[at]]) + digits[at + 1 :],
            digits[:at],
            digits + rng.choice("0 \0"),
            digits[:at] + quote_plus(text(rng, 1)) + digits[at:],
            digest(digits),
            digits.translate(str.maketrans("abcdef", "ABCDEF")) if not digits.isdecimal() else "",
        ]
    )


def noise(rng, signed):
    """Replace one character of the hash. Returns the query, and the character that was there."""
    head, _, digits = signed.partition("hash=")
    at = rng.randrange(64)
    return f"{head}hash={digits[:at]}{chr(rng.randrange(0x2500))}{digits[at + 1 :]}", digits[at]


def test_mutated_queries_are_refused():
    rng = random.Random(20_260)
    secret = Secret(SECRET)
    for turn in range(volume("mutated-queries")):
        pairs = parameters(rng)
        good = query(pairs)
        digits = digest(good)
        match turn % 8:
            case 7:
                changed, was = noise(rng, f"{good}&hash={digits}")
                if changed == f"{good}&hash={digits}" or was == "":
                    continue
            case 6:
                changed = f"{good}&hash={spoilt_hash(rng, digits)}"
            case kind:
                changed = f"{query(MUTATIONS[kind](rng, pairs))}&hash={digits}"
        if turn % 50 == 0:
            assert verify_request(f"{good}&hash={digits}", secret), good
        assert verify_request(changed, secret).authentic is False, changed
