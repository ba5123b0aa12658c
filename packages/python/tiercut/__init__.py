"""Uses a Tiercut service: media are sent once, videos made, followed and fetched. Standard library only."""

from . import wire
from .client import Client, FramePicture, Source, ThumbnailPicture, VideoRequest
from .errors import TiercutError
from .transfer import MediaProgress
from .webhooks import verify_webhook
from .wire import *

__all__ = [
    "Client",
    "FramePicture",
    "MediaProgress",
    "Source",
    "ThumbnailPicture",
    "TiercutError",
    "VideoRequest",
    "verify_webhook",
]
__all__ += wire.__all__
