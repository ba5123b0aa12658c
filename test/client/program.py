"""What a program does with the service, from the upload to the files, and what it meets on the way."""

import sys
from datetime import datetime, timezone

from tiercut import Client, TiercutError

url, clip = sys.argv[1:]
client = Client(url)

media = client.upload(clip)
print("uploaded", media["facts"]["kind"])

tier_list = {"title": "Sixty lines", "rows": [], "items": []}
timeline = {"videos": [{"file_field": "clip", "duration": 1}]}
settings = {"quality": "draft", "file_name": "Sixty"}
made = client.create(tier_list, timeline, settings, media={"clip": media})

for export in client.follow(made["export_id"]):
    if export["state"] == "completed":
        print(export["state"])

for preset in ("landscape", "portrait", "square"):
    client.download(made["export_id"], f"{preset}.mp4", preset)
    print(f"{preset}.mp4")

try:
    client.create(tier_list, timeline, {"fps": 1000}, media={"clip": media})
except TiercutError as error:
    for issue in error.errors:
        print(issue["path"], issue["code"])


try:
    client.validate(tier_list, timeline, media={"clip": {"url": "ftp://a.example/b"}})
except TiercutError as error:
    print(error.errors[0]["path"], error.code)
print("languages:", client.caption_languages())


class Enough(Exception):
    pass


def stop(progress: float) -> None:
    raise Enough("enough")


long = {"videos": [{"file_field": "clip", "duration": 60}]}
aborted = client.create(tier_list, long, settings, media={"clip": media})
try:
    client.wait(aborted["export_id"], on_progress=stop)
except Enough as reason:
    print(reason)
    client.delete(aborted["export_id"])
try:
    client.status(aborted["export_id"])
except TiercutError as error:
    print(error.code)

another = client.create(tier_list, timeline, settings, media={"clip": media}, external_id="followed")
progress = [0.0]
client.wait(another["export_id"], on_progress=progress.append, preset="portrait")
print("progress:", progress == sorted(progress), progress[-1])
print("WEBVTT" in client.captions(another["export_id"]), client.poster(another["export_id"])[:2].hex())
print([export["external_id"] for export in client.exports(external_id="followed")], client.has(media["media"]), client.has("0" * 64))
print("pauses:", client.pauses(media["media"])["pauses"], client.deliveries(another["export_id"])["callback_state"])
client.delete(another["export_id"])

today = datetime.now(timezone.utc).date().isoformat()
usage = client.usage(today, today)
print("exports today:", usage["days"][0]["exports"])
