import { readFileSync } from 'node:fs';
import { AVCOL_SPC_BT2020_NCL, AVCOL_TRC_SMPTE2084 } from 'node-av/constants';
import { SkiaPainter } from '../../src/paint/skia/skia-painter.ts';
import { boardEffects, type Dim } from '../../src/plan/frame/frame-at.ts';
import type { MediaFacts } from '../../src/plan/model/media-facts.ts';
import type { PaintedKind } from '../../src/plan/model/painted-layers.ts';
import type { PaintedPicture } from '../../src/plan/model/painter.ts';
import type { RenderPlan } from '../../src/plan/model/render-plan.ts';
import type { EventStyleName } from '../../src/plan/reveal/event-styles.ts';
import { frames, micros, samples } from '../../src/time.ts';
import { CLIP_TRANSITIONS } from '../../src/timeline/choices.ts';
import { plan } from '../request-builder.ts';
import { patchClip, type Rgb } from './compose/patch-clip.ts';
import { renderAllChunks } from './encode/render-video.ts';
import { audioPlan, clipAt, rendering } from './sound/sound-plan.ts';
import { samplesOf, tone, wavFile } from './sound/wav-file.ts';
import { fileSource, type Source, source } from './video-plan.ts';

const FPS = 10;
const SECOND = 48_000;

const TIER_LIST = {
  title: 'All at once',
  rows: [
    { id: 's', label: 'S', item_ids: ['a', 'b'] },
    { id: 't', label: 'T', item_ids: ['c', 'd', 'e'] },
  ],
  items: ['a', 'b', 'c', 'd', 'e'].map((id) => ({ id, name: `Item ${id}`, score: '9/10', note: 'So far' })),
};
/** A new style is missing here, and then nothing compiles. */
const TILES: Readonly<Record<EventStyleName, object>> = {
  spotlight: { tier_item_id: 'a', position: 0.5, reveal: 'spotlight' },
  slam: { tier_item_id: 'b', position: 3, reveal: 'slam' },
  pop: { tier_item_id: 'c', position: 4, reveal: 'pop' },
  move: { tier_item_id: 'd', position: 5, to_row: 's', index: 0 },
  none: { tier_item_id: 'e', position: 5.5, reveal: 'none' },
};
const REVEALS = Object.values(TILES);
const STYLES = Object.keys(TILES) as EventStyleName[];
const WORDS = {
  text: 'Word by word',
  words: [
    { text: 'Word', start: 0 },
    { text: 'by', start: 0.6 },
    { text: 'word', start: 3 },
  ],
};
const GLASS = { base: 'neon', glass: true, panel_opacity: 60 };
/** A film with a moving picture; lossless, so that the decoded frames do not depend on the encoder. */
const FILM = { frames: 60, width: 96, height: 54, rate: { num: FPS, den: 1 }, codec: 'ffv1', container: 'matroska' };
const BARS: readonly Rgb[] = [
  [200, 40, 30],
  [40, 190, 60],
  [50, 60, 210],
  [180, 180, 180],
];

/**
 * Small outputs of the engine: paintings as pixels, chunks and sounds as files. Each covers something that can change
 * alone. All of them take seconds.
 */
export const VERSION_SAMPLES: Readonly<Record<string, () => Promise<Uint8Array>>> = {
  'painting: board at rest': () => painted('board', 6.5),
  'painting: board of glass': () => painted('board', 6.5, { theme: GLASS }),
  ...Object.fromEntries(STYLES.map((style) => [`painting: ${style}`, () => painted('board', style)])),
  'painting: subtitle with a lit word': () => painted('subtitle', 1),
  'painting: progress bar': () => painted('progress', 3),
  'chunk: clips scaled, sped up, cropped, faded': async () =>
    chunk({ film: await source(FILM) }, [
      { file_field: 'film', duration: 2, speed: 1.3, trim_start: 0.4, fade_in: 0.5, fit: 'blur' },
      { file_field: 'film', start: 0.5, duration: 1, ...box(50, 40), crop_x: 10, crop_w: 60, exit: 'slide' },
    ]),
  'chunk: clips in shapes, with border and shadow': async () =>
    chunk({ film: await source(FILM) }, [
      { file_field: 'film', duration: 2, fit: 'cover' },
      { file_field: 'film', duration: 2, shape: 'rounded', border_width: 4, shadow: true, ...box(5, 10) },
      { file_field: 'film', duration: 2, shape: 'circle', enter: 'rise', ...box(60, 10) },
    ]),
  'chunk: transitions': async () =>
    chunk(
      { film: await source(FILM) },
      [undefined, ...CLIP_TRANSITIONS].map((kind, nth) => ({
        ...{ file_field: 'film', start: nth, duration: 1, trim_start: nth / 2, fit: 'cover' },
        ...(kind !== undefined && { transition: { kind, duration: 0.8 } }),
      })),
    ),
  'chunk: motion': async () =>
    chunk({ film: await source(FILM) }, [
      { file_field: 'film', duration: 2, fit: 'cover', motion: { from: { x: 40, scale: 1.3 }, to: { scale: 1 } } },
      {
        file_field: 'film',
        duration: 2,
        ...box(50, 40),
        shape: 'circle',
        motion: { to: { scale: 2 }, ease: 'linear' },
      },
    ]),
  'chunk: tone mapping': async () =>
    chunk(
      {
        clip: await patches({
          matrix: AVCOL_SPC_BT2020_NCL,
          transfer: AVCOL_TRC_SMPTE2084,
          pixelFormat: 'yuv420p10le',
        }),
      },
      [{ file_field: 'clip', duration: 1 }],
    ),
  'chunk: a see-through clip over another': async () =>
    chunk(
      {
        film: await source(FILM),
        clip: await patches({ pixelFormat: 'yuva420p', alphas: [30, 120, 200, 255] }, { alpha: true }),
      },
      [
        { file_field: 'film', duration: 1 },
        { file_field: 'clip', duration: 1, ...box(10, 10) },
      ],
    ),
  'chunk: board, subtitle and progress bar over a clip': async () =>
    chunk(
      { film: await source(FILM) },
      [{ file_field: 'film', duration: 6 }],
      {
        tier_blocks: [{ start: 0, duration: 6, enter: 'rise' }],
        tier_tiles: REVEALS,
        subtitles: [{ ...WORDS, start: 0, duration: 5 }],
      },
      { theme: GLASS, counter: true, progress_bar: true },
    ),
  'chunk: board alone': async () => chunk({}, [], { tier_blocks: [{ start: 0, duration: 6 }], tier_tiles: REVEALS }),
  'sound: speed, loop, fades and ducking': () =>
    mixed([
      clipAt(0, 2 * SECOND, { speed: 1_500_000, fadeIn: samples(12_000), fadeOut: samples(9000) }),
      clipAt(4800, 2 * SECOND, { loop: true, gain: 0.6, trim: { start: micros(100_000), end: micros(550_000) } }),
      clipAt(SECOND, 2 * SECOND, { lane: 'tier_tiles', source: 'impact' }),
    ]),
  'sound: loudness and limiter': () =>
    mixed([clipAt(0, 3 * SECOND), clipAt(0, 3 * SECOND, { gain: 2, speed: 700_000 })], { loudness: -14 }),
};

function box(x: number, y: number) {
  return { x_percent: x, y_percent: y, width_percent: 35, height_percent: 60 };
}

async function patches(
  options: Partial<Parameters<typeof patchClip>[0]>,
  facts: Partial<MediaFacts> = {},
): Promise<Source> {
  const file = await patchClip({ patches: BARS, ...options });
  return fileSource(file, { width: 192, height: 108, ...facts });
}

/** The chunks of a timeline at 128×72, in order. */
async function chunk(
  sources: Readonly<Record<string, Source>>,
  videos: readonly object[],
  lanes: object = {},
  settings: object = {},
): Promise<Uint8Array> {
  const facts = Object.fromEntries(Object.entries(sources).map(([field, each]) => [field, each.facts]));
  const documents = {
    tier_list: TIER_LIST,
    timeline_data: { videos, ...lanes },
    settings: { width: 128, height: 72, fps: FPS, quality: 'draft', ...settings },
  };
  const made = plan(documents, facts);
  const files = new Map(made.sources.map(({ field }, index) => [index, sources[field]!.clip.file]));
  const painter = await SkiaPainter.create({ plan: made, files: new Map() });
  return Buffer.concat((await renderAllChunks({ plan: made, files, painter })).map((file) => readFileSync(file)));
}

/** A painted layer of one timeline at 320×180, at so many seconds, or in the middle of a style's event. */
async function painted(kind: PaintedKind, at: number | EventStyleName, settings: object = {}): Promise<Uint8Array> {
  const made = plan(
    {
      tier_list: TIER_LIST,
      timeline_data: {
        tier_blocks: [{ start: 0, duration: 7, x_percent: 5, y_percent: 5, width_percent: 90, height_percent: 70 }],
        tier_tiles: REVEALS,
        subtitles: [{ ...WORDS, start: 0, duration: 5 }],
      },
      settings: { width: 320, height: 180, fps: 30, progress_bar: true, counter: true, ...settings },
    },
    {},
  );
  const painter = await SkiaPainter.create({ plan: made, files: new Map() });
  const frame = typeof at === 'number' ? at * 30 : middleOf(made, at);
  const { still, moving, front } = painter.paint(kind, made.painted[kind][0]!, frames(frame))!;
  const dim = kind === 'board' ? boardEffects(made, made.painted.board[0]!, frames(frame)).dim : null;
  return Buffer.concat([still, moving, dim, front].map(bytesOf));
}

function middleOf({ board }: RenderPlan, style: EventStyleName): number {
  const { at, end } = board!.events.find((event) => event.style === style)!;
  return Math.floor((at + end) / 2);
}

function bytesOf(part: PaintedPicture | Dim | null): Buffer {
  if (part === null || !('rgba' in part)) return Buffer.from(JSON.stringify(part));
  return Buffer.concat([Buffer.from(JSON.stringify(part.rect)), part.rgba]);
}

async function mixed(
  clips: Parameters<typeof audioPlan>[0],
  changes: Parameters<typeof audioPlan>[1] = {},
): Promise<Uint8Array> {
  const file = wavFile([
    samplesOf(3 * SECOND, (n) => tone(330, 0.3)(n) + tone(1870, 0.2)(n)),
    samplesOf(3 * SECOND, (n) => tone(220, 0.4)(n) * (0.5 + 0.5 * Math.sin(n / 7000))),
  ]);
  return readFileSync((await rendering(audioPlan(clips, changes), [file])).file);
}
