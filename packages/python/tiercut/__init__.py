"""Uses a Tiercut service: media are sent once, videos made, followed and fetched. Standard library only."""

from .client import Client, TiercutError
from .webhooks import verify_webhook

__all__ = ["Client", "TiercutError", "verify_webhook"]
