import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { assemble } from '../../src/engine/encode/assemble.ts';
import { createSkiaSurface } from '../../src/paint/skia/skia.ts';
import { frames, samples } from '../../src/time.ts';
import { DEFAULT_PRESETS } from '../../src/timeline/presets.ts';
import { makeClip } from '../../test/fixtures/clips.ts';
import { createAsync, formOf } from '../../test/service/export-client.ts';
import { longRequest } from '../../test/service/sample-request.ts';
import { ServiceFixture } from '../../test/service/service-fixture.ts';
import { benchClip } from '../render/media.ts';

const TIMES = 15;
const PICTURES = 24;
const PIECE_SECONDS = 20;
const PIECES = 30;
/** Longer than a child stays with its media, and than a new spare takes to get ready. */
const COLD_MS = 11_500;

/** How long frames took, in milliseconds. */
export interface Shown {
  readonly what: string;
  readonly timesMs: readonly number[];
  readonly wantedMs: number;
}

/**
 * How long a frame takes over HTTP, PNG at 1080p, its media put there before (C38): the first of a project, for which the
 * spare child is taken, and the next ones, which the same child shows.
 */
export async function frameTimes(): Promise<Shown[]> {
  await using service = await ServiceFixture.start({
    TIERCUT_LOG_LEVEL: 'warn',
    TIERCUT_FRAME_SPARE: 'always',
    TIERCUT_PRESETS: JSON.stringify(DEFAULT_PRESETS),
  });
  const board = boardDocuments(await putPictures(service));
  const deep = clipDocuments(await put(service, await readFile(await tenMinutes())));
  const results: Shown[] = [];
  for (const [name, documents, wantedMs] of [
    ['a board of 24 pictures', board, 400],
    ['deep inside a clip of ten minutes', deep, 900],
  ] as const) {
    const [cold, warm]: [number[], number[]] = [[], []];
    for (let n = 0; n < TIMES; n++) {
      await delay(COLD_MS);
      cold.push(await ask(service, documents, 12.3 + n * 31));
      for (let next = 1; next <= 3; next++) warm.push(await ask(service, documents, 12.3 + n * 31 + next * 7.7));
    }
    results.push({ what: `${name}: the first frame`, timesMs: cold, wantedMs });
    results.push({ what: `${name}: the next ones`, timesMs: warm, wantedMs });
  }
  await createAsync(service, longRequest(3600));
  const busy: number[] = [];
  for (let n = 0; n < TIMES * 3; n++) busy.push(await ask(service, board, 5.1 + n * 11));
  return [...results, { what: 'a board, the next ones, while every worker renders', timesMs: busy, wantedMs: 400 }];
}

async function ask({ base }: ServiceFixture, documents: Record<string, object>, at: number): Promise<number> {
  const body = formOf({ documents: { ...documents, at: String(at) } });
  const begun = performance.now();
  const reply = await fetch(`${base}/video/frames`, { method: 'POST', body });
  const bytes = await reply.arrayBuffer();
  if (reply.status !== 200) throw new Error(Buffer.from(bytes).toString());
  return performance.now() - begun;
}

async function put({ base }: ServiceFixture, body: Buffer): Promise<string> {
  const hash = createHash('sha256').update(body).digest('hex');
  const reply = await fetch(`${base}/media/${hash}`, { method: 'PUT', body: new Uint8Array(body) });
  if (!reply.ok) throw new Error(await reply.text());
  return hash;
}

/** Each is unlike the others, and as large as pictures are that people upload. */
async function putPictures(service: ServiceFixture): Promise<string[]> {
  const hashes: string[] = [];
  for (let n = 0; n < PICTURES; n++) {
    const { bitmap, context } = createSkiaSurface(800, 600);
    for (let stripe = 0; stripe < 40; stripe++) {
      context.fillStyle = `hsl(${n * 15 + stripe * 7} 70% ${30 + stripe}%)`;
      context.fillRect(stripe * 20, (stripe * n * 13) % 300, 20, 600);
    }
    hashes.push(await put(service, await bitmap.encode('jpeg', 90)));
  }
  return hashes;
}

function boardDocuments(hashes: readonly string[]): Record<string, object> {
  const items = hashes.map((_, n) => ({ id: `i${n}`, name: `Item ${n}`, file_field: `p${n}` }));
  const rows = ['S', 'A', 'B', 'C'].map((id, row) => {
    return { id, item_ids: items.filter((_, n) => n % 4 === row).map((item) => item.id) };
  });
  return {
    tier_list: { title: 'Ranked', rows, items },
    timeline_data: {
      tier_blocks: [{ start: 0, duration: 600 }],
      tier_tiles: items.map(({ id }, n) => ({ tier_item_id: id, position: n * 25 })),
      subtitles: [{ text: 'What comes next?', start: 0, duration: 600 }],
    },
    media_refs: Object.fromEntries(hashes.map((hash, n) => [`p${n}`, hash])),
  };
}

function clipDocuments(hash: string): Record<string, object> {
  return {
    tier_list: {},
    timeline_data: { videos: [{ file_field: 'clip' }], subtitles: [{ text: 'Deep inside', start: 0, duration: 600 }] },
    media_refs: { clip: hash },
  };
}

/** Twenty seconds of 1080p, repeated without encoding them again: a key frame every two seconds, as phones and editors write them. */
async function tenMinutes(): Promise<string> {
  const piece = await benchClip({ name: 'frames', width: 1920, height: 1080, seconds: PIECE_SECONDS, seed: 5 });
  const sound = await makeClip({ frames: 0, sound: { seconds: PIECE_SECONDS * PIECES } });
  const file = join(tmpdir(), 'tiercut-bench-frames.mp4');
  const rate = { num: 30, den: 1 };
  const length = PIECE_SECONDS * 30;
  await assemble({
    plan: {
      title: '',
      canvas: { width: 1920, height: 1080, background: '#000000' },
      rate,
      totalFrames: frames(length * PIECES),
      chunks: Array.from({ length: PIECES }, (_, n) => {
        return { start: frames(n * length), end: frames((n + 1) * length), key: String(n) };
      }),
      chapters: [],
      audio: { totalSamples: samples(PIECE_SECONDS * PIECES * 48_000) },
    },
    chunkFiles: Array.from({ length: PIECES }, () => piece),
    audioFile: sound.file,
    out: file,
  });
  return file;
}
