"""Checks what a webhook receives."""

import base64
import binascii
import hashlib
import hmac
import json
import time
from collections.abc import Mapping, Sequence
from typing import Any, cast

from .errors import TiercutError


def verify_webhook(
    headers: Mapping[str, str], body: bytes | str, secret: str | Sequence[str], tolerance: float = 300
) -> dict[str, Any]:
    """The event of a webhook, after its signature and its age are checked as Standard Webhooks says.

    `body` is what came: JSON that was parsed and written again has another signature. `secret` is `whsec_…`; several
    during a change of the secret. `tolerance` is how many seconds the clocks may differ. Raises TiercutError
    `client.signature` if the request was not signed with the secret, or is too old.
    """
    sent = {name.lower(): value for name, value in headers.items()}
    message_id, timestamp = sent.get("webhook-id"), sent.get("webhook-timestamp")
    signatures = sent.get("webhook-signature")
    if message_id is None or timestamp is None or signatures is None:
        raise _untrusted("The request has no webhook-id, webhook-timestamp or webhook-signature.")
    if not timestamp.isdecimal() or abs(time.time() - int(timestamp[:20])) > tolerance:
        raise _untrusted(f"The webhook-timestamp {timestamp} is not of the last minutes.")
    content = body.encode() if isinstance(body, str) else body
    signed = f"{message_id}.{timestamp}.".encode() + content
    for one in [secret] if isinstance(secret, str) else secret:
        digest = hmac.new(_key_of(one), signed, hashlib.sha256).digest()
        expected = "v1," + base64.b64encode(digest).decode()
        if any(hmac.compare_digest(expected.encode(), given.encode()) for given in signatures.split(" ")):
            return cast(dict[str, Any], json.loads(content))
    raise _untrusted("No signature of the request was made with this secret.")


def _key_of(secret: str) -> bytes:
    try:
        key = base64.b64decode(secret.removeprefix("whsec_"), validate=True)
    except (binascii.Error, ValueError):
        key = b""
    if not secret.startswith("whsec_") or key == b"":
        raise TiercutError("client.usage", 'A webhook secret is whsec_ and base64, as "tiercut secret" prints it.')
    return key


def _untrusted(detail: str) -> TiercutError:
    return TiercutError("client.signature", detail)
