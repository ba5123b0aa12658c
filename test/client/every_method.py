"""Every method that program.py and the README leave out, against a real service and one that plays captions."""

import json
import os
import sys
import threading
import uuid
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import tiercut
from tiercut import Client, TiercutError

url, clip, picture, receiver = sys.argv[1:]
client = Client(url)


def failure(work) -> TiercutError:
    try:
        work()
    except TiercutError as error:
        return error
    raise AssertionError("no error")


# Media: in parts, with progress; listed, described, read.
stages = []
with open(clip, "rb") as known, open("fresh.mp4", "wb") as fresh:
    # The service must not have it: other programs send the clip.
    fresh.write(known.read() + b"\0\0\0\x18free" + os.urandom(16))
clip = "fresh.mp4"
media = client.upload(clip, on_progress=stages.append, part_bytes=2048)["media"]
assert [stages[0].stage, stages[-1].stage] == ["hashing", "sending"] and stages[-1].done == stages[-1].bytes, stages
assert len([one for one in stages if one.stage == "sending"]) > 3, stages
empty = "empty.bin"
open(empty, "wb").close()
assert failure(lambda: client.upload(empty)).code == "client.usage"
assert client.known([media])[media]["stored"] and media in [one["media"] for one in client.media()]
client.save_media(media, "back.mp4")
assert open("back.mp4", "rb").read() == open(clip, "rb").read()
assert failure(lambda: client.fetch_media(receiver)).code.startswith(("fetch.", "media."))
print("media")

# A template: stored, checked, shown, made; its texts, its short, its thumbnail.
project, other = str(uuid.uuid4()), str(uuid.uuid4())
fields = []
card = client.upload(picture, on_progress=lambda sent: fields.append(sent.field))["media"]
assert fields[0] is None
saved = client.save_project(project, {
    "tier_list": {
        "title": "{{title}}",
        "rows": [{"id": "s", "item_ids": ["one"]}],
        "items": [{"id": "one", "name": "{{title}}", "file_field": "picture"}],
    },
    "timeline_data": {"tier_blocks": [{"start": 0, "duration": 2}], "tier_tiles": [{"tier_item_id": "one", "position": 0.5}]},
    "settings": {"quality": "draft", "fps": 10, "shorts": True},
    "fields": {
        "title": {"type": "text", "required": True},
        "picture": {"type": "media", "kind": "picture", "default": f"sha256:{card}"},
    },
})
values = {"title": "Snacks"}
assert failure(lambda: client.validate_project(project)).errors[0]["code"] == "value.required"
assert client.validate_project(project, values)["ok"]
shown = client.project_frame(project, values, frame=7, type="image/jpeg")
assert (shown.frame, shown.frames, round(shown.time, 3), shown.picture[:2]) == (7, 20, 0.7, b"\xff\xd8"), shown[1:]
hook = client.put_webhook("first", receiver, events=["export.completed"])
assert hook["secret"].startswith("whsec_") and client.get_webhook("first")["url"] == receiver
assert [one["name"] for one in client.webhooks()] == ["first"]
made = client.export_project(project, values, external_id="made")["export_id"]
client.wait(made)
client.short(made, 1, "short.mp4")
assert client.export_thumbnail(made, style="podium").picture[:2] == b"\xff\xd8"
assert client.documents(made)["tier_list"]["title"] == "Snacks"
assert client.publishing_kit(made)["title"] and isinstance(client.chapters(made), str)
client.stop(made, "square")
renamed = Client(url)
renamed.presets = lambda: [{**client.presets()[0], "aliases": ["landscape", "wide"]}]
assert renamed.wait(made, preset="wide")["export_id"] == made
assert "no round, but landscape (preset_one)" in failure(lambda: renamed.wait(made, preset="round")).detail
print("project")

# Its events: listed, read, sent again to one webhook.
event = next(client.events(made, type="export.completed"))
assert event["id"] in [one["id"] for one in client.events(type="export.completed")]
assert client.resend(event["id"], webhook="first")["id"] == event["id"] == client.event(event["id"])["id"]
assert failure(lambda: client.resend(event["id"], webhook="third")).code == "webhook.unknown"
assert client.redeliver(made, event["id"])["callback_state"] == "none"
client.delete_webhook("first")
assert client.webhooks() == []
print("events")

# The project itself: revisions, thumbnail, links.
current, etag = client.get_project(project)
client.save_project(project, {**current, "name": "Second"}, etag=etag)
assert len(client.project_revisions(project)["revisions"]) == 2 and "name" not in client.get_project(project, 1)[0]
client.set_project_thumbnail(project, picture)
assert client.project_thumbnail(project) == open(picture, "rb").read()
client.save_project(other, '{"name":"Other"}')
assert {"Second", "Other"} <= {one["name"] for one in client.projects()}
link = client.share_project(project)
secret = link["url"].split("/")[-1]
assert client.shared_project(secret)[0]["name"] == "Second"
client.save_shared_media(secret, card, "shared.png")
assert open("shared.png", "rb").read() == open(picture, "rb").read()
client.revoke_link(project, client.project_links(project)["links"][0]["link_id"])
assert failure(lambda: client.shared_project(secret)).status == 404
print("links")

# A batch.
batch = client.create_batch(project, [{"title": "Nuts"}, {}])["batch_id"]
assert client.batch(batch)["counts"]["invalid"] == 1 and batch in [one["batch_id"] for one in client.batches(project=project)]
assert client.list_batch_rows(batch, state="invalid", limit=1)["rows"][0]["row"] == 1
assert client.list_batches(limit=1)["batches"][0]["batch_id"] == batch
client.cancel_batch(batch)
assert client.wait_batch(batch)["state"] == "cancelled"
assert client.batch_results(batch).startswith("title,state,export_id")
for one in (project, other):
    client.delete_project(one)
print("batch")

# Pictures without an export, a draft, and what the service says of itself.
words = {"tier_list": {"rows": [], "items": []}, "timeline_data": {"subtitles": [{"text": "Hello", "start": 0, "duration": 1}]}}
one = {"rows": [{"id": "s", "item_ids": ["one"]}], "items": [{"id": "one", "name": "One"}]}
assert client.thumbnail(one, words["timeline_data"], type="image/png").picture[:4] == b"\x89PNG"
assert client.frame(**words).frame == 0 and client.frame(**words, frame=3).frame == 3
draft = str(uuid.uuid4())
client.put_draft(draft, words)
assert client.get_draft(draft)["ok"]
client.delete_draft(draft)
assert failure(lambda: client.get_draft(draft)).status == 404
assert client.fonts()[0]["weights"] and client.presets()[1]["name"] == "portrait" and client.limits()["max_file_bytes"] > 0
assert [one["name"] for one in client.caption_models()] and client.caption_languages() == []
assert failure(lambda: client.install_caption_model("none")).status in (404, 422)
client.forget(media)
assert not client.has(media)
print("service")


class Speech(BaseHTTPRequestHandler):
    """Plays a service that transcribes: done at the second look, unless it must go on."""

    asked: list[str] = []
    progress = 0.0

    def answer(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", 0))).decode()
        self.asked.append(f"{self.command} {self.path} {body}")
        state = "completed" if Speech.progress >= 1 else "running"
        reply = {"ok": True, "captions_id": "c", "state": state, "progress": Speech.progress, "language": "en", "warnings": []}
        Speech.progress += 1
        self.send_response(200)
        self.end_headers()
        self.wfile.write(json.dumps(reply).encode())

    do_GET = do_POST = do_DELETE = answer

    def log_message(self, *_):
        pass


server = ThreadingHTTPServer(("127.0.0.1", 0), Speech)
threading.Thread(target=server.serve_forever, daemon=True).start()
listening = Client(f"http://127.0.0.1:{server.server_port}")
assert listening.transcribe(words, language="en")["state"] == "completed"
assert json.loads(Speech.asked[0].removeprefix("POST /video/captions ")) == {**words, "media_refs": {}, "language": "en"}
Speech.progress = float("-1000")


def enough(_: float) -> None:
    raise KeyboardInterrupt


try:
    listening.transcribe(words, on_progress=enough)
except KeyboardInterrupt:
    assert Speech.asked[-1].startswith("DELETE /video/captions/c"), Speech.asked
server.shutdown()
assert {"Export", "Media", "TierList", "Client"} <= set(tiercut.__all__)
print("captions")
