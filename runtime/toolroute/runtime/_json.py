"""JSON text of what handlers give: strict, ASCII only, and quick."""

import json
from collections.abc import Callable, Iterable
from typing import Any, Final

strict: Final = json.JSONEncoder(allow_nan=False)
quoted: Final = json.encoder.encode_basestring_ascii


def _encoder() -> Callable[[Any], str]:
    """`strict.encode`, without making its C encoder anew for each value.

    It looks for no circle: one is nested too deeply.
    """
    make: Any = getattr(json.encoder, "c_make_encoder", None)
    if make is None:  # an interpreter without it
        return strict.encode
    parts: Callable[[Any, int], Iterable[str]] = make(
        *(None, strict.default, quoted, None, ": ", ", "),
        sort_keys=False,
        skipkeys=False,
        allow_nan=False,
    )
    return lambda content: "".join(parts(content, 0))


_to_json: Final = _encoder()


def encode(content: Any) -> str:
    """`content` as JSON text, ASCII only; ValueError says what in it isn't JSON."""
    try:
        return _to_json(content)
    except (TypeError, ValueError) as error:
        raise ValueError(str(error)) from None
    except RecursionError:
        raise ValueError("it is nested too deeply") from None
