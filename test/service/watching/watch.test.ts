import assert from 'node:assert/strict';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { FormatContext, Packet } from 'node-av/lib';
import { ExportError } from '../../../src/errors.ts';
import type { ExportMetadata } from '../../../src/http/replies/export-replies.ts';
import { numbersIn, outFolder } from '../../engine/encode/render-video.ts';
import { decodedTrack } from '../../engine/sound/decoded-track.ts';
import { findBursts } from '../../fixtures/tone-bursts.ts';
import { CHUNKS, FPS, PacedService, SECONDS } from './paced-service.ts';

let service: PacedService;
before(async () => {
  service = await PacedService.start();
});
after(() => service[Symbol.asyncDispose]());

/** A playlist as a player reads it: tags by name, and the addresses, made absolute. */
async function playlist(url: string) {
  const reply = await fetch(url);
  const text = await reply.text();
  assert.equal(reply.status, 200, text);
  assert.equal(reply.headers.get('content-type'), 'application/vnd.apple.mpegurl');
  assert.equal(reply.headers.get('cache-control'), 'private, no-cache');
  const lines = text.trimEnd().split('\n');
  assert.equal(lines[0], '#EXTM3U');
  const tags = (name: string) =>
    lines.filter((line) => line === name || line.startsWith(`${name}:`)).map((line) => line.slice(name.length + 1));
  const absolute = (address: string) => new URL(address, reply.url).href;
  return {
    text,
    tags,
    etag: reply.headers.get('etag')!,
    addresses: lines.filter((line) => !line.startsWith('#')).map(absolute),
    inTag: (name: string) => absolute(/URI="([^"]+)"/.exec(tags(name)[0]!)![1]!),
    seconds: tags('#EXTINF').map(Number.parseFloat),
    ended: lines.includes('#EXT-X-ENDLIST'),
  };
}

async function bytesAt(url: string): Promise<Buffer> {
  const reply = await fetch(url);
  assert.equal(reply.status, 200, url);
  assert.equal(reply.headers.get('cache-control'), 'private, max-age=86400, immutable');
  const bytes = Buffer.from(await reply.arrayBuffer());
  assert.equal(bytes.length, Number(reply.headers.get('content-length')));
  return bytes;
}

const written = (name: string, parts: readonly Buffer[]) => {
  const file = join(outFolder(), name);
  writeFileSync(file, Buffer.concat(parts));
  return file;
};

/** What libavformat, another implementation of HLS, finds in a stream: packets a track, and their total duration. */
async function readByOthers(url: string): Promise<{ packets: number; seconds: number }[]> {
  const format = new FormatContext();
  assert.ok((await format.openInput(url)) >= 0);
  using packet = new Packet();
  packet.alloc();
  const found = format.streams.map(() => ({ packets: 0, seconds: 0 }));
  for (; (await format.readFrame(packet)) >= 0; packet.unref()) {
    const { num, den } = format.streams[packet.streamIndex]!.timeBase;
    const track = found[packet.streamIndex]!;
    track.packets += 1;
    track.seconds = Math.max(track.seconds, (Number(packet.pts + packet.duration) * num) / den);
  }
  await format.closeInput();
  return found.sort((a, b) => a.packets - b.packets);
}

test('[C49] a stream grows with the finished chunks, ends with the last, and equals the finished video, frame for frame and sample for sample', async () => {
  const id = await service.submit();
  const at = `${service.base}/video/exports/${id}`;
  const early = await fetch(`${at}/hls/preset_one/index.m3u8`, { headers: { prefer: 'wait=0' } });
  assert.deepEqual([early.status, early.headers.get('preference-applied')], [202, 'wait=0'], 'nothing to be seen yet');
  assert.equal(
    ((await early.json()) as ExportMetadata).hls.preset_one,
    `/video/exports/${id}/hls/preset_one/index.m3u8`,
  );

  const waiting = playlist(`${at}/hls/preset_one/index.m3u8`);
  service.host.allow(1);
  const top = await waiting;
  const [stream] = top.tags('#EXT-X-STREAM-INF');
  assert.match(stream!, /CODECS="avc1\.6400[0-9a-f]{2},mp4a\.40\.2",RESOLUTION=128x72,FRAME-RATE=10\.000/);
  const [pictures, sound] = [top.addresses[0]!, top.inTag('#EXT-X-MEDIA')];

  const first = { video: await playlist(pictures), audio: await playlist(sound) };
  const [target] = first.video.tags('#EXT-X-TARGETDURATION').map(Number);
  for (const { addresses, ended, tags } of [first.video, first.audio]) {
    assert.deepEqual([addresses.length, ended], [1, false]);
    assert.deepEqual(tags('#EXT-X-PLAYLIST-TYPE'), ['EVENT']);
    assert.deepEqual(tags('#EXT-X-TARGETDURATION'), [String(target)]);
    for (const tag of ['#EXT-X-INDEPENDENT-SEGMENTS', '#EXT-X-MAP', '#EXT-X-START']) assert.equal(tags(tag).length, 1);
  }
  const unchanged = await fetch(pictures, { headers: { 'if-none-match': first.video.etag } });
  assert.equal(unchanged.status, 304);
  const inits = await Promise.all([first.video, first.audio].map((track) => bytesAt(track.inTag('#EXT-X-MAP'))));
  const seen = [await bytesAt(first.video.addresses[0]!)];
  const heard = [await bytesAt(first.audio.addresses[0]!)];

  // A player that knows what comes next waits for it, and is notified immediately.
  const second = playlist(`${pictures}?_HLS_msn=1`);
  service.host.allow(1);
  const grown = await second;
  assert.deepEqual([grown.addresses.length, grown.ended], [2, false]);
  assert.ok(grown.text.startsWith(first.video.text), 'sent lines stay');
  const rest = playlist(`${pictures}?_HLS_msn=2`);
  service.host.allow(1);
  const whole = await rest;
  assert.deepEqual([whole.addresses.length, whole.ended], [CHUNKS, true]);
  assert.ok(whole.text.startsWith(grown.text));
  seen.push(...(await Promise.all(whole.addresses.slice(1).map(bytesAt))));
  const allSound = await playlist(sound);
  assert.deepEqual([allSound.addresses.length, allSound.ended], [CHUNKS, true]);

  const download = await fetch(`${at}/download/preset_one`);
  assert.equal(download.status, 200);
  const movie = written('movie.mp4', [Buffer.from(await download.arrayBuffer())]);
  // The cache may drop anything from here on.
  rmSync(join(service.exports.folder, 'blobs', 'parts'), { recursive: true });
  for (const [n, address] of whole.addresses.entries()) {
    assert.ok((await bytesAt(address)).equals(seen[n]!), `picture ${n} is the same from the finished video`);
  }
  assert.ok((await bytesAt(allSound.addresses[0]!)).equals(heard[0]!));
  heard.push(...(await Promise.all(allSound.addresses.slice(1).map(bytesAt))));
  assert.equal((await playlist(pictures)).text, whole.text, 'and the playlist too');

  const joined = await numbersIn(written('joined.mp4', [inits[0]!, ...seen]));
  assert.deepEqual(joined, await numbersIn(movie));
  assert.deepEqual(
    joined.numbers,
    Array.from({ length: SECONDS * FPS }, (_, n) => (n < 50 || n >= 70 ? n : 50)),
  );
  const { left, firstAt } = await decodedTrack(written('joined.m4a', [inits[1]!, ...heard]));
  const mix = (await decodedTrack(movie)).left;
  assert.deepEqual([firstAt, left.slice(0, mix.length)], [0, mix]);
  const bursts = findBursts(left, 48_000);
  assert.ok(bursts.length >= 9);
  for (const moment of bursts) assert.ok(Math.abs(moment - Math.round(moment)) < 0.002, `a burst at ${moment} s`);

  assert.deepEqual(await readByOthers(`${at}/hls/preset_one/index.m3u8`), [
    { packets: SECONDS * FPS, seconds: SECONDS },
    { packets: Math.ceil((SECONDS * 48_000) / 1024) + 1, seconds: SECONDS },
  ]);

  // The values announced in advance were true.
  const final = await playlist(`${at}/hls/preset_one/index.m3u8`);
  const bandwidth = (text: string) => Number(/[:,]BANDWIDTH=(\d+)/.exec(text)![1]);
  const rates = whole.seconds.map((seconds, n) => ((seen[n]!.length + heard[n]!.length) * 8) / seconds);
  assert.ok(bandwidth(final.text) <= bandwidth(top.text));
  assert.ok(Math.max(...rates) <= bandwidth(final.text) * 1.01 && bandwidth(final.text) < 1.2 * Math.max(...rates));
  assert.match(final.text, /AVERAGE-BANDWIDTH=\d+/);
  for (const seconds of [...whole.seconds, ...allSound.seconds]) assert.ok(Math.round(seconds) <= target!);
  assert.ok(Math.abs(whole.seconds.reduce((sum, seconds) => sum + seconds) - SECONDS) < 1e-5);

  const [segment] = whole.addresses;
  const part = await fetch(segment!, { headers: { range: 'bytes=100-5099' } });
  assert.deepEqual(
    [part.status, part.headers.get('content-range'), Buffer.from(await part.arrayBuffer())],
    [206, `bytes 100-5099/${seen[0]!.length}`, seen[0]!.subarray(100, 5_100)],
  );
  const head = await fetch(segment!, { method: 'HEAD' });
  assert.equal(Number(head.headers.get('content-length')), seen[0]!.length);
  const known = await fetch(segment!, { headers: { 'if-none-match': head.headers.get('etag')! } });
  assert.equal(known.status, 304);
  for (const nothing of [
    'video/0-000000000000.m4s',
    'video/9-000000000000.m4s',
    'text/index.m3u8',
    '../preset_9/index.m3u8',
  ]) {
    assert.equal((await fetch(`${at}/hls/preset_one/${nothing}`)).status, 404, nothing);
  }
  assert.ok(service.logged.length > 10);
  assert.ok(!service.logged.some((line) => line.includes(id)), 'what opens a video is not logged');

  await service.exports.api.remove('default', id);
  for (const address of [pictures, segment!]) assert.equal((await fetch(address)).status, 404);
});

test('[C49, C12] an idle preset is rendered when a client starts to watch it', async () => {
  const id = await service.submit({ seconds: 2 });
  service.host.allow(2);
  const at = `${service.base}/video/exports/${id}`;
  await fetch(`${at}/download/preset_one`, { method: 'HEAD' });
  assert.equal((await service.exports.api.get(null, id))!.outputs[1]!.progress, 0);
  const { text } = await playlist(`${at}/hls/portrait/index.m3u8`);
  assert.match(text, /RESOLUTION=72x128/);
});

test('[C49, C34] if the render fails, the playlist reports it', async () => {
  const id = await service.submit({ seconds: 16 });
  service.host.allow(1);
  const at = `${service.base}/video/exports/${id}/hls/preset_one`;
  const top = await playlist(`${at}/index.m3u8`);
  const { addresses } = await playlist(top.addresses[0]!);
  service.host.failWith(new ExportError('unsupported', 'media.unsupported', 'The clip has no such frame.'));
  const reported = await fetch(`${top.addresses[0]}?_HLS_msn=1`);
  assert.equal(reported.status, 422);
  assert.equal(((await reported.json()) as { code: string }).code, 'media.unsupported');
  assert.equal((await fetch(`${at}/index.m3u8`)).status, 422);
  assert.equal((await fetch(addresses[0]!)).status, 404);
});
