"""The client. Addresses and types are in wire.py, which is generated from the OpenAPI document."""

import json
import os
import time
import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from http.client import HTTPException, HTTPResponse
from typing import Any, Literal, NamedTuple, NotRequired, TypedDict, cast

from .connection import Connection, every_page, json_of, whole
from .errors import TiercutError, failure_of, unreachable
from .transfer import PART_BYTES, MediaProgress, OnMedia, Path, save, save_once, upload
from .wire import (
    Batch,
    BatchList,
    BatchRow,
    BatchRows,
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
    Fonts,
    FontsFonts,
    Issue,
    KnownMedia,
    KnownMediaMedia,
    Limits,
    LinkList,
    ListedWebhook,
    Media,
    MediaAddress,
    MediaListMedia,
    NewLink,
    Pauses,
    Preset,
    Presets,
    Project,
    ProjectList,
    ProjectListProjects,
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


class VideoRequest(TypedDict):
    """The documents of a video, and a source for each `file_field`."""

    tier_list: TierList
    timeline_data: TimelineData
    settings: NotRequired[Settings]
    media: NotRequired[Mapping[str, Source]]


class FramePicture(NamedTuple):
    """One frame of a video."""

    picture: bytes
    frame: int
    """Its number, of how many, and when it is shown."""
    frames: int
    time: float
    warnings: list[Issue]


class ThumbnailPicture(NamedTuple):
    """A thumbnail: a file of less than 2 MB."""

    picture: bytes
    warnings: list[Issue]


_ROOM_POLL = 5
"""Seconds between two creates while the queue is full, if the service does not say when."""
_KNOWN_AT_ONCE = 100


class Client:
    """A Tiercut service. Every call raises TiercutError; what may pass is tried again."""

    def __init__(self, url: str, key: str | None = None, retries: int = 4, timeout: float = 300):
        self._connection = Connection(url, key, retries, timeout)

    def upload(
        self,
        path: Path,
        on_progress: OnMedia | None = None,
        sha256: str | None = None,
        part_bytes: int = PART_BYTES,
    ) -> Media:
        """Sends a file, unless the service has it already; resumes an earlier upload of it.

        With `sha256` the file is not read for its hash. `part_bytes` is how much one request sends.
        """
        return upload(self._connection, path, on_progress, sha256, part_bytes)

    def fetch_media(self, url: str) -> Media:
        """Lets the service fetch a file from a public HTTPS address, for any number of requests."""
        return cast(Media, self._connection.json("fetchMedia", document={"url": url}))

    def has(self, sha256: str) -> bool:
        """Whether the service has a file, by the SHA-256 of its bytes."""
        return self.known([sha256])[sha256]["stored"]

    def known(self, sha256s: Sequence[str]) -> dict[str, KnownMediaMedia]:
        """How much of each file the service has: `stored`, or the `received` bytes of an unfinished upload.

        Any number of files, in requests of 100.
        """
        found: dict[str, KnownMediaMedia] = {}
        for at in range(0, len(sha256s), _KNOWN_AT_ONCE):
            document = {"media": [*sha256s[at : at + _KNOWN_AT_ONCE]]}
            page = cast(KnownMedia, self._connection.json("knownMedia", document=document))
            found |= {one["media"]: one for one in page["media"]}
        return found

    def media(self) -> Iterator[MediaListMedia]:
        """Your stored files, last used first, page by page."""
        yield from every_page(lambda cursor: self._connection.json("listMedia", query={"cursor": cursor}), "media")

    def forget(self, sha256: str) -> None:
        """Removes a file of yours; exports that use it keep it."""
        self._connection.run("deleteMedia", {"sha256": sha256}, accepts={404})

    def save_media(self, sha256: str, path: str | os.PathLike[str]) -> None:
        """Writes a file that the service has to `path`."""
        save(self._connection, "getMedia", {"sha256": sha256}, path, sha256)

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
        on_upload: OnMedia | None = None,
    ) -> Export:
        """Begins an export, once its media are there; `media` has a source for each `file_field`.

        While too many exports wait (`queue.full`), it waits for room for `room_within` seconds.
        """
        document = self._documents(
            _request(tier_list, timeline_data, settings, media), on_upload,
            external_id=external_id, callback_url=callback_url, callback_events=callback_events and list(callback_events),
            retention_hours=retention_hours, destinations=destinations and dict(destinations),
            metadata=metadata and dict(metadata), presets=presets and list(presets),
        )
        return self._create("createExport", {}, document, idempotency_key, room_within)

    def validate(
        self,
        tier_list: TierList,
        timeline_data: TimelineData,
        settings: Settings | None = None,
        media: Mapping[str, Source] | None = None,
        on_upload: OnMedia | None = None,
    ) -> Validation:
        """Checks a request; nothing is made."""
        document = self._documents(_request(tier_list, timeline_data, settings, media), on_upload)
        return cast(Validation, self._connection.json("validateExport", document=document))

    def frame(
        self,
        tier_list: TierList,
        timeline_data: TimelineData,
        settings: Settings | None = None,
        media: Mapping[str, Source] | None = None,
        at: float | None = None,
        frame: int | None = None,
        preset: str | None = None,
        type: str = "image/png",
        on_upload: OnMedia | None = None,
    ) -> FramePicture:
        """One frame as the video will have it: by its time in seconds, or by its number; without both, the first."""
        request = _request(tier_list, timeline_data, settings, media)
        document = self._documents(request, on_upload, **_place(at, frame), preset=preset)
        return self._frame("showFrame", {}, document, type)

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
        on_upload: OnMedia | None = None,
    ) -> ThumbnailPicture:
        """A thumbnail. `items` has ids."""
        looks = _looks(style, text, items, orientation)
        document = self._documents(_request(tier_list, timeline_data, settings, media), on_upload, **looks)
        return self._thumbnail("drawThumbnail", type, document=document)

    def export_thumbnail(
        self,
        export_id: str,
        style: str | None = None,
        text: str | None = None,
        items: Sequence[str] | None = None,
        orientation: str | None = None,
        type: str = "image/jpeg",
    ) -> ThumbnailPicture:
        """The same of an export."""
        query = _looks(style, text, items, orientation)
        return self._thumbnail("getExportThumbnail", type, parameters={"id": export_id}, query=query)

    def publishing_kit(self, export_id: str) -> PublishingKit:
        """Title, description, chapters and tags, to paste where the video is published."""
        return cast(PublishingKit, self._connection.json("getPublishingKit", {"id": export_id}))

    def transcribe(
        self,
        heard: str | os.PathLike[str] | Media | VideoRequest,
        language: str | None = None,
        on_progress: Callable[[float], None] | None = None,
        on_upload: OnMedia | None = None,
    ) -> Captions:
        """What is said in a file, or by the voice of a video, with the time of each word.

        An exception of `on_progress`, or Ctrl+C, cancels it.
        """
        if isinstance(heard, dict) and "timeline_data" in heard:
            document = self._documents(cast(VideoRequest, heard), on_upload)
        else:
            document = {"media_ref": self._reference(heard, on_upload)}
        document = _given({**document, "language": language})
        headers = {"Prefer": "respond-async"}
        captions = cast(Captions, self._connection.json("createCaptions", document=document, headers=headers))
        named = {"captions_id": captions["captions_id"]}
        try:
            while captions["state"] in ("queued", "running"):
                if on_progress is not None:
                    on_progress(captions["progress"])
                time.sleep(1)
                captions = cast(Captions, self._connection.json("getCaptions", named))
        except TiercutError:
            raise
        except BaseException:
            with suppress(TiercutError):
                self._connection.send("deleteCaptions", named, accepts={404}).close()
            raise
        if "error" in captions:
            raise failure_of(captions["error"])
        return captions

    def caption_languages(self) -> Sequence[str]:
        """The languages that the service transcribes, as ISO 639 codes; none without a speech model."""
        return cast(CaptionLanguages, self._connection.json("listCaptionLanguages"))["languages"]

    def caption_models(self) -> Sequence[CaptionModel]:
        """The speech models that the service can install, best first."""
        return cast(CaptionModels, self._connection.json("listCaptionModels"))["models"]

    def install_caption_model(self, name: str) -> CaptionModel:
        """Starts to install a speech model. Needs the operator's key where there are keys."""
        return cast(CaptionModelReply, self._connection.json("installCaptionModel", {"model": name}))["model"]

    def status(self, export_id: str) -> Export:
        """How an export stands."""
        return cast(Export, self._connection.json("getExport", {"id": export_id}))

    def follow(self, export_id: str) -> Iterator[Export]:
        """How an export stands, now and on every change, until all of its presets are final.

        If it is deleted meanwhile, the last state is `cancelled`, or `expired` if its video was ready.
        """
        export: Any = None
        last_id, attempt = None, 0
        while True:
            try:
                resumed: dict[str, str] = {} if last_id is None else {"Last-Event-ID": last_id}
                headers = {"Accept": "text/event-stream", **resumed}
                with self._connection.send("followExport", {"id": export_id}, headers=headers) as response:
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
                    raise unreachable()
            except TiercutError as error:
                self._connection.passed(error, attempt)
                attempt += 1

    def wait(
        self, export_id: str, on_progress: Callable[[float], None] | None = None, preset: str | None = None
    ) -> Export:
        """Waits until a preset of an export is there: the one it was made for, or another, which is started if it is idle.

        Raises the failure of the export, and `export.cancelled` if it is deleted meanwhile.
        """
        for export in self.follow(export_id):
            shown: Any = export if preset is None else self._output(export, preset)
            if preset is not None and shown["state"] == "idle":
                # A request for an idle video starts it.
                self._connection.run("peekExport", {"id": export_id, "preset": preset}, headers={"Prefer": "wait=0"})
            if on_progress is not None:
                on_progress(shown["progress"])
            if shown["state"] == "completed":
                return export
            if shown["state"] == "failed":
                raise failure_of(shown.get("error"))
            if shown["state"] in ("cancelled", "expired"):
                raise TiercutError("export.cancelled", "The export ended before the video was ready.")
        raise TiercutError("export.not_ready", "The service stopped reporting before the video was ready.")

    def download(self, export_id: str, path: str | os.PathLike[str], preset: str | None = None) -> None:
        """Writes a video to a file, which is there as a whole or not at all; waits until the video is rendered."""
        preset = preset or self.status(export_id)["settings"]["preset"]
        save(self._connection, "downloadExport", {"id": export_id, "preset": preset}, path)

    def short(self, export_id: str, number: int, path: str | os.PathLike[str]) -> None:
        """Writes a short to a file, by its number in the metadata. The first request for a short makes it."""
        save(self._connection, "downloadShort", {"id": export_id, "number": str(number)}, path)

    def documents(self, export_id: str) -> SentDocuments:
        """The documents of an export as they were sent, and the hashes of its files."""
        return cast(SentDocuments, self._connection.json("getDocuments", {"id": export_id}))

    def poster(self, export_id: str) -> bytes:
        """A JPEG of the finished board."""
        return self._connection.read("getPoster", {"id": export_id})

    def chapters(self, export_id: str) -> str:
        """Chapters as text, one a line, made from the reveals."""
        return self._connection.read("getChapters", {"id": export_id}).decode()

    def captions(self, export_id: str, format: Literal["vtt", "srt"] = "vtt") -> str:
        """All subtitles of the video, those from files included."""
        operation = "getCaptionsVtt" if format == "vtt" else "getCaptionsSrt"
        return self._connection.read(operation, {"id": export_id}).decode()

    def deliveries(self, export_id: str) -> Deliveries:
        """The deliveries to the `callback_url` of an export so far."""
        return cast(Deliveries, self._connection.json("listDeliveries", {"id": export_id}))

    def redeliver(self, export_id: str, event_id: str | None = None) -> Deliveries:
        """Sends an event to the receivers of an export once more, now.

        Without `event_id` it is the first that is not delivered, otherwise the last. This request is not retried.
        """
        document = None if event_id is None else {"event_id": event_id}
        return cast(Deliveries, self._connection.json_once("redeliver", {"id": export_id}, document=document))

    def pauses(self, sha256: str, min_pause: float | None = None, padding: float | None = None) -> Pauses:
        """The pauses in the speech of a stored file, by the SHA-256 of its bytes."""
        document = _given({"media_ref": sha256, "min_pause": min_pause, "padding": padding})
        return cast(Pauses, self._connection.json("findPauses", document=document))

    def exports(self, **query: Any) -> Iterator[Export]:
        """Your exports, newest first, page by page. The query is that of `list`."""
        yield from every_page(lambda cursor: self.list(**query, cursor=cursor), "exports")

    def list(
        self, state: str | None = None, external_id: str | None = None, limit: int | None = None, cursor: str | None = None,
        metadata: Mapping[str, str] | None = None, created_after: str | None = None, created_before: str | None = None,
    ) -> ExportList:
        """A page of your exports, newest first. Times are as in `created_at`, or days in UTC."""
        query = {
            "state": state, "external_id": external_id, "limit": limit, "cursor": cursor,
            "created_after": created_after, "created_before": created_before, **_pairs(metadata),
        }
        return cast(ExportList, self._connection.json("listExports", query=query))

    def webhooks(self) -> Sequence[ListedWebhook]:
        """Your registered webhooks, which receive the events of all exports."""
        return cast(WebhookList, self._connection.json("listWebhooks"))["webhooks"]

    def get_webhook(self, name: str) -> Webhook:
        """A registered webhook, by its name."""
        return cast(Webhook, self._connection.json("getWebhook", {"name": name}))

    def put_webhook(
        self, name: str, url: str, events: Sequence[str] | None = None, secret: str | None = None, enabled: bool = True
    ) -> Webhook:
        """Registers a webhook, or replaces it. The answer has the secret only if the service has made one."""
        document = _given({"url": url, "events": events and list(events), "secret": secret, "enabled": enabled})
        return cast(Webhook, self._connection.json("putWebhook", {"name": name}, document=document))

    def delete_webhook(self, name: str) -> None:
        """Deletes a registered webhook. Events that wait for it are dropped."""
        self._connection.run("deleteWebhook", {"name": name})

    def events(self, export_id: str | None = None, type: str | None = None) -> Iterator[Event]:
        """What happened to your exports, or to one of them, newest first. Reads the pages as you go on."""
        query: dict[str, Any] = {"type": type, "limit": 100}
        while True:
            if export_id is None:
                page = cast(EventList, self._connection.json("listEvents", query=query))
            else:
                query["format"] = "list"
                page = cast(EventList, self._connection.json("followExport", {"id": export_id}, query=query))
            yield from page["events"]
            if page["next"] is None:
                return
            query["cursor"] = page["next"]

    def event(self, event_id: str) -> EventDetails:
        """An event with its deliveries, by its id: the `webhook-id` of its messages."""
        return cast(EventDetails, self._connection.json("getEvent", {"event_id": event_id}))

    def resend(self, event_id: str, webhook: str | None = None) -> EventDetails:
        """Sends an event once more, now, to each of its receivers, or to one registered webhook by its name.

        This request is not retried.
        """
        document = None if webhook is None else {"webhook": webhook}
        return cast(EventDetails, self._connection.json_once("resendEvent", {"event_id": event_id}, document=document))

    def delete(self, export_id: str) -> None:
        """Cancels what runs and removes every file."""
        gone: set[int] = set()

        def once() -> None:
            # If a retry finds it gone, the response to the first request was lost.
            accepts = set(gone)
            gone.add(404)
            self._connection.send("deleteExport", {"id": export_id}, accepts=accepts).close()

        self._connection.again(once)

    def stop(self, export_id: str, preset: str) -> None:
        """Stops the render of one preset. Finished presets stay, and the others go on."""
        self._connection.run("stopOutput", {"id": export_id, "preset": preset})

    def presets(self) -> Sequence[Preset]:
        """The three formats of the service, the default first: names, aliases, size and frame rate."""
        return cast(Presets, self._connection.json("listPresets"))["presets"]

    def fonts(self) -> Sequence[FontsFonts]:
        """The fonts that a request can name, with their weights."""
        return cast(Fonts, self._connection.json("listFonts"))["fonts"]

    def limits(self) -> Limits:
        """The limits of the service that a client can act on."""
        return cast(Limits, self._connection.json("getLimits"))

    def put_draft(self, draft_id: str, draft: DraftRequest) -> None:
        """Has a video rendered while it is edited, under a UUID of your choice; its media are uploaded already."""
        self._connection.run("putDraft", {"draft_id": draft_id}, document=draft)

    def get_draft(self, draft_id: str) -> Draft:
        """How much of a draft is rendered."""
        return cast(Draft, self._connection.json("getDraft", {"draft_id": draft_id}))

    def delete_draft(self, draft_id: str) -> None:
        """Ends the rendering of a draft."""
        self._connection.run("deleteDraft", {"draft_id": draft_id})

    def usage(self, from_day: str | None = None, to_day: str | None = None) -> Usage:
        """What you have used, by UTC day (`2026-01-31`); the last 30 days by default, at most 92."""
        return cast(Usage, self._connection.json("getUsage", query={"from": from_day, "to": to_day}))

    def create_batch(
        self, project: str, rows: Sequence[Mapping[str, Any]], idempotency_key: str | None = None, **fields: Any
    ) -> Batch:
        """A video for every row; `fields` are those of the batch: `settings`, `presets`, `metadata`, `on_error` …"""
        document = {"project": project, "rows": [dict(row) for row in rows], **fields}
        headers = {"Idempotency-Key": idempotency_key or uuid.uuid4().hex}
        return cast(Batch, self._connection.json("createBatch", document=document, headers=headers))

    def batch(self, batch_id: str) -> Batch:
        """The state of a batch."""
        return cast(Batch, self._connection.json("getBatch", {"batch_id": batch_id}))

    def wait_batch(self, batch_id: str, on_progress: Callable[[float], None] | None = None) -> Batch:
        """Waits until every row of a batch has ended. Some may have failed: `counts` says how many."""
        while True:
            found: Any = self._connection.json("getBatch", {"batch_id": batch_id}, headers={"Prefer": "wait=20"})
            if on_progress is not None:
                on_progress(found["progress"])
            if found["state"] != "running":
                return cast(Batch, found)

    def batches(self, **query: Any) -> Iterator[Batch]:
        """Your batches, newest first, page by page. The query is that of `list_batches`."""
        yield from every_page(lambda cursor: self.list_batches(**query, cursor=cursor), "batches")

    def list_batches(
        self, state: str | None = None, project: str | None = None, limit: int | None = None, cursor: str | None = None,
        metadata: Mapping[str, str] | None = None, created_after: str | None = None, created_before: str | None = None,
    ) -> BatchList:
        """A page of your batches, newest first. Times are as in `created_at`, or days in UTC."""
        query = {
            "state": state, "project": project, "limit": limit, "cursor": cursor,
            "created_after": created_after, "created_before": created_before, **_pairs(metadata),
        }
        return cast(BatchList, self._connection.json("listBatches", query=query))

    def list_batch_rows(
        self, batch_id: str, state: str | None = None, limit: int | None = None, cursor: str | None = None
    ) -> BatchRows:
        """A page of its rows."""
        query = {"state": state, "limit": limit, "cursor": cursor}
        return cast(BatchRows, self._connection.json("listBatchRows", {"batch_id": batch_id}, query=query))

    def batch_rows(self, batch_id: str, state: str | None = None) -> Iterator[BatchRow]:
        """Its rows in their order, page by page."""
        yield from every_page(lambda cursor: self.list_batch_rows(batch_id, state, 100, cursor), "rows")

    def batch_results(self, batch_id: str) -> str:
        """The table with what became of each row, as CSV."""
        return self._connection.read("getBatchResults", {"batch_id": batch_id}).decode("utf-8-sig")

    def retry_batch(self, batch_id: str) -> Batch:
        """Makes failed and cancelled rows again."""
        return cast(Batch, self._connection.json("retryBatch", {"batch_id": batch_id}))

    def cancel_batch(self, batch_id: str) -> None:
        """Cancels what has not ended; finished videos stay."""
        self._connection.run("cancelBatch", {"batch_id": batch_id})

    def save_project(self, project_id: str, project: Project | str, etag: str | None = None) -> ProjectMetadata:
        """Stores a project under a UUID of your choice; a text is stored exactly as it is.

        To overwrite a project, pass the `etag` of the revision that you have.
        """
        headers = {} if etag is None else {"If-Match": etag}
        if isinstance(project, str):
            sent: dict[str, Any] = {"body": project.encode(), "headers": {**headers, "Content-Type": "application/json"}}
        else:
            sent = {"document": project, "headers": headers}
        return cast(ProjectMetadata, self._connection.json("saveProject", {"project_id": project_id}, **sent))

    def get_project(self, project_id: str, revision: int | None = None) -> tuple[Project, str]:
        """The current revision of a project, or an earlier one, and its ETag."""
        if revision is None:
            return self._project("getProject", {"project_id": project_id})
        return self._project("getRevision", {"project_id": project_id, "revision": str(revision)})

    def shared_project(self, secret: str) -> tuple[Project, str]:
        """The project that a link reads, by the secret at the end of the link's `url`."""
        return self._project("getSharedProject", {"secret": secret})

    def save_shared_media(self, secret: str, sha256: str, path: Path) -> None:
        """Writes a file of that project to `path`."""
        save(self._connection, "getSharedMedia", {"secret": secret, "sha256": sha256}, path, sha256)

    def export_project(
        self,
        project_id: str,
        values: Mapping[str, Any] | None = None,
        idempotency_key: str | None = None,
        room_within: float = 600,
        **fields: Any,
    ) -> Export:
        """Begins an export of a project, with `values` for the fields of a template.

        `fields` are those of `ProjectExport`: `settings`, `presets`, `revision`, `callback_url` … It waits for room in
        the queue as `create` does.
        """
        document = _given({"values": values, **fields})
        return self._create("createExportOfProject", {"project_id": project_id}, document, idempotency_key, room_within)

    def validate_project(self, project_id: str, values: Mapping[str, Any] | None = None, **fields: Any) -> Validation:
        """The errors and warnings that an export of a project would have; nothing is made."""
        document = _given({"values": values, **fields})
        return cast(Validation, self._connection.json("validateExportOfProject", {"project_id": project_id}, document=document))

    def project_frame(
        self,
        project_id: str,
        values: Mapping[str, Any] | None = None,
        at: float | None = None,
        frame: int | None = None,
        type: str = "image/png",
        **fields: Any,
    ) -> FramePicture:
        """One frame of a project, exactly as its video will have it."""
        document = _given({"values": values, **_place(at, frame), **fields})
        return self._frame("showFrameOfProject", {"project_id": project_id}, document, type)

    def projects(self) -> Iterator[ProjectListProjects]:
        """Your projects, last saved first, page by page."""
        yield from every_page(lambda cursor: self.list_projects(cursor=cursor), "projects")

    def project_revisions(self, project_id: str) -> RevisionList:
        """The kept revisions, the last first."""
        return cast(RevisionList, self._connection.json("listRevisions", {"project_id": project_id}))

    def set_project_thumbnail(self, project_id: str, path: str | os.PathLike[str]) -> None:
        """Sets the thumbnail: a PNG, JPEG or WebP of up to 256 KiB."""
        with open(path, "rb") as picture:
            self._connection.run("putThumbnail", {"project_id": project_id}, body=picture.read())

    def project_thumbnail(self, project_id: str) -> bytes:
        """Its thumbnail."""
        return self._connection.read("getThumbnail", {"project_id": project_id})

    def project_links(self, project_id: str) -> LinkList:
        """The links that read a project."""
        return cast(LinkList, self._connection.json("listLinks", {"project_id": project_id}))

    def revoke_link(self, project_id: str, link: str) -> None:
        """Ends a link."""
        self._connection.run("revokeLink", {"project_id": project_id, "link": link})

    def list_projects(self, limit: int | None = None, cursor: str | None = None) -> ProjectList:
        """A page of your projects, last saved first."""
        return cast(ProjectList, self._connection.json("listProjects", query={"limit": limit, "cursor": cursor}))

    def download_project(self, project_id: str, path: str | os.PathLike[str]) -> None:
        """Writes a project with its revisions and media to a .zip file, which is there as a whole or not at all."""
        save_once(self._connection, "getProjectArchive", {"project_id": project_id}, path)

    def share_project(self, project_id: str) -> NewLink:
        """Makes a secret address that reads the project and its media without a key. This request is not retried."""
        return cast(NewLink, self._connection.json_once("shareProject", {"project_id": project_id}))

    def delete_project(self, project_id: str) -> None:
        """Deletes a project with its revisions and links."""
        self._connection.run("deleteProject", {"project_id": project_id})

    def _documents(
        self, request: VideoRequest | Mapping[str, Any], on_upload: OnMedia | None, **members: Any
    ) -> dict[str, Any]:
        """The members of a JSON body; files that the service lacks are sent first."""
        references, addresses = {}, {}
        for field, source in (request.get("media") or {}).items():
            if isinstance(source, dict) and "url" in source:
                addresses[field] = cast(MediaAddress, source)["url"]
            else:
                references[field] = self._reference(source, on_upload, field)
        members |= {name: request.get(name) for name in ("tier_list", "timeline_data", "settings")}
        members |= {"media_refs": references, "media_urls": addresses or None}
        return _given(members)

    def _reference(self, source: Any, on_upload: OnMedia | None = None, field: str | None = None) -> str:
        """The hash of a file, which is sent if the service lacks it."""
        if isinstance(source, dict):
            return cast(Media, source)["media"]
        tell = on_upload and (lambda progress: on_upload(progress._replace(field=field)))
        return self.upload(source, tell)["media"]

    def _create(self, operation: str, parameters: Mapping[str, str], document: Any, key: str | None, room: float) -> Export:
        """Begins an export; while too many wait, tries again for `room` seconds."""
        headers = {"Prefer": "respond-async", "Idempotency-Key": key or uuid.uuid4().hex}
        waits_until = time.monotonic() + room
        while True:
            try:
                return cast(Export, self._connection.json(operation, parameters, document=document, headers=headers))
            except TiercutError as error:
                pause = error.retry_after or _ROOM_POLL
                if error.code != "queue.full" or time.monotonic() + pause > waits_until:
                    raise
                time.sleep(pause)

    def _frame(self, operation: str, parameters: Mapping[str, str], document: Any, type: str) -> FramePicture:
        def once() -> FramePicture:
            with self._connection.send(operation, parameters, document=document, headers={"Accept": type}) as response:
                shown = response.headers
                frame, frames, at = int(shown["Tiercut-Frame"]), int(shown["Tiercut-Frames"]), float(shown["Tiercut-Time"])
                return FramePicture(whole(response), frame, frames, at, _warnings_of(response))

        return self._connection.again(once)

    def _thumbnail(self, operation: str, type: str, **options: Any) -> ThumbnailPicture:
        def once() -> ThumbnailPicture:
            with self._connection.send(operation, headers={"Accept": type}, **options) as response:
                return ThumbnailPicture(whole(response), _warnings_of(response))

        return self._connection.again(once)

    def _project(self, operation: str, parameters: Mapping[str, str]) -> tuple[Project, str]:
        def once() -> tuple[Project, str]:
            with self._connection.send(operation, parameters, headers={"Accept": "application/json"}) as response:
                return cast(Project, json_of(response)), response.headers["ETag"]

        return self._connection.again(once)

    def _output(self, export: Export, preset: str) -> Any:
        """The output of a preset, by its id, its name or another alias."""
        outputs = cast(Any, export["outputs"])
        found = next((id for id, output in outputs.items() if preset in (id, output.get("name"))), None)
        if found is None:
            # An output names its first alias only.
            found = next((one["preset"] for one in self.presets() if preset in one["aliases"]), None)
        if found in outputs:
            return outputs[found]
        known = ", ".join(f"{output.get('name', id)} ({id})" for id, output in outputs.items())
        raise TiercutError("client.unexpected", f"The export has no {preset}, but {known}.")


def _given(members: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in members.items() if value is not None}


def _request(tier_list: Any, timeline_data: Any, settings: Any, media: Any) -> dict[str, Any]:
    return {"tier_list": tier_list, "timeline_data": timeline_data, "settings": settings, "media": media}


def _place(at: float | None, frame: int | None) -> dict[str, Any]:
    """Of a frame; the first one if nothing is given."""
    return {"at": 0 if at is None and frame is None else at, "frame": frame}


def _looks(style: str | None, text: str | None, items: Sequence[str] | None, orientation: str | None) -> dict[str, Any]:
    given = None if items is None else ",".join(items)
    return {"style": style, "text": text, "items": given, "orientation": orientation}


def _warnings_of(response: HTTPResponse) -> list[Issue]:
    return cast(list[Issue], json.loads(response.headers.get("Tiercut-Warnings", "[]")))


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
        raise unreachable() from cause


def _output_of(export: Export, preset: str) -> Any:
    """The output of a preset, by its name or an alias."""
    for name, output in cast(Any, export["outputs"]).items():
        if preset in (name, output.get("name")):
            return output
    raise TiercutError("client.unexpected", f"The export has no {preset}, but {', '.join(export['outputs'])}.")
