import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { DEFAULT_MEDIA_LIMITS } from '../../src/engine/input/media-limits.ts';
import { probe } from '../../src/engine/probe/probe-media.ts';
import type { ExportMetadata } from '../../src/http/replies/export-replies.ts';
import { eachFrame } from '../engine/encode/render-video.ts';
import { clipFolder } from '../fixtures/clips.ts';
import { WAIT_SECONDS, within } from '../within.ts';

const LONGEST_PAUSE_MS = 50;

/** Where a service listens. */
export interface Listening {
  readonly base: string;
}

/** The documents of a request, and the files that go with them, by form field. */
export interface ExportRequest {
  readonly documents: Readonly<Record<string, object | string>>;
  readonly files?: Readonly<Record<string, string | Blob>>;
}

/** The request as a browser would send it. */
export function formOf({ documents, files = {} }: ExportRequest): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(documents)) {
    form.append(name, typeof value === 'string' ? value : JSON.stringify(value));
  }
  for (const [name, file] of Object.entries(files)) {
    const blob = typeof file === 'string' ? new Blob([readFileSync(file)]) : file;
    form.append(name, blob, `${name}.bin`);
  }
  return form;
}

/** `POST /video/exports`, or another address that takes the same. */
export function post(
  { base }: Listening,
  request: ExportRequest | FormData,
  headers: Readonly<Record<string, string>> = {},
  path = '/video/exports',
): Promise<Response> {
  const body = request instanceof FormData ? request : formOf(request);
  return fetch(`${base}${path}`, { method: 'POST', body, headers, redirect: 'manual' });
}

/** The metadata of a reply that must be a success. */
export async function metadataOf(reply: Response, status: number): Promise<ExportMetadata> {
  const text = await reply.text();
  assert.equal(reply.status, status, text);
  return JSON.parse(text);
}

/** Has an export made without waiting for it. */
export async function createAsync(
  service: Listening,
  request: ExportRequest,
  headers: Readonly<Record<string, string>> = {},
): Promise<ExportMetadata> {
  return metadataOf(await post(service, request, { prefer: 'respond-async', ...headers }), 202);
}

/** The current state of the export. */
export async function statusOf({ base }: Listening, id: string): Promise<ExportMetadata> {
  return metadataOf(await fetch(`${base}/video/exports/${id}`), 200);
}

/** One event of a stream. */
export interface StreamedEvent {
  readonly id: string;
  readonly event: string;
  readonly data: Pick<ExportMetadata, 'export_id' | 'state' | 'progress' | 'outputs'>;
}

/** The events of an export until the service ends the stream or the reader has enough. */
export async function* eventsOf(
  { base }: Listening,
  id: string,
  headers: Readonly<Record<string, string>> = {},
): AsyncGenerator<StreamedEvent> {
  const signal = AbortSignal.timeout(WAIT_SECONDS * 1000);
  const reply = await fetch(`${base}/video/exports/${id}/events`, { headers, signal });
  assert.equal(reply.status, 200);
  assert.match(reply.headers.get('content-type')!, /^text\/event-stream/);
  let text = '';
  for await (const chunk of reply.body!.pipeThrough(new TextDecoderStream())) {
    text += chunk;
    const blocks = text.split('\n\n');
    text = blocks.pop()!;
    for (const block of blocks) {
      const fields = Object.fromEntries(block.split('\n').map((line) => line.split(/: (.*)/s).slice(0, 2)));
      if (fields.event !== undefined) yield { id: fields.id, event: fields.event, data: JSON.parse(fields.data) };
    }
  }
}

/** Waits for every output of an export, like a client that downloads them all; returns the final state. */
export async function ended(service: Listening, id: string): Promise<ExportMetadata> {
  const { downloads } = await statusOf(service, id);
  const outputs = Object.values(downloads).map((path) => fetch(`${service.base}${path}`, { method: 'HEAD' }));
  await within(`every output of ${id}`, Promise.all(outputs));
  return statusOf(service, id);
}

/**
 * Polls until `look` finds something that may be gone in a moment; for changes without a notification: files and
 * processes.
 */
export function seen<T>(what: string, look: () => T | Promise<T>, seconds = 60): Promise<NonNullable<T>> {
  return found(what, look, seconds, () => 1);
}

/** As `seen`, for what lasts once it is there: looks less and less often. A look at all processes takes milliseconds itself. */
export function reached<T>(what: string, look: () => T | Promise<T>, seconds = 60): Promise<NonNullable<T>> {
  return found(what, look, seconds, (tries) => Math.min(LONGEST_PAUSE_MS, tries));
}

async function found<T>(
  what: string,
  look: () => T | Promise<T>,
  seconds: number,
  pauseMs: (tries: number) => number,
): Promise<NonNullable<T>> {
  const deadlineMs = performance.now() + seconds * 1000;
  for (let tries = 1; ; tries += 1) {
    const result = await look();
    if (result !== null && result !== undefined && result !== false) return result as NonNullable<T>;
    if (performance.now() > deadlineMs) throw new Error(`${what} was not seen within ${seconds} s`);
    await delay(pauseMs(tries));
  }
}

/** An MP4 as a player finds it: read to its last frame. */
export interface PlayedVideo {
  readonly width: number;
  readonly height: number;
  readonly seconds: number;
  readonly sound: boolean;
  readonly frames: number;
}

/** Plays the bytes of a video. */
export async function played(bytes: Buffer): Promise<PlayedVideo> {
  const file = join(clipFolder(), `${createHash('sha256').update(bytes).digest('hex')}.played.mp4`);
  writeFileSync(file, bytes);
  try {
    const { facts, container } = await probe(file, DEFAULT_MEDIA_LIMITS);
    assert.equal(container, 'mp4');
    let frames = 0;
    await eachFrame(file, () => {
      frames += 1;
    });
    return { width: facts.width, height: facts.height, seconds: facts.duration, sound: facts.sound, frames };
  } finally {
    rmSync(file);
  }
}

/** Downloads a video and checks that it matches the metadata, is complete and plays. */
export async function download(
  { base }: Listening,
  { downloads, outputs }: Pick<ExportMetadata, 'downloads' | 'outputs'>,
  preset: string,
): Promise<PlayedVideo & { readonly bytes: Buffer }> {
  const reply = await fetch(`${base}${downloads[preset]}`);
  assert.equal(reply.status, 200);
  assert.equal(reply.headers.get('content-type'), 'video/mp4');
  const bytes = Buffer.from(await reply.arrayBuffer());
  const { sha256, width, height } = outputs[preset]!;
  assert.equal(createHash('sha256').update(bytes).digest('hex'), sha256, `${preset} is not the file it says it is`);
  const video = await played(bytes);
  assert.deepEqual([video.width, video.height], [width, height]);
  return { ...video, bytes };
}
