import { createHash } from 'node:crypto';
import { createReadStream, existsSync, mkdirSync, openAsBlob, renameSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { makeClip } from '../../test/fixtures/clips.ts';
import { type ExportRequest, formOf, post } from '../../test/service/export-client.ts';
import { ServiceFixture } from '../../test/service/service-fixture.ts';

const CLIPS = 4;
const CLIP_SECONDS = 60;
const BITS_PER_SECOND = 34_000_000;
const SECONDS = 600;
const ROUNDS = 3;

/** One way to send an edit, and what it took: every time from the request's first byte to the last of the MP4. */
export interface Edited {
  readonly how: string;
  readonly seconds: readonly number[];
  readonly sentBytes: number;
}

/**
 * The time for an edit of one subtitle in a project of ten minutes with a gigabyte of media, sent with the request and
 * referred to (C38), in turns. Over the loopback, where a gigabyte costs little more than being read, hashed and
 * written.
 */
export async function editing(): Promise<{ readonly mediaBytes: number; readonly edits: readonly Edited[] }> {
  const files = await media();
  const mediaBytes = files.reduce((sum, file) => sum + statSync(file).size, 0);
  await using service = await ServiceFixture.start({
    TIERCUT_LOG_LEVEL: 'warn',
    TIERCUT_PRERENDER: 'selected',
    TIERCUT_PRESETS: JSON.stringify([
      { name: 'preset_one', width: 160, height: 90 },
      { name: 'preset_two', width: 90, height: 160 },
      { name: 'preset_three', width: 96, height: 96 },
    ]),
  });
  let edit = 0;
  const sent = async (): Promise<ExportRequest> => {
    const parts = await Promise.all(files.map(async (file, n) => [`clip_${n}`, await openAsBlob(file)] as const));
    return { documents: documents(edit++), files: Object.fromEntries(parts) };
  };
  const sums = await Promise.all(files.map(sumOf));
  const refs = Object.fromEntries(sums.map((sum, n) => [`clip_${n}`, sum]));
  const referred = async (): Promise<ExportRequest> => ({ documents: { ...documents(edit++), media_refs: refs } });

  const first = await rendered(service, await sent());
  const bySending: number[] = [];
  const byReferring: number[] = [];
  for (const [n, file] of files.entries()) {
    await fetch(`${service.base}/media/${sums[n]}`, { method: 'PUT', body: await openAsBlob(file) });
  }
  for (let round = 0; round < ROUNDS; round += 1) {
    bySending.push(await rendered(service, await sent()));
    byReferring.push(await rendered(service, await referred()));
  }
  const small = await new Response(formOf(await referred())).arrayBuffer();
  return {
    mediaBytes,
    edits: [
      { how: 'the first time, media as parts', seconds: [first], sentBytes: mediaBytes + small.byteLength },
      { how: 'one subtitle changed, media as parts', seconds: bySending, sentBytes: mediaBytes + small.byteLength },
      { how: 'one subtitle changed, media_refs', seconds: byReferring, sentBytes: small.byteLength },
    ],
  };
}

/** How long a create takes to the last byte of its MP4. */
async function rendered(service: ServiceFixture, request: ExportRequest): Promise<number> {
  const begun = performance.now();
  const reply = await post(service, request, { accept: 'video/mp4' });
  const bytes = (await reply.arrayBuffer()).byteLength;
  if (reply.status !== 201 || bytes < 100_000) throw new Error(`${reply.status}, ${bytes} bytes`);
  return (performance.now() - begun) / 1000;
}

/** Clips one after the other, a subtitle every five seconds; one of them in the middle is another one each time. */
function documents(edit: number): ExportRequest['documents'] {
  const every = (step: number) => Array.from({ length: SECONDS / step }, (_, n) => n * step);
  return {
    tier_list: { title: 'Ten minutes' },
    timeline_data: {
      videos: every(CLIP_SECONDS).map((start, n) => ({
        file_field: `clip_${n % CLIPS}`,
        start,
        duration: CLIP_SECONDS,
      })),
      subtitles: every(5).map((start) => ({
        text: start === SECONDS / 2 ? `Take ${edit}` : `Words at ${start} seconds`,
        start,
        duration: 4,
      })),
    },
    settings: { quality: 'draft' },
  };
}

/** A gigabyte of clips, made once: small pictures at the rate of large ones. */
async function media(): Promise<string[]> {
  const folder = join(tmpdir(), 'tiercut-bench-edit');
  mkdirSync(folder, { recursive: true });
  const files: string[] = [];
  for (let n = 0; n < CLIPS; n += 1) {
    const file = join(folder, `${n}.mp4`);
    files.push(file);
    if (existsSync(file)) continue;
    const rate = { crf: '-1', b: BITS_PER_SECOND, maxrate: BITS_PER_SECOND, bufsize: BITS_PER_SECOND };
    const made = await makeClip({
      frames: CLIP_SECONDS * 30,
      width: 320,
      height: 180,
      firstNumber: n * 10_000,
      sound: { seconds: CLIP_SECONDS },
      codecOptions: { ...rate, 'x264-params': 'nal-hrd=cbr:filler=1:keyint=60' },
    });
    renameSync(made.file, file);
  }
  return files;
}

async function sumOf(file: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  return hash.digest('hex');
}
