import { createHash } from 'node:crypto';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { SkiaPainter } from '../../src/paint/skia/skia-painter.ts';
import { clipTime, mixAt, viewAt } from '../../src/plan/frame/clip-at-frame.ts';
import { boardEffects } from '../../src/plan/frame/frame-at.ts';
import { gradientMove } from '../../src/plan/frame/ground.ts';
import { paintedLayer } from '../../src/plan/frame/painted-kinds.ts';
import { presenceAt } from '../../src/plan/frame/picture-envelope.ts';
import { gradientBehind, themeBehind } from '../../src/plan/model/canvas.ts';
import type { ClipLayer } from '../../src/plan/model/clip-layer.ts';
import type { PaintedPicture, Painting } from '../../src/plan/model/painter.ts';
import type { RenderPlan, Span } from '../../src/plan/model/render-plan.ts';
import { type Frames, frames } from '../../src/time.ts';
import {
  BOARD_LAYOUTS,
  CAPTION_STYLES,
  CLIP_LAYERS,
  CLIP_TRANSITIONS,
  EFFECTS,
  ENTRANCES,
  POOLS,
  REVEALS,
  THEMES,
} from '../../src/timeline/choices.ts';
import { facts, picture, plan } from '../request-builder.ts';
import { drawLandscape, SamplePictures } from './sample-pictures.ts';

/** Smaller than any card, about as large, wide, tall, far larger. */
export const SIZES = [[30, 30], [120, 120], [300, 200], [260, 400], [900, 700]] as const; // biome-ignore format: a table

const thai = dirname(createRequire(import.meta.url).resolve('@fontsource/noto-sans-thai/package.json'));
/** A thin and a heavy one. */
const FONTS = ['100', '900'].map((weight) => join(thai, 'files', `noto-sans-thai-latin-${weight}-normal.woff2`));

export const pictures = new SamplePictures(0);
for (const [index, size] of SIZES.entries()) {
  pictures.add(`p${index}`, drawLandscape(index, ...size).bitmap.toBuffer('image/png'));
}
const files = new Map([...pictures.files, ...FONTS.map((path, index): [string, string] => [`f${index}`, path])]);
const media = {
  ...Object.fromEntries(SIZES.map(([width, height], index) => [`p${index}`, picture(`p${index}`, width, height)])),
  ...Object.fromEntries(
    FONTS.map((_, i) => [`f${i}`, facts(`f${i}`, { kind: 'font', duration: 0, width: 0, height: 0, sound: false })]),
  ),
  film: facts('film', { width: 320, height: 240 }),
};

type Reveal = (typeof REVEALS)[number];

/** A request in the things that vary. */
export interface Draft {
  readonly title: string;
  readonly reveal: Reveal;
  readonly items: readonly DraftItem[];
  readonly rows: number;
  readonly shape: 'auto' | 'square' | 'portrait' | 'landscape';
  readonly windows: readonly Window[];
  readonly subtitle: Subtitle;
  readonly width: number;
  readonly theme: Theme;
  readonly board: Board;
  readonly counter: boolean;
  readonly progressBar: boolean;
  readonly clip: Clip | null;
  readonly background: string | object;
}

interface Board {
  readonly layout: (typeof BOARD_LAYOUTS)[number];
  readonly pool: (typeof POOLS)[number];
  /** Whether the last items are in no row. */
  readonly hasPool: boolean;
  readonly isHidden: boolean;
  /** Of the first row. */
  readonly effect: (typeof EFFECTS)[number];
}

interface DraftItem {
  readonly name: string;
  readonly file: number | null;
  /** What of its picture is seen. */
  readonly view: { readonly x: number; readonly zoom: number } | null;
  readonly revealedAt: number | null;
  /** The style of this tile; null: that of all tiles. */
  readonly style: Reveal | null;
  readonly moved: {
    readonly at: number;
    readonly row: number;
    readonly index: number;
    readonly style: Reveal | null;
  } | null;
  /** Of its spotlight; null: as long as all are held. */
  readonly hold: number | null;
  /** null: that of its row. */
  readonly effect: (typeof EFFECTS)[number] | null;
  readonly score: string;
  readonly note: string;
}

export interface Window extends Passing {
  readonly x: number;
  readonly width: number;
  readonly height: number;
}

interface Passing {
  readonly enter: string | null;
  readonly exit: string | null;
}

interface Subtitle extends Passing {
  readonly text: string;
  /** When each of its two words is spoken; null: it is shown as one text. */
  readonly spoken: number | null;
  readonly color: string;
  readonly background: string | null;
  readonly letterSpacing: number | null;
  /** Of its style; null: it has none. */
  readonly captionStyle: object | string | null;
}

interface Theme {
  readonly base: string;
  readonly text: string | null;
  readonly opacity: number | null;
  readonly corner: number | null;
  readonly glass: boolean;
  readonly font: number | null;
}

interface Clip extends Passing {
  readonly file: string;
  readonly start: number;
  readonly fadeIn: number;
  readonly fadeOut: number;
  readonly speed: number;
  /** null: by its box. */
  readonly layer: (typeof CLIP_LAYERS)[number] | null;
  /** null: the whole canvas. */
  readonly look: {
    readonly shape: string;
    readonly border: number;
    readonly shadow: boolean;
    readonly x: number;
  } | null;
  /** How another one takes over from it; null: none follows. */
  readonly next: string | null;
  readonly motion: unknown;
}

const PLAIN_ITEM = { view: null, style: null, moved: null, hold: null, effect: null, score: '', note: '' };
const PLAIN_BOARD: Board = { layout: 'ladder', pool: 'auto', hasPool: false, isHidden: true, effect: 'none' };
const IN_PLACE = { enter: null, exit: null };
const NO_SUBTITLE: Subtitle = {
  ...IN_PLACE,
  text: '',
  spoken: null,
  color: '#ffffff',
  background: null,
  letterSpacing: null,
  captionStyle: null,
};
const PLAIN_BACKGROUND = '#000000';
const PLAIN_THEME: Theme = { base: 'midnight', text: null, opacity: null, corner: null, glass: false, font: null };

/** A draft with default values, except for the given ones. */
export function plainDraft(
  reported: Partial<Omit<Draft, 'items' | 'windows'>> & {
    readonly items: readonly Pick<DraftItem, 'name' | 'file' | 'revealedAt'>[];
    readonly windows: readonly Pick<Window, 'x' | 'width' | 'height'>[];
  },
): Draft {
  return {
    ...{ title: '', reveal: 'pop', rows: 2, shape: 'auto', subtitle: NO_SUBTITLE, width: 640, theme: PLAIN_THEME },
    ...{ board: PLAIN_BOARD, counter: false, progressBar: false, clip: null, background: PLAIN_BACKGROUND },
    ...reported,
    items: reported.items.map((item) => ({ ...PLAIN_ITEM, ...item })),
    windows: reported.windows.map((window) => ({ ...IN_PLACE, ...window })),
  };
}

const passing = {
  enter: fc.option(fc.constantFrom(...ENTRANCES)),
  exit: fc.option(fc.constantFrom(...ENTRANCES)),
};
const name = fc.constantFrom('Chess', 'Go', 'Backgammon', 'Settlers of Catan');
const file = fc.option(fc.nat(SIZES.length - 1), { freq: 6 });
export const second = fc.option(fc.integer({ min: 1, max: 38 }));
export const plainWindow = fc.record({
  x: fc.constantFrom(0, 5, 40, -20),
  width: fc.constantFrom(40, 60, 90),
  height: fc.constantFrom(40, 90),
});
const window = fc.tuple(plainWindow, fc.record(passing)).map(([place, comes]): Window => ({ ...place, ...comes }));
export const plainItem = fc.record({ name, file, revealedAt: second });
const item: fc.Arbitrary<DraftItem> = fc.record({
  name,
  file,
  view: fc.option(fc.record({ x: fc.constantFrom(0, 50, 90), zoom: fc.constantFrom(1, 2.5) }), { freq: 2 }),
  revealedAt: second,
  style: fc.option(fc.constantFrom(...REVEALS)),
  moved: fc.option(
    fc.record({
      at: fc.integer({ min: 1, max: 38 }),
      row: fc.nat(3),
      index: fc.nat(2),
      style: fc.option(fc.constantFrom(...REVEALS)),
    }),
    { freq: 2 },
  ),
  hold: fc.constantFrom(null, null, 0, 3),
  effect: fc.option(fc.constantFrom(...EFFECTS), { freq: 1 }),
  score: fc.constantFrom('', '', '9/10'),
  note: fc.constantFrom('', '', 'Too long'),
});
const subtitle: fc.Arbitrary<Subtitle> = fc.record({
  ...passing,
  text: fc.constantFrom('', 'Next one'),
  spoken: fc.option(fc.integer({ min: 10, max: 13 })),
  color: fc.constantFrom('#ffffff', '#ffd540'),
  background: fc.constantFrom(null, null, '#20a040'),
  letterSpacing: fc.constantFrom(null, null, 0.2),
  captionStyle: fc.constantFrom(
    null,
    ...CAPTION_STYLES,
    { base: 'pop', max_words: 1 },
    { base: 'shout', font: 'Anton' },
    { base: 'plain', weight: 600, uppercase: true },
    { base: 'pill', highlight_color: '#ffffff', outline_width: 0.2, outline_color: '#402000' },
  ),
});
const theme: fc.Arbitrary<Theme> = fc.record({
  base: fc.constantFrom(...THEMES),
  text: fc.constantFrom(null, null, '#ff8800'),
  opacity: fc.constantFrom(null, null, 40),
  corner: fc.constantFrom(null, null, 90),
  glass: fc.boolean(),
  font: fc.option(fc.nat(FONTS.length - 1), { freq: 1 }),
});
const GRADIENT = { kind: 'gradient', colors: ['#203040', '#a06050'] };
/** The background. (C61) */
const BACKGROUNDS: readonly (string | object)[] = [
  ...['#304050', GRADIENT, { ...GRADIENT, angle: 90 }, { ...GRADIENT, moving: true }, { kind: 'theme' }],
  ...[0, 40].map((blur) => ({ kind: 'image', file_field: 'p2', blur })),
];
const clip: fc.Arbitrary<Clip> = fc.record({
  ...passing,
  file: fc.constantFrom('p2', 'film'),
  start: fc.constantFrom(0, 7, 21),
  fadeIn: fc.constantFrom(0, 1.5),
  fadeOut: fc.constantFrom(0, 2),
  speed: fc.constantFrom(1, 1.5),
  layer: fc.option(fc.constantFrom(...CLIP_LAYERS)),
  look: fc.option(
    fc.record({
      shape: fc.constantFrom('rect', 'rounded', 'circle'),
      border: fc.constantFrom(0, 6),
      shadow: fc.boolean(),
      x: fc.constantFrom(5, 70),
    }),
  ),
  next: fc.option(fc.constantFrom(...CLIP_TRANSITIONS)),
  motion: fc.constantFrom(undefined, undefined, 'ken_burns', { to: { x: 60, scale: 2 } }),
});
const board: fc.Arbitrary<Board> = fc.record({
  layout: fc.constantFrom(...BOARD_LAYOUTS),
  pool: fc.constantFrom(...POOLS),
  hasPool: fc.boolean(),
  isHidden: fc.boolean(),
  effect: fc.constantFrom(...EFFECTS),
});
export const draft: fc.Arbitrary<Draft> = fc.record({
  title: fc.constantFrom('', 'Games'),
  reveal: fc.constantFrom(...REVEALS),
  items: fc.array(item, { minLength: 1, maxLength: 9 }),
  rows: fc.constantFrom(1, 2, 4),
  shape: fc.constantFrom('auto', 'auto', 'square', 'portrait', 'landscape'),
  windows: fc.array(window, { minLength: 1, maxLength: 6 }),
  subtitle,
  width: fc.constantFrom(320, 640),
  theme: fc.oneof(fc.constant(PLAIN_THEME), theme),
  board: fc.oneof(fc.constant(PLAIN_BOARD), board),
  counter: fc.boolean(),
  progressBar: fc.boolean(),
  clip: fc.option(clip),
  background: fc.oneof(fc.constant(PLAIN_BACKGROUND), fc.constantFrom(...BACKGROUNDS)),
});

/** Fields of a draft that are changed as one value. */
const FIELDS = [
  'reveal',
  'shape',
  'title',
  'subtitle',
  'theme',
  'board',
  'counter',
  'progressBar',
  'clip',
  'background',
] as const;

/** One change, as before a second export. */
export const edit: fc.Arbitrary<(before: Draft) => Draft> = fc.oneof(
  fc.tuple(draft, fc.constantFrom(...FIELDS)).map(([other, field]) => (before: Draft): Draft => {
    return { ...before, [field]: other[field] };
  }),
  fc
    .tuple(
      fc.nat(),
      item,
      fc.constantFrom(...(Object.keys({ ...PLAIN_ITEM, name, file, revealedAt: 0 }) as (keyof DraftItem)[])),
    )
    .map(([at, other, field]) => changedItem(at, { [field]: other[field] })),
  item.map(
    (added) =>
      (before: Draft): Draft => ({ ...before, items: [...before.items, added] }),
  ),
  fc.tuple(fc.nat(), window).map(([at, changed]) => (before: Draft): Draft => {
    return { ...before, windows: before.windows.with(at % before.windows.length, changed) };
  }),
);

export function changedItem(at: number, change: Partial<DraftItem>): (before: Draft) => Draft {
  return (before) => {
    const index = at % before.items.length;
    return { ...before, items: before.items.with(index, { ...before.items[index]!, ...change }) };
  };
}

/** `auto`, and names where any item has a picture, look at all pictures, those not yet seen among them. */
const NAMES = { auto: 'auto', landscape: 'always', square: 'never', portrait: 'never' } as const;

/** Forty seconds; the windows follow each other, so that each has chunks to itself. */
export function planned(made: Draft): RenderPlan {
  const { title, reveal, items, rows, shape, windows, width, board } = made;
  const lanes = board.hasPool ? rows + 1 : rows;
  const documents = {
    tier_list: {
      title,
      rows: Array.from({ length: rows }, (_, row) => ({
        id: `r${row}`,
        label: 'SABC'[row]!,
        color: `#${'f84c'[row]!.repeat(3)}080`,
        item_ids: items.flatMap((_, index) => (index % lanes === row ? [`i${index}`] : [])),
      })),
      items: items.map(({ name, file, view, score, note }, index) => ({
        ...{ id: `i${index}`, name, score, note },
        ...(file !== null && { file_field: `p${file}` }),
        ...(view !== null && { image_focus: { x: view.x }, image_zoom: view.zoom }),
      })),
    },
    timeline_data: {
      videos: videoEntries(made),
      tier_blocks: windows.map(({ x, width, height, enter, exit }, index) => ({
        start: (40 * index) / windows.length,
        duration: 40 / windows.length,
        ...{ x_percent: x, y_percent: 5, width_percent: width, height_percent: height },
        ...passingFields({ enter, exit }),
      })),
      tier_tiles: items.flatMap(({ revealedAt, style, moved, hold, effect }, item) => {
        const of = (position: number, reveal: Reveal | null) => ({
          ...{ tier_item_id: `i${item}`, position },
          ...(reveal !== null && { reveal }),
          ...(hold !== null && { hold }),
          ...(effect !== null && { effect }),
        });
        return [
          ...(revealedAt === null ? [] : [of(revealedAt, style)]),
          ...(moved === null
            ? []
            : [{ ...of(moved.at, moved.style), to_row: `r${moved.row % rows}`, index: moved.index }]),
        ];
      }),
      titles: titleEntries(made),
      subtitles: subtitleEntries(made),
    },
    settings: {
      ...{ width, height: (width * 9) / 16, fps: 4, reveal, card: { shape, names: NAMES[shape] } },
      ...{ theme: themeFields(made.theme), counter: made.counter, progress_bar: made.progressBar },
      ...{ board: { layout: board.layout }, pool: board.pool, hidden_until_revealed: board.isHidden },
      effects: { r0: board.effect },
      background: made.background,
    },
  };
  return plan(documents, media);
}

function passingFields({ enter, exit }: Passing): object {
  return { ...(enter !== null && { enter }), ...(exit !== null && { exit }) };
}

function themeFields({ base, text, opacity, corner, glass, font }: Theme): object {
  return {
    base,
    glass,
    ...(text !== null && { text_color: text }),
    ...(opacity !== null && { panel_opacity: opacity }),
    ...(corner !== null && { corner }),
    ...(font !== null && { font_field: `f${font}` }),
  };
}

/** A title for each subtitle that has a background: the two are changed together. */
function titleEntries({ subtitle: { text, color, background, enter, exit } }: Draft): object[] {
  if (background === null) return [];
  const kind = text === '' ? 'lower_third' : enter === null ? 'label' : 'card';
  const fields = { kind, text: 'Round two', subtext: text, start: 12, duration: 6, text_color: color };
  return [{ ...fields, background_color: background, ...passingFields({ enter, exit }) }];
}

function subtitleEntries({ subtitle: made }: Draft): object[] {
  const { text, spoken, color, background, letterSpacing, captionStyle, ...comes } = made;
  if (text === '') return [];
  const words = text.split(' ').map((word, nth) => ({ text: word, start: (spoken ?? 0) + nth }));
  return [
    {
      ...{ text, start: 10, duration: 6, text_color: color },
      ...(background !== null && { background_color: background, background_alpha: 80 }),
      ...(spoken !== null && { words }),
      ...(letterSpacing !== null && { letter_spacing: letterSpacing }),
      ...(captionStyle !== null && { style: captionStyle }),
      ...passingFields(comes),
    },
  ];
}

function videoEntries({ clip: made }: Draft): object[] {
  if (made === null) return [];
  const { file, start, fadeIn, fadeOut, speed, layer, look, next, motion } = made;
  const box = { y_percent: 10, width_percent: 20, height_percent: 30 };
  return [
    {
      ...{ file_field: file, start, duration: 12, fade_in: fadeIn, fade_out: fadeOut },
      ...(motion !== undefined && { motion }),
      ...(file === 'film' && { speed }),
      ...(layer !== null && { layer }),
      ...(look !== null && { ...box, x_percent: look.x, shape: look.shape, shadow: look.shadow }),
      ...(look !== null && look.border > 0 && { border_color: '#ffcc00', border_width: look.border }),
      ...passingFields(made),
    },
    ...(next === null
      ? []
      : [{ file_field: 'film', start: start + 12, duration: 5, transition: { kind: next, duration: 2 } }]),
  ];
}

/** For each chunk, its key and a hash of all that is painted for it, and of how clips are put under that. */
export async function painted(made: RenderPlan): Promise<{ key: string; pixels: string }[]> {
  const painter = await SkiaPainter.create({ plan: made, files });
  const still = new Map<string, string>();
  return made.chunks.map(({ start, end, key }) => {
    const all: string[] = [];
    for (let n = start as number; n < end; n += 1) {
      const span = made.spans.find((candidate) => candidate.start <= n && n < candidate.end)!;
      all.push(gradientAt(made, span, frames(n)));
      for (const ref of span.layers) {
        if (ref.kind === 'clip') {
          const clip = made.clips[ref.index]!;
          const { shadow, border } = clip.look === null ? NO_FRAME : painter.clipFrame(clip.look);
          const from = span.layers.findIndex(({ kind, index }) => kind === 'clip' && index === clip.transition?.from);
          all.push([n - start, clipAt(made, clip, from, frames(n)), hashOf(shadow), hashOf(border)].join(' '));
          continue;
        }
        const known = ref.changes ? undefined : still.get(JSON.stringify(ref));
        const hash = known ?? hashOf(painter.paint(ref.kind, paintedLayer(made, ref), frames(n)));
        const effects = ref.kind === 'board' ? boardEffects(made, made.painted.board[ref.index]!, frames(n)) : null;
        if (!ref.changes) still.set(JSON.stringify(ref), hash);
        const glass = ref.kind === 'board' && made.theme.glass ? made.theme.panelOpacity : '';
        all.push(`${n - start} ${ref.kind} ${hash} ${JSON.stringify(effects)} ${glass}`);
      }
    }
    return { key, pixels: [end - start, made.canvas.background, ...all].join('\n') };
  });
}

const NO_FRAME = { shadow: null, border: null };

/** The gradient behind everything, as far as no clip hides all of it. */
function gradientAt({ canvas, clips, rate }: RenderPlan, { layers }: Span, n: Frames): string {
  const { width, height } = canvas;
  const [gradient, theme] = [gradientBehind(canvas), themeBehind(canvas)];
  if (gradient === null) return theme ?? '';
  const isHidden = layers.some(({ kind, index }) => {
    if (kind !== 'clip') return false;
    const clip = clips[index]!;
    const { dest, backdrop, matte, alpha, look } = clip;
    const filled = backdrop?.dest ?? dest;
    const fills = filled.x <= 0 && filled.y <= 0 && filled.width >= width && filled.height >= height;
    const isPassing = presenceAt(clip, n, dest, canvas) !== null || mixAt(clip, n, canvas) !== null;
    return fills && matte === null && !alpha && look === null && !isPassing;
  });
  return isHidden ? '' : JSON.stringify([gradient, gradientMove(gradient, n, rate)]);
}

/** The engine's input at a frame: which picture of the source, which part of it, where, and how opaque. */
function clipAt(made: RenderPlan, clip: ClipLayer, from: number, n: Frames): string {
  const { crop, dest, backdrop, matte, alpha, isAboveBoard, look, ground } = clip;
  const time = clip.kind === 'still' ? null : clipTime(clip, n, made.rate);
  const presence = presenceAt(clip, n, look?.rect ?? dest, made.canvas);
  const mix = mixAt(clip, n, made.canvas);
  const view = clip.motion && viewAt(clip.motion, n);
  const place = [crop, dest, backdrop, matte, alpha, isAboveBoard, look, ground];
  return JSON.stringify([made.sources[clip.source]!.hash, time, presence, mix && [mix, from], view, ...place]);
}

function hashOf(painted: Painting | PaintedPicture | null): string {
  if (painted === null) return 'nothing';
  if ('still' in painted) {
    const { still, moving, front } = painted;
    return [hashOf(still), hashOf(moving), hashOf(front)].join(' ');
  }
  return createHash('sha256').update(JSON.stringify(painted.rect)).update(painted.rgba).digest('hex');
}
