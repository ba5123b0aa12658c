import type { BoardEvent, BoardItem, BoardScene, CardLook } from '../../src/plan/model/board-scene.ts';
import type { Rect } from '../../src/plan/model/canvas.ts';
import type { ProgressBar, SubtitleLayer } from '../../src/plan/model/painted-layers.ts';
import type { RenderPlan } from '../../src/plan/model/render-plan.ts';
import { plainTheme } from '../../src/plan/place/plan-theme.ts';
import { SECONDS } from '../../src/plan/reveal/course.ts';
import { stageCues } from '../../src/plan/reveal/stage.ts';
import { type FrameRate, type Frames, frameAt, frames, samples } from '../../src/time.ts';

const THIRTY: FrameRate = { num: 30, den: 1 };

const COLORS = ['#ff7f7f', '#ffbf7f', '#ffdf7f', '#ffff7f', '#bfff7f', '#7fff7f', '#7fffff', '#7fbfff', '#7f7fff'];
const NAMES = [
  'Half-Life 2',
  'Portal',
  'Hades',
  'Celeste',
  'Dark Souls',
  'Elden Ring',
  'Stardew Valley',
  'Hollow Knight',
  'Outer Wilds',
  'Factorio',
  'Tetris',
  'Disco Elysium',
];

/** The options of a sample scene; everything else is the same in all of them. */
export interface SceneOptions {
  readonly title?: string;
  readonly labels?: readonly string[];
  readonly colors?: readonly string[];
  readonly pool?: number;
  /** The style of those reveals that have none of their own. */
  readonly reveal?: BoardEvent['style'];
  readonly reveals?: readonly SampleReveal[];
  /** 30 a second if absent. */
  readonly rate?: FrameRate;
  readonly counter?: boolean;
  readonly layout?: BoardScene['layout'];
  readonly poolShown?: BoardScene['poolShown'];
  readonly reported?: (item: number) => { readonly score: string; readonly note: string };
  /** How many pictures there are; items take turns. */
  readonly pictures?: number;
  /** Items without a picture. */
  readonly nameCard?: (item: number) => boolean;
  readonly names?: readonly string[];
  readonly card?: Partial<CardLook>;
  readonly fit?: (item: number) => BoardItem['fit'];
  readonly view?: (item: number) => NonNullable<BoardItem['view']>;
}

/** Something that happens to an item, in the time it takes by itself. */
export type SampleReveal = Pick<BoardEvent, 'item' | 'at'> & Partial<Pick<BoardEvent, 'style' | 'to' | 'confetti'>>;

/** An event that has the stage to itself. */
export function sampleEvent(event: SampleReveal & Pick<BoardEvent, 'style'>, rate: FrameRate = THIRTY): BoardEvent {
  const { item, at, style, to = null, confetti = null } = event;
  const [length, minLength] = [1.25, 0.6].map((seconds) => frameAt(seconds, rate)) as [Frames, Frames];
  const hold = style === 'spotlight' ? { length, minLength, stampAt: null, isOwn: false } : null;
  return {
    item,
    style,
    to,
    confetti,
    ...stageCues([{ item, at, style, hold }], [], rate, SECONDS.spotlight.flight)[0]!.course,
  };
}

/** A scene with so many items in each row. */
export function sampleScene(counts: readonly number[], options: SceneOptions = {}): BoardScene {
  const {
    rate = THIRTY,
    labels = [...'SABCDEFGH'],
    colors = COLORS,
    names = NAMES,
    pictures = 12,
    nameCard = () => false,
  } = options;
  let next = 0;
  const take = (count: number) => Array.from({ length: count }, () => next++);
  const rows = counts.map((count, row) => ({
    label: labels[row % labels.length]!,
    color: colors[row % colors.length]!,
    items: take(count),
  }));
  const pool = take(options.pool ?? 0);
  return {
    card: { shape: 'square', names: pictures === 0 ? 'never' : 'auto', ...options.card },
    title: options.title ?? 'Games of the decade, ranked',
    rows,
    pool,
    items: Array.from({ length: next }, (_, item) => ({
      name: names[item % names.length]!,
      image: nameCard(item) || pictures === 0 ? null : item % pictures,
      fit: options.fit?.(item) ?? 'cover',
      ...(options.view !== undefined && { view: options.view(item) }),
      ...(options.reported?.(item) ?? { score: '', note: '' }),
    })),
    events: (options.reveals ?? []).map((event) => sampleEvent({ style: options.reveal ?? 'pop', ...event }, rate)),
    rate,
    layout: options.layout ?? 'ladder',
    poolShown: options.poolShown ?? 'auto',
    counter: options.counter ? next - pool.length : null,
  };
}

/** A subtitle with the contract's defaults (C23) for the canvas. */
export function sampleSubtitle(text: string, canvas: Size, change: Partial<SubtitleLayer> = {}): SubtitleLayer {
  return {
    id: 'subtitles/0',
    path: '/timeline_data/subtitles/0',
    shows: { start: frames(0), end: frames(300) },
    text,
    rect: percent(canvas, 10, 78, 80, 16),
    sizePx: (48 * Math.min(canvas.width, canvas.height)) / 1080,
    letterSpacing: 0,
    align: 'center',
    color: '#ffffff',
    background: null,
    caption: null,
    letters: null,
    look: null,
    words: [],
    enter: null,
    exit: null,
    ...change,
  };
}

/** A progress bar in its place, over all of a video. */
export function sampleBar(rect: Rect, totalFrames: Frames): ProgressBar {
  const shows = { start: frames(0), end: totalFrames };
  return { id: '', path: '/settings/progress_bar', shows, rect, enter: null, exit: null };
}

/** A plan that shows `scene` through one window with the contract's defaults (C21), or through `rect`. */
export function samplePlan(
  canvas: Size,
  scene: BoardScene | null,
  subtitles: readonly SubtitleLayer[] = [],
  rect = percent(canvas, 5, 5, 90, 90),
): RenderPlan {
  const shows = { start: frames(0), end: frames(300) };
  return {
    preset: 'preset_one',
    title: scene?.title ?? '',
    canvas: { ...canvas, background: '#000000' },
    rate: { num: 30, den: 1 },
    totalFrames: frames(300),
    encoder: { preset: 'veryfast', crf: 21, keyframeEvery: frames(60) },
    sources: Array.from({ length: 12 }, (_, index) => ({ field: `picture${index}`, hash: `${index}` })),
    clips: [],
    theme: plainTheme('midnight'),
    board: scene,
    painted: {
      board:
        scene === null
          ? []
          : [{ id: 'tier_blocks/0', path: '/timeline_data/tier_blocks/0', shows, rect, enter: null, exit: null }],
      title: [],
      subtitle: subtitles,
      progress: [],
    },
    shorts: [],
    chapterTrack: true,
    spans: [],
    chunks: [],
    audio: {
      ...{ totalSamples: samples(480_000), bitrateKbps: 192, loudness: null, duckDb: 0, clips: [] },
      ...{ key: '', voices: [] },
    },
    chapters: [],
    warnings: [],
  };
}

interface Size {
  readonly width: number;
  readonly height: number;
}

function percent({ width, height }: Size, x: number, y: number, w: number, h: number): Rect {
  const at = (part: number, of: number) => Math.round((part * of) / 100);
  return { x: at(x, width), y: at(y, height), width: at(w, width), height: at(h, height) };
}
