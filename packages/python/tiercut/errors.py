"""The one error of the package."""

from __future__ import annotations

from typing import Any

from .wire import Issue

_PASSING = {408, 429, 502, 503, 504}


class TiercutError(Exception):
    """A failure: `code` is stable, `errors` has everything that is wrong with the request."""

    def __init__(
        self, code: str, detail: str, status: int = 0, errors: list[Issue] | None = None, retry_after: float = 0
    ):
        super().__init__(detail)
        self.code = code
        self.detail = detail
        self.status = status
        self.errors: list[Issue] = errors or []
        self.retry_after = retry_after

    @property
    def is_passing(self) -> bool:
        """Whether the same may work a moment later."""
        return self.code == "client.unreachable" or self.status in _PASSING


def unreachable(detail: str = "The service cannot be reached, or the connection was interrupted.") -> TiercutError:
    return TiercutError("client.unreachable", detail)


def failure_of(error: Any) -> TiercutError:
    """The error of an output, of captions."""
    given = error or {}
    code, detail = given.get("code", "export.failed"), given.get("detail", "The export failed.")
    return TiercutError(code, detail, errors=given.get("errors"))
