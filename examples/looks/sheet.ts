/**
 * Draws the contact sheets of docs/looks: boards of all sizes, shapes and themes, and every reveal frame by frame, as a video has them. Run it and
 * look at what has changed: `npm run looks`, or some of them by name: `npm run looks -- rows scripts slam spotlight-portrait`.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Image } from '@napi-rs/canvas';
import { createSkiaSurface, type SkiaSurface } from '../../src/paint/skia/skia.ts';
import { CAPTION_STYLES, FONTS, THEMES } from '../../src/timeline/choices.ts';
import { BACKGROUND_LOOKS } from './background-looks.ts';
import { drawLook, drawMoments, type Look } from './looks.ts';
import { MOMENTS, MOTION_LOOKS, TRANSITION_LOOKS } from './motion-looks.ts';
import { type FramePreset, projectFrames } from './project-frames.ts';
import { REVEAL_LOOKS, themedLooks } from './reveal-looks.ts';
import { drawThumbnails } from './thumbnail-looks.ts';

const FIVE = [6, 8, 7, 6, 4];
const HUNDRED = [20, 30, 40, 20, 10];
const MANY = [80, 120, 150, 100, 50];
const TWELVE = Array.from({ length: 12 }, () => 3);
const MIXED = ['photo', 'wide', 'poster', 'logo', 'black-logo', 'white-logo', 'banner'] as const;
const SUBTITLE = 'And now the very best of them all';

/** From its tile on, at 1 s: coming in, held, on its way, landed. */
const REVEALS = {
  spotlight: [1.1, 2, 3.2, 3.55],
  slam: [1.07, 1.17, 1.23, 1.4],
  pop: [1.03, 1.1, 1.2, 1.33],
  move: [1.15, 1.5, 1.75, 1.95],
} as const;

/** Reveals and a move, each at a moment of its own. */
const FLIGHTS: readonly Look[] = [
  { at: 2.6, tiles: [{ item: 0, position: 1, reveal: 'spotlight' }] },
  { at: REVEALS.spotlight[2], tiles: [{ item: 0, position: 1, reveal: 'spotlight' }], behind: 'white' },
  { at: REVEALS.slam[1], tiles: [{ item: 0, position: 1, reveal: 'slam' }] },
  { at: REVEALS.move[1], tiles: [{ item: 9, position: 1, to_row: 'r0', index: 1 }], behind: 'black' },
  // Three at once share the stage.
  { at: 2.6, tiles: [0, 5, 9].map((item) => ({ item, position: 1, reveal: 'spotlight' })) },
].map((look) => ({ rows: [4, 5, 4, 3], ...look }) as Look);

/** Confetti from its landing to its end, in every theme: a theme a line. (C55) */
function confetti(preset: string): readonly Look[] {
  return (['midnight', 'paper', 'neon', 'broadcast'] as const).flatMap((theme, line) =>
    [1.35, 1.5, 1.8, 2.3, 3].map((at): Look => {
      const tiles = [{ item: [1, 6, 10, 3][line]!, position: 1, effect: 'confetti' }];
      return { rows: [4, 5, 4, 3], settings: { theme }, tiles, at, preset } as Look;
    }),
  );
}

/** Names in all scripts, those that are broken, and those that run both ways. */
const SCRIPTS = [
  'ภาษาไทย สวัสดี', 'ភាសាខ្មែរ', 'ພາສາລາວ', 'မြန်မာဘာသာ', 'বাংলা ভাষা', 'தமிழ் மொழி', 'తెలుగు', 'ಕನ್ನಡ', 'മലയാളം', 'ગુજરાતી',
  'ਪੰਜਾਬੀ', 'සිංහල', 'ქართული', 'Հայերեն', 'አማርኛ', 'བོད་སྐད།', '日本語のランク', '한국어 이름', '中文名字', 'مرحبا بالعالم', 'שלום עולם',
  'हिन्दी भाषा', 'Ελληνικά', 'Русский', '👩‍🚀🇩🇪 emoji', 'Donaudampfschifffahrtsgesellschaft', 'مرحبا Hello 123', 'ABC שלום 45',
]; // biome-ignore format: a list
const SCRIPT_LABELS = ['أفضل', 'טוב', 'S', '良い', 'ดีมาก', 'Meh'];
const WORDS = ['And', 'now', 'the', 'very', 'best'].map((text, at) => ({ text, start: at * 0.6 }));
const SPOKEN = { text: 'And now the very best', words: WORDS };

/** Every style of captions at one and the same word, on all that can lie behind it. (C62) */
function captions(preset: string): readonly Look[] {
  const text = 'This one is the best snack of all time';
  const words = text.split(' ').map((word, at) => ({ text: word, start: at * 0.4 }));
  const arabic = 'هذا هو أفضل طعام على الإطلاق';
  const spoken = arabic.split(' ').map((word, at) => ({ text: word, start: at * 0.4 }));
  const styles = CAPTION_STYLES.map((style, at) => ({
    style,
    behind: (['black', 'white', 'footage'] as const)[at % 3],
  }));
  const all = styles.map(({ style, behind }) => ({ behind, subtitle: { text, words, style } }));
  const others = ['outline', 'pill', 'pop', 'shout'].map((style) => ({
    subtitle: style === 'shout' ? { text, style } : { text: arabic, words: spoken, style },
  }));
  return [...all, ...others].map((look) => ({ rows: [], pictures: [], at: 1.05, ...look, preset }) as Look);
}

const QUESTION = 'so the question';

/** Its words, half a second each. */
function spokenFrom(text: string, start: number): readonly object[] {
  return text.split(' ').map((word, at) => ({ text: word, start: start + at / 2 }));
}

/** Each kind of title in each theme. (C60) */
function titles(preset: string): readonly Look[] {
  const kinds = [
    { kind: 'card', text: 'Every snack, ranked', subtext: 'From S to F, by people who ate them all' },
    { kind: 'lower_third', text: 'Ada Lovelace', subtext: 'Snack scientist since 1843' },
    { kind: 'label', text: 'Round two', subtext: 'Savoury' },
  ];
  return THEMES.flatMap((theme, row) =>
    kinds.map((titleEntry, at): Look => {
      const behind = (['footage', 'white', 'black'] as const)[(row + at) % 3]!;
      return { rows: [], pictures: [], titleEntry, behind, settings: { theme }, preset: preset as 'portrait' };
    }),
  );
}

/** Every theme, a theme a line: a title card, the board at rest, a card held up with a caption, its verdict, a lower third. (R37, R44) */
function themes(preset: string): readonly Look[] {
  const card = { kind: 'card', text: 'Every snack, ranked', subtext: 'From S to F, by people who ate them all' };
  const third = { kind: 'lower_third', text: 'Pizza', subtext: '9.5/10 · still the one' };
  const board = {
    ...SNACKS,
    tiles: [{ item: 0, position: 1, reveal: 'spotlight', hold: 0.5 }],
    settings: { counter: true, layout: 'board' },
  };
  return THEMES.flatMap((theme) =>
    [
      { rows: [], pictures: [], titleEntry: card },
      { ...board, at: 4.5 },
      { ...board, at: 1.7, subtitle: { text: QUESTION, words: spokenFrom(QUESTION, 0.7), style: 'pop' } },
      { ...board, at: 2.4 },
      { ...board, at: 4.5, titleEntry: third },
    ].map((look) => {
      const settings = { ...('settings' in look ? look.settings : {}), theme };
      return { ...look, settings, behind: 'ground', preset } as Look;
    }),
  );
}

const SNACKS = {
  rows: [2, 3, 3, 2, 1, 0],
  labels: ['S', 'A', 'B', 'C', 'D', 'F'],
  title: 'Every snack, ranked',
  names: [
    'Pizza',
    'Tacos',
    'Sushi',
    'Ramen',
    'Doughnuts',
    'Croissant',
    'Popcorn',
    'Fries',
    'Cheese',
    'Grapes',
    'Salad',
  ],
} as const;

/** By file name: how many stand side by side, how large, and what they are. */
const SHEETS: Readonly<Record<string, { columns: number; scale: number; looks: readonly Look[] }>> = {
  sizes: {
    columns: 3,
    scale: 0.3,
    looks: [
      { rows: [1] },
      { rows: [2, 1, 1, 1], behind: 'white' },
      { rows: FIVE, behind: 'black' },
      { rows: HUNDRED, pictures: ['photo', 'wide', 'poster'] },
      { rows: MANY, behind: 'white' },
      { rows: TWELVE },
      { rows: FIVE, subtitle: SUBTITLE, behind: 'white' },
      { rows: [5, 7, 6, 3], pictures: [], behind: 'black' },
      { rows: [2, 60, 3, 1, 5], pool: 4 },
      { rows: Array(8).fill(4), settings: { theme: 'paper' } },
      { rows: Array(8).fill(1), settings: { theme: 'neon' }, behind: 'white' },
      { rows: Array(7).fill(4), settings: { theme: 'broadcast' }, behind: 'black' },
    ],
  },
  rows: {
    columns: 8,
    scale: 0.22,
    looks: [
      ...[
        [1, 2],
        [2, 3],
        [5, 1],
        [6, 1],
        [8, 1],
        [10, 1],
        [12, 2],
        [12, 4],
      ],
      ...[
        [3, 6],
        [6, 3],
        [8, 2],
        [8, 3],
        [8, 6],
        [10, 10],
        [12, 1],
        [12, 3],
      ],
    ].map(([rows, items]): Look => ({ rows: Array(rows).fill(items), preset: 'portrait', behind: 'black' })),
  },
  scripts: {
    columns: 2,
    scale: 0.4,
    looks: [
      {
        ...{ rows: [5, 5, 5, 5, 4, 4], names: SCRIPTS, pictures: [], labels: SCRIPT_LABELS },
        ...{ title: 'قائمة أفضل الألعاب 2024 (Top)', subtitle: 'مرحبا بكم في Tier List 2024!' },
      },
      {
        ...{
          rows: [5, 5, 5, 5, 4, 4],
          names: SCRIPTS,
          labels: SCRIPT_LABELS,
          settings: { theme: 'paper' },
          behind: 'white',
        },
        ...{ title: 'รายการที่ดีที่สุด 日本語 mix', subtitle: 'ภาษาไทยไม่มีช่องว่างระหว่างคำและยาวมากจนต้องขึ้นบรรทัดใหม่' },
      },
      { rows: [4, 5, 4, 3], subtitle: SPOKEN, settings: { progress_bar: true, counter: true }, behind: 'white' },
      {
        ...{ rows: [4, 5, 4, 3], subtitle: SPOKEN },
        settings: { progress_bar: true, theme: { base: 'neon', glass: true } },
      },
    ],
  },
  reveals: {
    columns: 4,
    scale: 0.26,
    looks: Object.entries(REVEALS).flatMap(([reveal, moments], row) =>
      moments.map((at, moment): Look => {
        const isMove = reveal === 'move';
        const tile = isMove ? { item: 9, to_row: 'r0', index: 1 } : { item: 0, reveal };
        const behind = (['footage', 'white', 'black', 'footage'] as const)[(row + moment) % 4]!;
        const themes = ['midnight', 'paper', 'neon', 'broadcast'] as const;
        return {
          rows: [4, 5, 4, 3],
          settings: { counter: true, theme: themes[(row + (moment > 1 ? 1 : 0)) % 4] },
          tiles: [{ position: 1, ...tile }],
          at,
          behind,
        };
      }),
    ),
  },
  themes: { columns: 5, scale: 0.2, looks: themes('landscape') },
  'themes-portrait': { columns: 5, scale: 0.17, looks: themes('portrait') },
  'themes-square': { columns: 5, scale: 0.24, looks: themes('square') },
  titles: { columns: 3, scale: 0.26, looks: titles('landscape') },
  'titles-portrait': { columns: 6, scale: 0.22, looks: titles('portrait') },
  'titles-square': { columns: 6, scale: 0.26, looks: titles('square') },
  captions: { columns: 5, scale: 0.26, looks: captions('portrait') },
  'captions-landscape': { columns: 4, scale: 0.26, looks: captions('landscape') },
  fonts: {
    columns: 4,
    scale: 0.26,
    looks: FONTS.map(
      (font): Look => ({
        rows: [3, 3, 2],
        pictures: [],
        title: font,
        settings: { theme: { font } },
        subtitle: SUBTITLE,
      }),
    ),
  },
  confetti: { columns: 5, scale: 0.24, looks: confetti('landscape') },
  'confetti-portrait': { columns: 5, scale: 0.24, looks: confetti('portrait') },
  'confetti-square': { columns: 5, scale: 0.24, looks: confetti('square') },
  cards: {
    columns: 2,
    scale: 0.45,
    looks: [
      { rows: [5, 4, 5], pictures: MIXED, settings: { card: { shape: 'square' } } },
      { rows: [5, 4, 5], pictures: MIXED, settings: { card: { shape: 'landscape' }, theme: 'paper' } },
      { rows: [7, 8, 6], pictures: ['poster'], settings: { theme: 'neon' } },
      { rows: [5, 6, 5], pictures: ['wide'], settings: { theme: 'broadcast' } },
      { rows: FIVE, settings: { theme: { glass: true } } },
      { rows: FIVE, settings: { theme: { base: 'paper', glass: true, corner: 60 } } },
    ],
  },
  portrait: {
    columns: 5,
    scale: 0.26,
    looks: [
      { rows: FIVE, subtitle: SUBTITLE },
      { rows: HUNDRED, pictures: ['poster'], behind: 'white' },
      { rows: TWELVE, settings: { theme: 'paper' } },
      { rows: [1], settings: { theme: 'neon' }, behind: 'black' },
      { rows: [4, 5, 3, 2], pictures: [], settings: { theme: 'broadcast' } },
      ...FLIGHTS,
    ].map((look): Look => ({ ...look, preset: 'portrait' }) as Look),
  },
  square: {
    columns: 4,
    scale: 0.32,
    looks: [
      { rows: FIVE, behind: 'black' },
      { rows: HUNDRED, pictures: ['wide'], settings: { theme: 'paper' } },
      { rows: [2, 1, 1, 1], subtitle: SUBTITLE, settings: { theme: 'neon' } },
      { rows: TWELVE, settings: { theme: 'broadcast' }, behind: 'white' },
      ...FLIGHTS.slice(1),
    ].map((look): Look => ({ ...look, preset: 'square' }) as Look),
  },
};

const GAP_PX = 8;

/** What the engine composes, by file name: whole projects. */
const PROJECTS = {
  backgrounds: { projects: BACKGROUND_LOOKS, columns: { landscape: 4, portrait: 8, square: 4 } },
  transitions: { projects: TRANSITION_LOOKS, columns: { landscape: MOMENTS, portrait: MOMENTS } },
  motion: { projects: MOTION_LOOKS, columns: { landscape: MOMENTS } },
};
const PROJECT_SCALE = 0.8;

/** How large frames of a reveal are on its sheet, by preset. */
const REVEAL_SCALES = { landscape: 0.13, portrait: 0.16, square: 0.18 } as const;

const folder = join(import.meta.dirname, '../../docs/looks');
mkdirSync(join(folder, 'reveals'), { recursive: true });
const wanted = process.argv.slice(2);
const isWanted = (...names: string[]) => wanted.length === 0 || names.some((name) => wanted.includes(name));

for (const [name, { columns, scale, looks }] of Object.entries(SHEETS)) {
  if (!isWanted(name)) continue;
  const frames = [];
  for (const look of looks) frames.push(scaled((await drawLook(look)).bitmap, scale));
  await writeSheet(name, frames, columns, 80);
}
for (const [name, { projects, columns }] of Object.entries(PROJECTS)) {
  for (const [preset, inLine] of Object.entries(columns)) {
    if (!isWanted(name, `${name}-${preset}`)) continue;
    const frames = [];
    for await (const frame of projectFrames(preset as FramePreset, projects)) frames.push(scaled(frame, PROJECT_SCALE));
    await writeSheet(preset === 'landscape' ? name : `${name}-${preset}`, frames, inLine, 80);
  }
}
for (const [name, reveal] of Object.entries(REVEAL_LOOKS)) {
  for (const [preset, scale] of Object.entries(REVEAL_SCALES) as [keyof typeof REVEAL_SCALES, number][]) {
    if (!isWanted('reveals', name, `${name}-${preset}`)) continue;
    const frames = [];
    for (const look of themedLooks(reveal, preset)) {
      for await (const { bitmap } of drawMoments(look, reveal.moments)) frames.push(scaled(bitmap, scale));
    }
    await writeSheet(`reveals/${name}-${preset}`, frames, reveal.moments.length, 40);
  }
}

for (const [name, orientation] of [
  ['thumbnails', 'landscape'],
  ['thumbnails-portrait', 'portrait'],
] as const) {
  // biome-ignore format: a table
  if (!isWanted(name)) continue;
  const frames = [];
  for await (const { bitmap } of drawThumbnails(orientation)) frames.push(scaled(bitmap, 0.25));
  await writeSheet(name, frames, 4, 82);
}

type Bitmap = SkiaSurface['bitmap'];

function scaled(frame: Bitmap | Image, scale: number): Bitmap {
  const { bitmap } = createSkiaSurface(Math.round(frame.width * scale), Math.round(frame.height * scale));
  const context = bitmap.getContext('2d');
  context.imageSmoothingQuality = 'high';
  context.drawImage(frame, 0, 0, bitmap.width, bitmap.height);
  return bitmap;
}

/** Frames of one size, so many side by side. */
async function writeSheet(name: string, frames: readonly Bitmap[], columns: number, quality: number): Promise<void> {
  const [width, height] = [frames[0]!.width + GAP_PX, frames[0]!.height + GAP_PX];
  const rows = Math.ceil(frames.length / columns);
  const { bitmap } = createSkiaSurface(columns * width - GAP_PX, rows * height - GAP_PX);
  const context = bitmap.getContext('2d');
  context.fillStyle = '#808080';
  context.fillRect(0, 0, bitmap.width, bitmap.height);
  for (const [place, frame] of frames.entries()) {
    context.drawImage(frame, (place % columns) * width, Math.floor(place / columns) * height);
  }
  writeFileSync(join(folder, `${name}.jpg`), await bitmap.encode('jpeg', quality));
}
