"""The access log of uvicorn, when it is enabled, holds no query string."""

import logging

from awning.host.log import ACCESS_LOG, hide_queries


def test_access_log_lines_have_no_query_string(caplog):
    hide_queries()
    hide_queries()
    logger = logging.getLogger(ACCESS_LOG)
    caplog.set_level("INFO", logger=ACCESS_LOG)
    line = '%s - "%s %s HTTP/%s" %d'
    logger.info(line, "127.0.0.1:1", "GET", "/settings?authCode=planted&hash=1", "1.1", 303)
    logger.info("words without arguments")
    assert caplog.messages == ['127.0.0.1:1 - "GET /settings HTTP/1.1" 303', "words without arguments"]
