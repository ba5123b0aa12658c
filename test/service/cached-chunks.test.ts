import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, before, test } from 'node:test';
import { makeClip } from '../fixtures/clips.ts';
import { createAsync, type ExportRequest, ended, type Listening } from './export-client.ts';
import { CLIP, PICTURE } from './sample-request.ts';
import { ServiceFixture } from './service-fixture.ts';

/** What each feature gets of the timeline. */
const SECONDS = 2;
const PRESET = 'preset_one';

const SONG = await makeClip({ frames: 0, sound: { seconds: 4, codec: 'pcm_s16le' }, container: 'wav' });
const ALPHA = await makeClip({ frames: 10, width: 64, height: 64, codec: 'apng', container: 'apng', alpha: true });
const CAPTIONS = new Blob(['1\n00:00:01,000 --> 00:00:04,000\nFrom a file\n']);
const FILES = { clip: CLIP.file, picture: PICTURE.file, song: SONG.file, alpha: ALPHA.file, captions: CAPTIONS };

type Lanes = Readonly<Record<string, readonly object[]>>;
/** The entries that show a feature from a second on. */
type Feature = (start: number) => Lanes;

const BOX = { x_percent: 55, y_percent: 10, width_percent: 40, height_percent: 40 };

function clip(more: object): Feature {
  return (start) => ({ videos: [{ file_field: 'clip', start, duration: SECONDS, ...more }] });
}

function board(more: object): Feature {
  return (start) => ({ tier_blocks: [{ start, duration: SECONDS, ...more }] });
}

/** Each has its own item, which is named after its second. */
function revealed(more: object): Feature {
  return (start) => ({
    ...board({})(start),
    tier_tiles: [{ tier_item_id: `item ${start}`, position: start + 0.5, ...more }],
  });
}

function subtitle(more: object): Feature {
  return (start) => ({ subtitles: [{ text: 'Said so', start, duration: SECONDS, ...more }] });
}

const CLIPS: Readonly<Record<string, Feature>> = {
  'a last frame that is held': clip({}),
  transition: clip({ file_field: 'picture', transition: { kind: 'wipe', duration: 1 } }),
  'trim and speed': clip({ trim_start: 0.5, trim_end: 1.5, speed: 0.25 }),
  crop: clip({ crop_x: 10, crop_y: 10, crop_w: 50, crop_h: 50 }),
  contain: clip({ ...BOX, fit: 'contain' }),
  blur: clip({ file_field: 'picture', fit: 'blur' }),
  fades: clip({ fade_in: 1, fade_out: 1 }),
  look: clip({ ...BOX, shape: 'circle', border_color: '#ffffff', border_width: 8, shadow: true }),
  'enter and exit': clip({ ...BOX, enter: 'slide', exit: 'rise' }),
  alpha: clip({ file_field: 'alpha' }),
  'below the board': (start) => ({ ...clip({ ...BOX, layer: 'below_board' })(start), ...board({})(start) }),
  'sound at another speed': (start) => ({ audios: [{ file_field: 'song', start, speed: 1.5, volume: 0.5 }] }),
  loop: (start) => ({ soundtracks: [{ file_field: 'song', start, duration: SECONDS + 2, loop: true, fade_out: 1 }] }),
};

const BOARDS: Readonly<Record<string, Feature>> = {
  'a board that fades': board({ enter: 'fade', exit: 'fade' }),
  none: revealed({ reveal: 'none' }),
  pop: revealed({ reveal: 'pop', sound_field: 'ding' }),
  spotlight: revealed({ reveal: 'spotlight', hold: 0.5 }),
  slam: revealed({ reveal: 'slam' }),
  move: revealed({ tier_item_id: 'moved', to_row: 't' }),
};

const TEXTS: Readonly<Record<string, Feature>> = {
  style: subtitle({ size: 40, align: 'left', text_color: '#ffee00', background_color: '#202020' }),
  place: subtitle({ ...BOX, enter: 'rise', exit: 'fade' }),
  words: (start) => subtitle({ words: ['Said', 'so'].map((text, n) => ({ text, start: start + n })) })(start),
  file: (start) => ({ subtitle_files: [{ file_field: 'captions', offset: start }] }),
};

/** What is rendered: features one after the other, under settings that hold for all of them. */
const VIDEOS: Readonly<Record<string, readonly [Readonly<Record<string, Feature>>, settings: object]>> = {
  'clips, boards and texts': [{ ...CLIPS, ...BOARDS, ...TEXTS }, {}],
  'loudness, counter and progress': [CLIPS, { loudness: -18, counter: true, progress_bar: true }],
  'paper, sounds of reveals': [BOARDS, { theme: 'paper', reveal_sound: 'drum_roll', background: '#405060' }],
  'neon with glass, a pool': [BOARDS, { theme: { base: 'neon', glass: true }, hidden_until_revealed: false }],
  'broadcast, names on cards': [BOARDS, { theme: 'broadcast', card: { names: 'always' }, board: { layout: 'auto' } }],
};

let warm: ServiceFixture;
let cold: ServiceFixture;
before(async () => {
  warm = await ServiceFixture.start({ TIERCUT_PRERENDER: 'selected' });
  cold = await ServiceFixture.start({ TIERCUT_PRERENDER: 'selected', TIERCUT_CHUNK_CACHE: '0' });
});
after(async () => {
  await warm[Symbol.asyncDispose]();
  await cold[Symbol.asyncDispose]();
});

/** A video of features that ends with a caption. */
function requestOf(features: Readonly<Record<string, Feature>>, settings: object, caption: string): ExportRequest {
  const starts = Object.keys(features).map((_, n) => n * SECONDS);
  const lanes = Object.values(features).map((feature, n) => feature(starts[n]!));
  const end = starts.length * SECONDS;
  const last = { subtitles: [{ text: caption, start: end, duration: SECONDS }] };
  const entries = (lane: string) => [...lanes, last].flatMap((found: Lanes) => found[lane] ?? []);
  const names = [...new Set([...lanes, last].flatMap((found) => Object.keys(found)))];
  const items = ['moved', ...starts.map((start) => `item ${start}`)];
  return {
    documents: {
      tier_list: {
        title: 'Cached, ranked',
        rows: [
          { id: 's', label: 'S', item_ids: items },
          { id: 't', label: 'T', item_ids: [] },
        ],
        items: items.map((id) => ({ id, name: id, file_field: 'picture' })),
      },
      timeline_data: Object.fromEntries(names.map((lane) => [lane, entries(lane)])),
      settings: { preset: PRESET, fps: 5, quality: 'draft', ...settings },
    },
    files: FILES,
  };
}

/** The SHA-256 of the rendered file. */
async function rendered(service: Listening, request: ExportRequest): Promise<string> {
  const { export_id } = await createAsync(service, request);
  const { state, outputs, downloads } = await ended(service, export_id);
  assert.equal(state, 'completed');
  const reply = await fetch(`${service.base}${downloads[PRESET]}`);
  const hash = createHash('sha256')
    .update(Buffer.from(await reply.arrayBuffer()))
    .digest('hex');
  assert.equal(hash, outputs[PRESET]!.sha256);
  return hash;
}

/** How many chunks a service has found in its cache so far. */
async function found({ base }: Listening): Promise<number> {
  const text = await (await fetch(`${base}/metrics`)).text();
  return Number(/^tiercut_chunks_sought_total\{found="yes"\} (\d+)$/m.exec(text)?.[1] ?? 0);
}

for (const [name, [features, settings]] of Object.entries(VIDEOS)) {
  test(`[R18] ${name}: after an edit elsewhere, cached chunks make the same file as a fresh render`, async () => {
    const request = (caption: string) => requestOf(features, settings, caption);
    await rendered(warm, request('before'));
    const before = await found(warm);
    const edited = await rendered(warm, request('after'));
    assert((await found(warm)) > before, 'nothing came from the cache');
    assert.equal(edited, await rendered(cold, request('after')));
    assert.equal(await found(cold), 0);
  });
}
