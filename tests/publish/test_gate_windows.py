"""What a gate judges: no address weighs much, and one address alone turns no gate."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from awning.publish.health.windows import MOST_WEIGHT, AddressCounts, _most_weight, share_of


def bad(reports=1):
    return AddressCounts(rendered=0, failed=reports, views=0.0)


def good(reports=1, rate=0.01):
    return AddressCounts(rendered=reports, failed=0, views=reports / rate)


WEIGHTS = st.lists(st.floats(0.5, 1e9), min_size=20, max_size=200)


@given(WEIGHTS)
def test_no_address_weighs_more_than_its_share(weights):
    most = _most_weight(weights)
    cut = [min(weight, most) for weight in weights]
    assert max(cut) <= MOST_WEIGHT * sum(cut) * (1 + 1e-9)


@given(WEIGHTS)
def test_nothing_is_cut_where_no_address_weighs_much(weights):
    most = _most_weight(weights)
    assert most >= max(weights) or max(weights) > MOST_WEIGHT * sum(
        min(weight, most) for weight in weights
    ) * (1 - 1e-9)


@given(st.lists(st.floats(0.5, 1e9), min_size=1, max_size=19))
def test_few_addresses_weigh_the_same(weights):
    assert _most_weight(weights) == min(weights)


@pytest.mark.parametrize("rate", [1.0, 0.1, 0.01, 0.0001])
def test_good_reports_of_one_address_pass_no_bad_release(rate):
    shoppers = [bad()] * 30 + [good(rate=1.0)] * 10
    assert share_of([*shoppers, good(60, rate)]) > 0.6


@pytest.mark.parametrize("reports", [1, 60, 100_000])
@pytest.mark.parametrize("rate", [1.0, 0.1, 0.01, 0.0001])
def test_bad_reports_of_one_address_stop_no_good_release(rate, reports):
    assert share_of([*[good(rate=rate)] * 20, bad(reports)]) == 0


def test_failures_of_several_addresses_stop_a_release():
    assert share_of([*[good(rate=1.0)] * 90, *[bad()] * 10]) > 0.08


def test_share_of_nothing_is_none_failed():
    assert share_of([]) == share_of([bad()]) == share_of([good()]) == 0
