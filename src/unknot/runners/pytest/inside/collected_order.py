"""Loaded into pytest with `-p`: writes the ids of the collected tests, in the order in which they would run."""

import json
import os
from typing import Any

import pytest

VARIABLE = "UNKNOT_COLLECTED_ORDER"


@pytest.hookimpl(trylast=True)
def pytest_collection_finish(session: Any) -> None:
    with open(os.environ[VARIABLE], "w", encoding="utf-8") as file:
        json.dump([item.nodeid for item in session.items], file)
