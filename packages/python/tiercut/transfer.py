"""Files on their way to the service and back. Both directions continue after a broken connection."""

import hashlib
import os
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from http.client import HTTPException, HTTPResponse
from typing import Any, BinaryIO, Literal, NamedTuple, cast

from .connection import Connection
from .errors import TiercutError, unreachable
from .wire import Media

Path = str | os.PathLike[str]

PART_BYTES = 8 * 2**20
"""Bytes of a file that one request sends."""
_BLOCK = 2**20


class MediaProgress(NamedTuple):
    """How much of a file is read for its hash, or sent."""

    stage: Literal["hashing", "sending"]
    done: int
    bytes: int
    field: str | None = None
    """The `file_field`, if the file belongs to a request."""


OnMedia = Callable[[MediaProgress], None]


def upload(
    connection: Connection, path: Path, tell: OnMedia | None, sha256: str | None, part_bytes: int
) -> Media:
    """Sends a file unless the service has it: in parts, and only those that the service lacks."""
    with open(path, "rb") as file:
        size = os.fstat(file.fileno()).st_size
        if size == 0:
            raise TiercutError("client.usage", "The file is empty: there is nothing to upload.")
        tell = tell or (lambda progress: None)
        named = {"sha256": sha256 or _hash_of(file, size, tell)}
        done = _received(connection, named)
        attempt = 0
        while True:
            tell(MediaProgress("sending", done, size))
            # If the service has the content already, a single byte gets the same response as all bytes.
            start = min(done, size - 1)
            file.seek(start)
            part = file.read(part_bytes)
            headers = {"Content-Range": f"bytes {start}-{start + len(part) - 1}/{size}"}
            try:
                answer = connection.json_once("putMedia", named, body=part, headers=headers)
                if "received" not in answer:
                    tell(MediaProgress("sending", size, size))
                    return cast(Media, answer)
                done, attempt = answer["received"], 0
            except TiercutError as error:
                # 409: the service has another part of it than expected.
                connection.passed(unreachable(error.detail) if error.status == 409 else error, attempt)
                attempt += 1
                done = _received(connection, named)


def save(
    connection: Connection, operation: str, parameters: Mapping[str, str], path: Path, sha256: str | None = None
) -> None:
    """Writes a file of the service to `path`, as a whole or not at all, after its hash has been compared.

    `sha256` is the hash where the caller knows it; otherwise the service names it.
    """

    def ask(headers: Mapping[str, str], method: str | None = None) -> HTTPResponse:
        return connection.again(lambda: connection.send(operation, parameters, headers=headers, method=method))

    with _replaced(path) as file:
        response = ask({})
        is_elsewhere = response.url != connection.address(operation, parameters)
        if sha256 is None and is_elsewhere:
            # The object store that a service redirects to has ETags of its own: HEAD asks the service itself.
            with ask({}, "HEAD") as described:
                sha256 = _hash_in(described)
        sha256 = sha256 or _hash_in(response)
        if sha256 is None:
            response.close()
            raise TiercutError("client.unexpected", "The response is not a file of a Tiercut service.", response.status)
        digest = hashlib.sha256()
        attempt = 0
        while True:
            before = file.tell()
            try:
                _copy(response, file, digest)
                break
            except TiercutError as error:
                attempt = 0 if file.tell() > before else attempt
                connection.passed(error, attempt)
                attempt += 1
            # The hash at the end also shows whether it is still the same file.
            unchanged = {} if is_elsewhere else {"If-Range": f'"{sha256}"'}
            response = ask({"Range": f"bytes={file.tell()}-", **unchanged})
            if response.status != 206:
                response.close()
                raise TiercutError("client.changed", "The file changed during the download.")
        if digest.hexdigest() != sha256:
            raise TiercutError("client.damaged", "The downloaded bytes do not match the SHA-256 of the service.")


def save_once(connection: Connection, operation: str, parameters: Mapping[str, str], path: Path) -> None:
    """Writes what the service makes while it sends it: there is no hash, and no second part."""
    with _replaced(path) as file:
        _copy(connection.again(lambda: connection.send(operation, parameters)), file, hashlib.sha256())


@contextmanager
def _replaced(path: Path) -> Iterator[BinaryIO]:
    """A file beside `path` that takes its place if everything goes well, and is removed otherwise."""
    unfinished = f"{os.fspath(path)}.part"
    try:
        with open(unfinished, "wb") as file:
            yield file
        os.replace(unfinished, path)
    finally:
        with suppress(FileNotFoundError):
            os.remove(unfinished)


def _copy(response: HTTPResponse, file: BinaryIO, digest: Any) -> None:
    """Appends a body to a file. Raises if it ends before its length."""
    length = response.headers["Content-Length"]
    left = None if length is None else int(length)
    with response:
        while block := _block_of(response):
            digest.update(block)
            file.write(block)
            left = None if left is None else left - len(block)
    if left:
        raise unreachable("The connection was interrupted before the whole file arrived.")


def _block_of(response: HTTPResponse) -> bytes:
    try:
        return response.read(_BLOCK)
    except (HTTPException, OSError) as cause:
        raise unreachable() from cause


def _hash_in(response: HTTPResponse) -> str | None:
    tag = re.fullmatch(r'"([0-9a-f]{64})"', response.headers.get("ETag", ""))
    return tag and tag[1]


def _received(connection: Connection, named: Mapping[str, str]) -> int:
    with connection.again(lambda: connection.send("peekMedia", named, accepts={404})) as head:
        return int(head.headers.get("Upload-Offset", 0))


def _hash_of(file: BinaryIO, size: int, tell: OnMedia) -> str:
    digest = hashlib.sha256()
    done = 0
    while block := file.read(_BLOCK):
        digest.update(block)
        done += len(block)
        tell(MediaProgress("hashing", done, size))
    return digest.hexdigest()
