"""How often: the same few examples every time, or as many new ones as are asked for."""

import os

import pytest
from hypothesis import HealthCheck, settings

from .forms import FORMS

ASKED = os.environ.get("TOOLROUTE_EXAMPLES")

often = settings(
    max_examples=int(ASKED or 30),
    derandomize=ASKED is None,
    database=None,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)
every_form = pytest.mark.parametrize("form", FORMS, ids=lambda form: form.name)
