"""The connection to a service: addresses, the key, errors, and retries."""

import json
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Callable, Collection, Iterator, Mapping
from http.client import HTTPException, HTTPResponse
from typing import Any, TypeVar, cast

from .errors import TiercutError, unreachable
from .wire import OPERATIONS

_FIRST_PAUSE = 0.25
_LONGEST_PAUSE = 8
"""Seconds between two tries, if the service does not say when."""

Result = TypeVar("Result")


class _Redirects(urllib.request.HTTPRedirectHandler):
    """A download that waits for its video redirects to itself; urllib follows only four of those."""

    max_repeats = max_redirections = 20


class Connection:
    """Sends the operations of `wire.py`."""

    def __init__(self, url: str, key: str | None, retries: int, timeout: float):
        self._base = url.rstrip("/")
        self._key = key
        self._retries = retries
        self._timeout = timeout
        self._opener = urllib.request.build_opener(_Redirects)

    def json(self, operation: str, parameters: Mapping[str, str] | None = None, **options: Any) -> Any:
        """The JSON of a response. A request that fails may be sent again."""
        return self.again(lambda: self.json_once(operation, parameters, **options))

    def json_once(self, operation: str, parameters: Mapping[str, str] | None = None, **options: Any) -> Any:
        """The same for a request whose effect must not be doubled: it is sent once."""
        headers = {"Accept": "application/json", **options.pop("headers", {})}
        with self.send(operation, parameters, headers=headers, **options) as response:
            return json_of(response)

    def read(self, operation: str, parameters: Mapping[str, str] | None = None, **options: Any) -> bytes:
        """The bytes of a response."""

        def once() -> bytes:
            with self.send(operation, parameters, **options) as response:
                return whole(response)

        return self.again(once)

    def run(self, operation: str, parameters: Mapping[str, str] | None = None, **options: Any) -> None:
        """Sends a request whose response has no content."""
        self.again(lambda: self.send(operation, parameters, **options).close())

    def again(self, work: Callable[[], Result]) -> Result:
        """Runs a request that can be repeated, again for as long as its failure may pass."""
        attempt = 0
        while True:
            try:
                return work()
            except TiercutError as error:
                self.passed(error, attempt)
                attempt += 1

    def passed(self, error: TiercutError, attempt: int) -> None:
        """Returns when the failed request may be sent again. Raises the error if it may not."""
        # `create` waits for room for as long as its caller allows.
        if not error.is_passing or error.code == "queue.full" or attempt >= self._retries:
            raise error
        time.sleep(error.retry_after or min(_LONGEST_PAUSE, _FIRST_PAUSE * 2**attempt))

    def address(self, operation: str, parameters: Mapping[str, str] | None = None) -> str:
        """The address of an operation, without a query."""
        named = {name: urllib.parse.quote(value, safe="") for name, value in (parameters or {}).items()}
        return self._base + OPERATIONS[operation][1].format(**named)

    def send(
        self,
        operation: str,
        parameters: Mapping[str, str] | None = None,
        query: Mapping[str, Any] | None = None,
        body: bytes | None = None,
        document: Mapping[str, Any] | None = None,
        headers: Mapping[str, str] | None = None,
        accepts: Collection[int] = (),
        method: str | None = None,
    ) -> HTTPResponse:
        """Sends a request once. `accepts` has statuses that are a result rather than an error."""
        given = {name: value for name, value in (query or {}).items() if value is not None}
        address = self.address(operation, parameters) + ("?" + urllib.parse.urlencode(given) if given else "")
        sent = dict(headers or {})
        if document is not None:
            body, sent["Content-Type"] = json.dumps(document).encode(), "application/json"
        elif body is not None:
            sent.setdefault("Content-Type", "application/octet-stream")
        request = urllib.request.Request(address, method=method or OPERATIONS[operation][0], data=body, headers=sent)
        if self._key is not None:
            # A download may be redirected to an object store, which must not get the key.
            request.add_unredirected_header("Authorization", f"Bearer {self._key}")
        try:
            return cast(HTTPResponse, self._opener.open(request, timeout=self._timeout))
        except urllib.error.HTTPError as response:
            if response.code in accepts:
                return cast(HTTPResponse, response)
            raise _error_of(response) from None
        except (urllib.error.URLError, HTTPException, OSError) as cause:
            raise unreachable() from cause


def whole(response: HTTPResponse) -> bytes:
    """All bytes of a response."""
    try:
        return response.read()
    except (HTTPException, OSError) as cause:
        raise unreachable() from cause


def json_of(response: HTTPResponse) -> Any:
    """The JSON of a response."""
    content = whole(response)
    try:
        return json.loads(content)
    except ValueError as cause:
        raise TiercutError("client.unexpected", "The response does not come from a Tiercut service.") from cause


def every_page(page: Callable[[str | None], Any], entries: str) -> Iterator[Any]:
    """Yields the entries of a list, page by page."""
    cursor = None
    while True:
        shown = page(cursor)
        yield from shown[entries]
        cursor = shown["next"]
        if cursor is None:
            return


def _error_of(response: urllib.error.HTTPError) -> TiercutError:
    after = response.headers.get("Retry-After", "")
    seconds = float(after) if after.isdigit() else 0
    try:
        problem = json.load(response)
        return TiercutError(problem["code"], problem["detail"], response.code, problem.get("errors", []), seconds)
    except (ValueError, KeyError, TypeError, HTTPException, OSError):
        detail = f"The service responded with {response.code}."
        return TiercutError("client.unexpected", detail, response.code, [], seconds)
