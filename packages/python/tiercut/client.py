"""The client. Addresses and types are in wire.py, which is generated from the OpenAPI document."""

import hashlib
import json
import os
import shutil
import time
import urllib.error
import urllib.parse
import urllib.request
import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from http.client import HTTPException, HTTPResponse
from typing import Any, Literal, cast

from .wire import (
    OPERATIONS,
    Batch,
    BatchList,
    BatchRow,
    CaptionLanguages,
    CaptionModel,
    CaptionModelReply,
    CaptionModels,
    Captions,
    Deliveries,
    DestinationTarget,
    Draft,
    DraftRequest,
    Event,
    EventDetails,
    EventList,
    Export,
    ExportList,
    Issue,
    ListedWebhook,
    Limits,
    LinkList,
    Media,
    MediaAddress,
    NewLink,
    Pauses,
    Preset,
    Presets,
    Project,
    ProjectList,
    ProjectMetadata,
    PublishingKit,
    RevisionList,
    SentDocuments,
    Settings,
    TierList,
    TimelineData,
    Usage,
    Validation,
    Webhook,
    WebhookList,
)

Source = str | os.PathLike[str] | Media | MediaAddress
"""A file of a request: its path, a value that `upload` returned, or the address that the service fetches it from."""

_PASSING = {408, 429, 502, 503, 504}
_ROOM_POLL = 5
"""Seconds between two creates while the queue is full, if the service does not say when."""


class TiercutError(Exception):
    """A failure: `code` is stable, `errors` has everything that is wrong with the request."""

    def __init__(self, code: str, detail: str, status: int = 0, errors: list[Issue] | None = None, retry_after: float = 0):
        super().__init__(detail)
        self.code = code
        self.detail = detail
        self.status = status
        self.errors = errors or []
        self.retry_after = retry_after

    @property
    def is_passing(self) -> bool:
        """Whether the same may work a moment later."""
        return self.code == "client.unreachable" or self.status in _PASSING


class Client:
    """A Tiercut service. Every call raises TiercutError; what may pass is tried again."""

    def __init__(self, url: str, key: str | None = None, retries: int = 4, timeout: float = 300):
        self._base = url.rstrip("/")
        self._key = key
        self._retries = retries
        self._timeout = timeout

    def upload(self, path: str | os.PathLike[str]) -> Media:
        """Sends a file, unless the service has it already."""
        sha256 = _hash_of(path)
        with self._send("putMedia", {"sha256": sha256}, body=path) as response:
            return cast(Media, json.load(response))

    def fetch_media(self, url: str) -> Media:
        """Lets the service fetch a file from a public HTTPS address, for any number of requests."""
        return cast(Media, self._json("fetchMedia", document={"url": url}))

    def has(self, sha256: str) -> bool:
        """Whether the service has a file, by the SHA-256 of its bytes."""
        with self._send("peekMedia", {"sha256": sha256}, accepts={404}) as response:
            return response.status != 404

    def media(self) -> Iterator[Mapping[str, Any]]:
        """Your stored files, last used first, page by page."""
        yield from _every_page(lambda cursor: self._json("listMedia", query={"cursor": cursor}), "media")

    def forget(self, sha256: str) -> None:
        """Removes a file of yours; exports that use it keep it."""
        self._send("deleteMedia", {"sha256": sha256}, accepts={404}).close()

    def save_media(self, sha256: str, path: str | os.PathLike[str]) -> None:
        """Writes a file that the service has to `path`."""
        self._save("getMedia", {"sha256": sha256}, path)

    def create(
        self,
        tier_list: TierList,
        timeline_data: TimelineData,
        settings: Settings | None = None,
        media: Mapping[str, Source] | None = None,
        external_id: str | None = None,
        callback_url: str | None = None,
        callback_events: Sequence[str] | None = None,
        idempotency_key: str | None = None,
        retention_hours: int | None = None,
        destinations: Mapping[str, str | DestinationTarget] | None = None,
        metadata: Mapping[str, str] | None = None,
        presets: Sequence[str] | None = None,
        room_within: float = 600,
    ) -> Export:
        """Begins an export, once its media are there; `media` has a source for each `file_field`.

        While too many exports wait (`queue.full`), it waits for room for `room_within` seconds.
        """
        document = self._document(
            tier_list, timeline_data, settings, media,
            external_id=external_id, callback_url=callback_url,
            callback_events=None if callback_events is None else list(callback_events),
            retention_hours=retention_hours,
            destinations=None if destinations is None else dict(destinations),
            metadata=None if metadata is None else dict(metadata),
            presets=None if presets is None else list(presets),
        )
        headers = {"Prefer": "respond-async", "Idempotency-Key": idempotency_key or uuid.uuid4().hex}
        waits_until = time.monotonic() + room_within
        while True:
            try:
                return cast(Export, self._json("createExport", document=document, headers=headers))
            except TiercutError as error:
                pause = error.retry_after or _ROOM_POLL
                if error.code != "queue.full" or time.monotonic() + pause > waits_until:
                    raise
                time.sleep(pause)

    def validate(
        self,
        tier_list: TierList,
        timeline_data: TimelineData,
        settings: Settings | None = None,
        media: Mapping[str, Source] | None = None,
    ) -> Validation:
        """Checks a request; nothing is made."""
        document = self._document(tier_list, timeline_data, settings, media)
        return cast(Validation, self._json("validateExport", document=document))

    def frame(
        self,
        tier_list: TierList,
        timeline_data: TimelineData,
        settings: Settings | None = None,
        media: Mapping[str, Source] | None = None,
        at: float = 0,
        preset: str | None = None,
        type: str = "image/png",
    ) -> tuple[bytes, int, int]:
        """One frame as the video will have it: the picture, its number, and how many there are."""
        document = self._document(tier_list, timeline_data, settings, media, at=at, preset=preset)
        with self._send("showFrame", document=document, headers={"Accept": type}) as response:
            headers = response.headers
            return response.read(), int(headers["Tiercut-Frame"]), int(headers["Tiercut-Frames"])

    def thumbnail(
        self,
        tier_list: TierList,
        timeline_data: TimelineData,
        settings: Settings | None = None,
        media: Mapping[str, Source] | None = None,
        style: str | None = None,
        text: str | None = None,
        items: Sequence[str] | None = None,
        orientation: str | None = None,
        type: str = "image/jpeg",
    ) -> bytes:
        """A thumbnail: a picture of less than 2 MB. `items` has ids."""
        document = self._document(
            tier_list, timeline_data, settings, media,
            style=style, text=text, items=None if items is None else ",".join(items), orientation=orientation,
        )
        with self._send("drawThumbnail", document=document, headers={"Accept": type}) as response:
            return response.read()

    def export_thumbnail(
        self,
        export_id: str,
        style: str | None = None,
        text: str | None = None,
        items: Sequence[str] | None = None,
        orientation: str | None = None,
        type: str = "image/jpeg",
    ) -> bytes:
        """The same of an export."""
        looks = {
            "style": style, "text": text, "items": None if items is None else ",".join(items),
            "orientation": orientation,
        }
        with self._send("getExportThumbnail", {"id": export_id}, query=looks, headers={"Accept": type}) as response:
            return response.read()

    def publishing_kit(self, export_id: str) -> PublishingKit:
        """Title, description, chapters and tags, to paste where the video is published."""
        return cast(PublishingKit, self._json("getPublishingKit", {"id": export_id}))

    def transcribe(
        self,
        media: str | os.PathLike[str] | Media,
        language: str | None = None,
        on_progress: Callable[[float], None] | None = None,
    ) -> Captions:
        """What is said in a file, with the time of each word."""
        sha256 = media["media"] if isinstance(media, dict) else self.upload(media)["media"]
        document = {"media_ref": sha256, **({"language": language} if language else {})}
        captions = cast(Captions, self._json("createCaptions", document=document, headers={"Prefer": "respond-async"}))
        while captions["state"] in ("queued", "running"):
            if on_progress is not None:
                on_progress(captions["progress"])
            time.sleep(1)
            captions = cast(Captions, self._json("getCaptions", {"captions_id": captions["captions_id"]}))
        error = captions.get("error")
        if error is not None:
            raise TiercutError(error["code"], error["detail"], errors=list(error["errors"]))
        return captions

    def caption_languages(self) -> Sequence[str]:
        """The languages that the service transcribes, as ISO 639 codes; none without a speech model."""
        return cast(CaptionLanguages, self._json("listCaptionLanguages"))["languages"]

    def caption_models(self) -> Sequence[CaptionModel]:
        """The speech models that the service can install, best first."""
        return cast(CaptionModels, self._json("listCaptionModels"))["models"]

    def install_caption_model(self, name: str) -> CaptionModel:
        """Starts to install a speech model. Needs the operator's key where there are keys."""
        return cast(CaptionModelReply, self._json("installCaptionModel", {"model": name}))["model"]

    def status(self, export_id: str) -> Export:
        """How an export stands."""
        return cast(Export, self._json("getExport", {"id": export_id}))

    def follow(self, export_id: str) -> Iterator[Export]:
        """How an export stands, now and on every change, until all of its presets are final.

        If it is deleted meanwhile, the last state is `cancelled`, or `expired` if its video was ready.
        """
        export: Any = None
        last_id, attempt = None, 0
        while True:
            try:
                resumed = {} if last_id is None else {"Last-Event-ID": last_id}
                headers = {"Accept": "text/event-stream", **resumed}
                with self._send("followExport", {"id": export_id}, headers=headers) as response:
                    if response.status == 204:
                        return
                    is_silent = True
                    for event in _events_of(response):
                        is_silent, attempt, last_id = False, 0, event["id"]
                        if event["event"] != "state" and export is None:
                            # After a reconnect, an event with only what has changed can come first.
                            export = self.status(export_id)
                        export = {**(export or {}), **json.loads(event["data"])}
                        yield cast(Export, export)
                        if export["state"] in ("cancelled", "expired"):
                            return
                # The next response shows whether the stream is complete. A silent service is not asked forever.
                if is_silent:
                    raise _unreachable()
            except TiercutError as error:
                if not error.is_passing or attempt == self._retries:
                    raise
                attempt += 1
                time.sleep(error.retry_after or 0.25 * 2**attempt)

    def wait(
        self, export_id: str, on_progress: Callable[[float], None] | None = None, preset: str | None = None
    ) -> Export:
        """Waits until a preset of an export is there: the one it was made for, or another, which is started if it is idle.

        Raises the failure of the export, and `export.cancelled` if it is deleted meanwhile.
        """
        for export in self.follow(export_id):
            shown: Any = export if preset is None else _output_of(export, preset)
            if preset is not None and shown["state"] == "idle":
                # A request for an idle video starts it.
                self._send("peekExport", {"id": export_id, "preset": preset}, headers={"Prefer": "wait=0"}).close()
            if on_progress is not None:
                on_progress(shown["progress"])
            if shown["state"] == "completed":
                return export
            if shown["state"] == "failed":
                error = shown.get("error") or {}
                code, detail = error.get("code", "export.failed"), error.get("detail", "The export failed.")
                raise TiercutError(code, detail, errors=error.get("errors"))
            if shown["state"] in ("cancelled", "expired"):
                raise TiercutError("export.cancelled", "The export ended before the video was ready.")
        raise TiercutError("export.not_ready", "The service stopped reporting before the video was ready.")

    def download(self, export_id: str, path: str | os.PathLike[str], preset: str | None = None) -> None:
        """Writes a video to a file, which is there as a whole or not at all; waits until the video is rendered."""
        preset = preset or self.status(export_id)["settings"]["preset"]
        self._save("downloadExport", {"id": export_id, "preset": preset}, path)

    def short(self, export_id: str, number: int, path: str | os.PathLike[str]) -> None:
        """Writes a short to a file, by its number in the metadata. The first request for a short makes it."""
        self._save("downloadShort", {"id": export_id, "number": str(number)}, path)

    def documents(self, export_id: str) -> SentDocuments:
        """The documents of an export as they were sent, and the hashes of its files."""
        return cast(SentDocuments, self._json("getDocuments", {"id": export_id}))

    def poster(self, export_id: str) -> bytes:
        """A JPEG of the finished board."""
        return self._bytes("getPoster", {"id": export_id})

    def chapters(self, export_id: str) -> str:
        """Chapters as text, one a line, made from the reveals."""
        return self._bytes("getChapters", {"id": export_id}).decode()

    def captions(self, export_id: str, format: Literal["vtt", "srt"] = "vtt") -> str:
        """All subtitles of the video, those from files included."""
        operation = "getCaptionsVtt" if format == "vtt" else "getCaptionsSrt"
        return self._bytes(operation, {"id": export_id}).decode()

    def deliveries(self, export_id: str) -> Deliveries:
        """The deliveries to the `callback_url` of an export so far."""
        return cast(Deliveries, self._json("listDeliveries", {"id": export_id}))

    def redeliver(self, export_id: str) -> Deliveries:
        """Sends the webhook to the `callback_url` once more, now. This request is not retried."""
        with self._send_once("redeliver", {"id": export_id}, headers={"Accept": "application/json"}) as response:
            return cast(Deliveries, json.load(response))

    def pauses(self, sha256: str, min_pause: float | None = None, padding: float | None = None) -> Pauses:
        """The pauses in the speech of a stored file, by the SHA-256 of its bytes."""
        given = {"media_ref": sha256, "min_pause": min_pause, "padding": padding}
        document = {name: value for name, value in given.items() if value is not None}
        return cast(Pauses, self._json("findPauses", document=document))

    def exports(self, **query: Any) -> Iterator[Export]:
        """Your exports, newest first, page by page. The query is that of `list`."""
        yield from _every_page(lambda cursor: self.list(**query, cursor=cursor), "exports")

    def list(
        self, state: str | None = None, external_id: str | None = None, limit: int | None = None, cursor: str | None = None,
        metadata: Mapping[str, str] | None = None, created_after: str | None = None, created_before: str | None = None,
    ) -> ExportList:
        """A page of your exports, newest first. Times are as in `created_at`, or days in UTC."""
        query = {
            "state": state, "external_id": external_id, "limit": limit, "cursor": cursor,
            "created_after": created_after, "created_before": created_before, **_pairs(metadata),
        }
        return cast(ExportList, self._json("listExports", query=query))

    def webhooks(self) -> Sequence[ListedWebhook]:
        """Your registered webhooks, which receive the events of all exports."""
        return cast(WebhookList, self._json("listWebhooks"))["webhooks"]

    def put_webhook(
        self, name: str, url: str, events: Sequence[str] | None = None, secret: str | None = None, enabled: bool = True
    ) -> Webhook:
        """Registers a webhook, or replaces it. The answer has the secret only if the service has made one."""
        given = {"url": url, "events": events, "secret": secret, "enabled": enabled}
        document = {key: value for key, value in given.items() if value is not None}
        return cast(Webhook, self._json("putWebhook", {"name": name}, document=document))

    def delete_webhook(self, name: str) -> None:
        """Deletes a registered webhook. Events that wait for it are dropped."""
        self._send("deleteWebhook", {"name": name}).close()

    def events(self, export_id: str | None = None, type: str | None = None) -> Iterator[Event]:
        """What happened to your exports, or to one of them, newest first. Reads the pages as you go on."""
        query: dict[str, Any] = {"type": type, "limit": 100}
        while True:
            if export_id is None:
                page = cast(EventList, self._json("listEvents", query=query))
            else:
                query["format"] = "list"
                page = cast(EventList, self._json("followExport", {"id": export_id}, query=query))
            yield from page["events"]
            if page["next"] is None:
                return
            query["cursor"] = page["next"]

    def event(self, event_id: str) -> EventDetails:
        """An event with its deliveries, by its id: the `webhook-id` of its messages."""
        return cast(EventDetails, self._json("getEvent", {"event_id": event_id}))

    def resend(self, event_id: str) -> EventDetails:
        """Sends an event once more, now, to each of its receivers."""
        return cast(EventDetails, self._json("resendEvent", {"event_id": event_id}))

    def delete(self, export_id: str) -> None:
        """Cancels what runs and removes every file."""
        self._send("deleteExport", {"id": export_id}).close()

    def stop(self, export_id: str, preset: str) -> None:
        """Stops the render of one preset. Finished presets stay, and the others go on."""
        self._send("stopOutput", {"id": export_id, "preset": preset}).close()

    def presets(self) -> Sequence[Preset]:
        """The three formats of the service, the default first: names, aliases, size and frame rate."""
        return cast(Presets, self._json("listPresets"))["presets"]

    def limits(self) -> Limits:
        """The limits of the service that a client can act on."""
        return cast(Limits, self._json("getLimits"))

    def put_draft(self, draft_id: str, draft: DraftRequest) -> None:
        """Has a video rendered while it is edited, under a UUID of your choice; its media are uploaded already."""
        self._send("putDraft", {"draft_id": draft_id}, document=draft).close()

    def get_draft(self, draft_id: str) -> Draft:
        """How much of a draft is rendered."""
        return cast(Draft, self._json("getDraft", {"draft_id": draft_id}))

    def delete_draft(self, draft_id: str) -> None:
        """Ends the rendering of a draft."""
        self._send("deleteDraft", {"draft_id": draft_id}).close()

    def usage(self, from_day: str | None = None, to_day: str | None = None) -> Usage:
        """What you have used, by UTC day (`2026-01-31`); the last 30 days by default, at most 92."""
        return cast(Usage, self._json("getUsage", query={"from": from_day, "to": to_day}))

    def create_batch(
        self, project: str, rows: Sequence[Mapping[str, Any]], idempotency_key: str | None = None, **fields: Any
    ) -> Batch:
        """A video for every row; `fields` are those of the batch: `settings`, `presets`, `metadata`, `on_error` …"""
        document = {"project": project, "rows": [dict(row) for row in rows], **fields}
        headers = {"Idempotency-Key": idempotency_key or uuid.uuid4().hex}
        return cast(Batch, self._json("createBatch", document=document, headers=headers))

    def batch(self, batch_id: str) -> Batch:
        """The state of a batch."""
        return cast(Batch, self._json("getBatch", {"batch_id": batch_id}))

    def batches(self, **query: Any) -> Iterator[Batch]:
        """Your batches, newest first, page by page. The query is that of `list_batches`."""
        yield from _every_page(lambda cursor: self.list_batches(**query, cursor=cursor), "batches")

    def list_batches(
        self, state: str | None = None, project: str | None = None, limit: int | None = None, cursor: str | None = None,
        metadata: Mapping[str, str] | None = None, created_after: str | None = None, created_before: str | None = None,
    ) -> BatchList:
        """A page of your batches, newest first. Times are as in `created_at`, or days in UTC."""
        query = {
            "state": state, "project": project, "limit": limit, "cursor": cursor,
            "created_after": created_after, "created_before": created_before, **_pairs(metadata),
        }
        return cast(BatchList, self._json("listBatches", query=query))

    def batch_rows(self, batch_id: str, state: str | None = None) -> Iterator[BatchRow]:
        """Its rows in their order, page by page."""
        path = {"batch_id": batch_id}
        yield from _every_page(
            lambda cursor: self._json("listBatchRows", path, query={"state": state, "limit": 100, "cursor": cursor}), "rows"
        )

    def batch_results(self, batch_id: str) -> str:
        """The table with what became of each row, as CSV."""
        with self._send("getBatchResults", {"batch_id": batch_id}) as response:
            return response.read().decode("utf-8-sig")

    def retry_batch(self, batch_id: str) -> Batch:
        """Makes failed and cancelled rows again."""
        return cast(Batch, self._json("retryBatch", {"batch_id": batch_id}))

    def cancel_batch(self, batch_id: str) -> None:
        """Cancels what has not ended; finished videos stay."""
        self._send("cancelBatch", {"batch_id": batch_id}).close()

    def save_project(self, project_id: str, project: Project, etag: str | None = None) -> ProjectMetadata:
        """Stores a project under a UUID of your choice; `etag` is the revision that you overwrite."""
        headers = {"If-Match": etag} if etag else {}
        return cast(ProjectMetadata, self._json("saveProject", {"project_id": project_id}, document=project, headers=headers))

    def get_project(self, project_id: str, revision: int | None = None) -> tuple[Project, str]:
        """The current revision of a project, or an earlier one, and its ETag."""
        if revision is None:
            return self._project("getProject", {"project_id": project_id})
        return self._project("getRevision", {"project_id": project_id, "revision": str(revision)})

    def shared_project(self, secret: str) -> tuple[Project, str]:
        """The project that a link reads, by the secret at the end of the link's `url`."""
        return self._project("getSharedProject", {"secret": secret})

    def projects(self) -> Iterator[Mapping[str, Any]]:
        """Your projects, last saved first, page by page."""
        yield from _every_page(lambda cursor: self.list_projects(cursor=cursor), "projects")

    def project_revisions(self, project_id: str) -> RevisionList:
        """The kept revisions, the last first."""
        return cast(RevisionList, self._json("listRevisions", {"project_id": project_id}))

    def set_project_thumbnail(self, project_id: str, path: str | os.PathLike[str]) -> None:
        """Sets the thumbnail: a PNG, JPEG or WebP of up to 256 KiB."""
        self._send("putThumbnail", {"project_id": project_id}, body=path).close()

    def project_links(self, project_id: str) -> LinkList:
        """The links that read a project."""
        return cast(LinkList, self._json("listLinks", {"project_id": project_id}))

    def revoke_link(self, project_id: str, link: str) -> None:
        """Ends a link."""
        self._send("revokeLink", {"project_id": project_id, "link": link}).close()

    def list_projects(self, limit: int | None = None, cursor: str | None = None) -> ProjectList:
        """A page of your projects, last saved first."""
        return cast(ProjectList, self._json("listProjects", query={"limit": limit, "cursor": cursor}))

    def download_project(self, project_id: str, path: str | os.PathLike[str]) -> None:
        """Writes a project with its revisions and media to a .zip file, which is there as a whole or not at all."""
        self._save("getProjectArchive", {"project_id": project_id}, path)

    def share_project(self, project_id: str) -> NewLink:
        """Makes a secret address that reads the project and its media without a key."""
        return cast(NewLink, self._json("shareProject", {"project_id": project_id}))

    def delete_project(self, project_id: str) -> None:
        """Deletes a project with its revisions and links."""
        self._send("deleteProject", {"project_id": project_id}).close()

    def _document(self, tier_list: Any, timeline_data: Any, settings: Any, media: Any, **members: Any) -> dict[str, Any]:
        """The members of a JSON body; files that the service lacks are sent first."""
        references, addresses = {}, {}
        for field, source in (media or {}).items():
            if isinstance(source, dict) and "url" in source:
                addresses[field] = source["url"]
            else:
                references[field] = source["media"] if isinstance(source, dict) else self.upload(source)["media"]
        members |= {"tier_list": tier_list, "timeline_data": timeline_data, "settings": settings}
        members |= {"media_refs": references, "media_urls": addresses or None}
        return {name: value for name, value in members.items() if value is not None}

    def _save(self, operation: str, parameters: dict[str, str], path: str | os.PathLike[str]) -> None:
        unfinished = f"{os.fspath(path)}.part"
        try:
            with self._send(operation, parameters) as response, open(unfinished, "wb") as file:
                shutil.copyfileobj(response, file)
                length = response.headers["Content-Length"]
            if length is not None and os.path.getsize(unfinished) != int(length):
                raise TiercutError("client.unreachable", "The connection was interrupted before the whole file arrived.")
            os.replace(unfinished, path)
        finally:
            if os.path.exists(unfinished):
                os.remove(unfinished)

    def _project(self, operation: str, parameters: Mapping[str, str]) -> tuple[Project, str]:
        with self._send(operation, parameters) as response:
            return cast(Project, json.load(response)), response.headers["ETag"]

    def _bytes(self, operation: str, parameters: Mapping[str, str]) -> bytes:
        with self._send(operation, parameters) as response:
            return response.read()

    def _json(self, operation: str, parameters: Mapping[str, str] | None = None, **options: Any) -> Any:
        headers = {"Accept": "application/json", **options.pop("headers", {})}
        with self._send(operation, parameters or {}, headers=headers, **options) as response:
            return json.load(response)

    def _send(self, operation: str, parameters: Mapping[str, str] | None = None, **options: Any) -> HTTPResponse:
        """Sends a request, again for as long as its failure may pass."""
        for attempt in range(self._retries + 1):
            try:
                return self._send_once(operation, parameters or {}, **options)
            except TiercutError as error:
                # `create` waits for room for as long as its caller allows.
                if not error.is_passing or error.code == "queue.full" or attempt == self._retries:
                    raise
                time.sleep(error.retry_after or 0.25 * 2**attempt)
        raise AssertionError("unreachable")

    def _send_once(
        self,
        operation: str,
        parameters: Mapping[str, str],
        query: Mapping[str, Any] | None = None,
        body: Any = None,
        document: Mapping[str, Any] | None = None,
        headers: Mapping[str, str] | None = None,
        accepts: set[int] = frozenset(),  # type: ignore[assignment]
    ) -> HTTPResponse:
        method, path = OPERATIONS[operation]
        path = path.format(**{name: urllib.parse.quote(value, safe="") for name, value in parameters.items()})
        given = {name: value for name, value in (query or {}).items() if value is not None}
        address = f"{self._base}{path}{'?' + urllib.parse.urlencode(given) if given else ''}"
        sent = dict(headers or {})
        if document is not None:
            body, sent["Content-Type"] = json.dumps(document).encode(), "application/json"
        file = open(body, "rb") if isinstance(body, (str, os.PathLike)) else None
        if file is not None:
            sent |= {"Content-Type": "application/octet-stream", "Content-Length": str(os.path.getsize(body))}
        request = urllib.request.Request(address, method=method, data=file or body, headers=sent)
        if self._key is not None:
            # A download may be redirected to an object store, which must not get the key.
            request.add_unredirected_header("Authorization", f"Bearer {self._key}")
        try:
            return cast(HTTPResponse, urllib.request.urlopen(request, timeout=self._timeout))
        except urllib.error.HTTPError as response:
            if response.code in accepts:
                return cast(HTTPResponse, response)
            raise _error_of(response) from None
        except (urllib.error.URLError, HTTPException, OSError) as cause:
            raise _unreachable() from cause
        finally:
            if file is not None:
                file.close()


def _pairs(metadata: Mapping[str, str] | None) -> dict[str, str]:
    """Pairs of metadata as parameters of a list."""
    return {f"metadata.{key}": value for key, value in (metadata or {}).items()}


def _events_of(response: HTTPResponse) -> Iterator[dict[str, str]]:
    """The events of a stream, as Server-Sent Events defines them."""
    event: dict[str, str] = {}
    try:
        for line in response:
            text = line.decode().rstrip("\r\n")
            if text == "":
                if "data" in event:
                    yield {"event": "message", "id": "", **event}
                event = {}
            elif not text.startswith(":"):
                name, _, value = text.partition(":")
                value = value.removeprefix(" ")
                event[name] = f"{event[name]}\n{value}" if name == "data" and name in event else value
    except (HTTPException, OSError) as cause:
        raise _unreachable() from cause


def _every_page(page: Callable[[str | None], Any], entries: str) -> Iterator[Any]:
    cursor = None
    while True:
        shown = page(cursor)
        yield from shown[entries]
        cursor = shown["next"]
        if cursor is None:
            return


def _output_of(export: Export, preset: str) -> Any:
    """The output of a preset, by its name or an alias."""
    for name, output in cast(Any, export["outputs"]).items():
        if preset in (name, output.get("name")):
            return output
    raise TiercutError("client.unexpected", f"The export has no {preset}, but {', '.join(export['outputs'])}.")


def _unreachable() -> TiercutError:
    return TiercutError("client.unreachable", "The service cannot be reached, or the connection was interrupted.")


def _hash_of(path: str | os.PathLike[str]) -> str:
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _error_of(response: urllib.error.HTTPError) -> TiercutError:
    after = response.headers.get("Retry-After", "")
    seconds = float(after) if after.isdigit() else 0
    try:
        problem = json.load(response)
        return TiercutError(problem["code"], problem["detail"], response.code, problem.get("errors", []), seconds)
    except (ValueError, KeyError, TypeError):
        return TiercutError("client.unexpected", f"The service responded with {response.code}.", response.code, [], seconds)
