import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { drawGround } from '../../src/paint/draw/ground-drawing.ts';
import { flattenedBoard } from '../../src/paint/pixels/flattened-board.ts';
import { blurUnder, glassCellPx } from '../../src/paint/pixels/glass-blur.ts';
import { straight } from '../../src/paint/pixels/straight-alpha.ts';
import { createSkiaSurface, registerFonts, type SkiaSurface } from '../../src/paint/skia/skia.ts';
import { SkiaPainter } from '../../src/paint/skia/skia-painter.ts';
import { boardEffects } from '../../src/plan/frame/frame-at.ts';
import type { MediaFacts } from '../../src/plan/model/media-facts.ts';
import type { PaintedPicture, Painter } from '../../src/plan/model/painter.ts';
import type { RenderPlan } from '../../src/plan/model/render-plan.ts';
import { planRender } from '../../src/plan/plan-render.ts';
import { lookOf } from '../../src/plan/theme/theme-looks.ts';
import { sha256 } from '../../src/platform/sha256.ts';
import { type Frames, frameAt } from '../../src/time.ts';
import { DEFAULT_TIMELINE_LIMITS } from '../../src/timeline/limits.ts';
import { parseRequest } from '../../src/timeline/parse/parse-request.ts';
import { DEFAULT_PRESETS, findPreset } from '../../src/timeline/presets.ts';
import { drawPicture, type PictureKind, pictureSize } from './item-pictures.ts';

/** A board to look at. */
export interface Look {
  /** Items in each row; none: there is no board. */
  readonly rows: readonly number[];
  readonly pool?: number;
  readonly preset?: 'landscape' | 'portrait' | 'square';
  /** Of the preset's size; absent: all of it. */
  readonly scale?: number;
  /** Of the items, in turn; absent: names alone. */
  readonly pictures?: readonly PictureKind[];
  readonly names?: readonly string[];
  readonly title?: string;
  readonly settings?: object;
  /** Its text, or all its fields. */
  readonly subtitle?: string | object;
  /** Fields of a title. */
  readonly titleEntry?: object;
  /** Of the rows, in turn; absent: S, A, B … */
  readonly labels?: readonly string[];
  /** `ground`: that of the theme. */
  readonly behind?: 'black' | 'white' | 'footage' | 'ground';
  /** Fields of the tier block: its place. */
  readonly block?: object;
  /** Tiles, by the number of their item. */
  readonly tiles?: readonly ({ readonly item: number; readonly position: number } & Readonly<
    Record<string, unknown>
  >)[];
  /** Which moment is shown, in seconds; absent: one at rest. */
  readonly at?: number;
}

const NAMES = [
  'Half-Life 2', 'Portal', 'Hades', 'Celeste', 'Dark Souls', 'Elden Ring', 'Stardew Valley', 'Hollow Knight',
  'Outer Wilds', 'Factorio', 'The Legend of Zelda: Breath of the Wild', 'Disco Elysium', 'Tetris', 'Into the Breach',
]; // biome-ignore format: a list

const LABELS = [...'SABCDEFGHIJKLM'];

/** The whole canvas with the board on it, as a frame of the video would be. */
export async function drawLook(look: Look): Promise<SkiaSurface> {
  for await (const surface of drawMoments(look, [look.at ?? 2])) return surface;
  throw new Error('a look has one moment');
}

/** The same at several moments, in seconds. */
export async function* drawMoments(look: Look, moments: readonly number[]): AsyncGenerator<SkiaSurface> {
  const { rows, pool = 0, pictures = ['photo'], names = NAMES, labels = LABELS, behind = 'footage', scale = 1 } = look;
  registerFonts(['Tiercut Display']);
  const count = rows.reduce((sum, items) => sum + items, pool);
  const files = new Map<string, string>();
  const facts = new Map<string, MediaFacts>();
  const distinct = Math.min(count, 24);
  for (let index = 0; index < distinct && pictures.length > 0; index += 1) {
    const kind = pictures[index % pictures.length]!;
    files.set(`p${index}`, pictureFile(kind, index));
    const alpha = kind === 'black-logo' || kind === 'white-logo';
    const hash = sha256(`${kind} ${index}`);
    facts.set(`p${index}`, { hash, kind: 'still', duration: 0, ...pictureSize(kind), alpha, sound: false });
  }
  let next = 0;
  const take = (items: number) => Array.from({ length: items }, () => `i${next++}`);
  const documents = {
    tier_list: {
      title: look.title ?? 'Games of the decade, ranked',
      rows: rows.map((items, row) => ({ id: `r${row}`, label: labels[row % labels.length]!, item_ids: take(items) })),
      items: Array.from({ length: count }, (_, item) => ({
        id: `i${item}`,
        name: names[item % names.length]!,
        ...(item === 0 && { score: '9.5/10', note: 'Still holds up today' }),
        ...(pictures.length > 0 && { file_field: `p${item % distinct}` }),
      })),
    },
    timeline_data: {
      tier_blocks: rows.length === 0 ? [] : [{ start: 0, duration: 5, ...look.block }],
      tier_tiles: look.tiles?.map(({ item, ...tile }) => ({ tier_item_id: `i${item}`, ...tile })) ?? [],
      ...(look.titleEntry !== undefined && { titles: [{ start: 0, duration: 5, ...look.titleEntry }] }),
      ...(look.subtitle !== undefined && {
        subtitles: [{ start: 0, duration: 5, ...(isText(look.subtitle) ? { text: look.subtitle } : look.subtitle) }],
      }),
    },
    settings: { ...look.settings },
  };
  const request = parseRequest(documents, {
    limits: DEFAULT_TIMELINE_LIMITS,
    presets: DEFAULT_PRESETS,
    uploads: null,
  });
  const preset = findPreset(DEFAULT_PRESETS, look.preset ?? 'landscape')!;
  const plan = planRender(request, {
    facts,
    preset: { ...preset, width: preset.width * scale, height: preset.height * scale },
    limits: DEFAULT_TIMELINE_LIMITS,
    engineVersion: 'looks',
    sha256,
  });
  const painter = await SkiaPainter.create({ plan, files });
  for (const moment of moments) yield drawFrame(plan, painter, frameAt(moment, plan.rate), behind);
}

let folder: string | null = null;

/** A picture as a file, drawn once. */
function pictureFile(kind: PictureKind, seed: number): string {
  if (folder === null) {
    const made = mkdtempSync(join(tmpdir(), 'tiercut-looks-'));
    process.once('exit', () => rmSync(made, { recursive: true, force: true }));
    folder = made;
  }
  const path = join(folder, `${kind}-${seed}.png`);
  if (!existsSync(path)) writeFileSync(path, drawPicture(kind, seed).bitmap.toBuffer('image/png'));
  return path;
}

/** One frame of the plan, over what lies behind the board. */
function drawFrame(plan: RenderPlan, painter: Painter, frame: Frames, behind: string): SkiaSurface {
  const canvas = { x: 0, y: 0, width: plan.canvas.width, height: plan.canvas.height };
  const surface = createSkiaSurface(canvas.width, canvas.height);
  if (behind === 'ground') drawGround(surface.context, lookOf(plan.theme).ground, canvas);
  else drawBehind(surface, behind, canvas.width, canvas.height);
  const [window] = plan.painted.board;
  const board = window === undefined ? null : painter.paint('board', window, frame);
  if (board !== null) {
    const still = { ...board, front: null };
    const { dim, shake } = boardEffects(plan, window!, frame);
    if (plan.theme.glass) blurBehind(surface, flattenedBoard(still, 'board'), plan.theme.panelOpacity);
    drawPainted(surface, flattenedBoard(still, canvas, dim));
    if (shake !== null) surface.bitmap.getContext('2d').drawImage(surface.bitmap, shake.x, shake.y);
    if (board.front !== null) drawPainted(surface, board.front);
  }
  for (const title of plan.painted.title) drawPainted(surface, painter.paint('title', title, frame)!.still);
  for (const subtitle of plan.painted.subtitle) {
    if (frame < subtitle.shows.start || frame >= subtitle.shows.end) continue;
    const text = painter.paint('subtitle', subtitle, frame);
    if (text !== null) drawPainted(surface, text.still);
  }
  for (const bar of plan.painted.progress) drawPainted(surface, painter.paint('progress', bar, frame)!.still);
  return surface;
}

function isText(subtitle: string | object): subtitle is string {
  return typeof subtitle === 'string';
}

function drawPainted({ bitmap }: SkiaSurface, { rect, rgba }: PaintedPicture): void {
  const layer = createSkiaSurface(rect.width, rect.height);
  const context = layer.bitmap.getContext('2d');
  const pixels = context.createImageData(rect.width, rect.height);
  pixels.data.set(straight(rgba));
  context.putImageData(pixels, 0, 0);
  bitmap.getContext('2d').drawImage(layer.bitmap, rect.x, rect.y);
}

/** What the engine does under a panel of glass. */
function blurBehind({ bitmap }: SkiaSurface, { rect, rgba }: PaintedPicture, panelOpacity: number): void {
  const context = bitmap.getContext('2d');
  const under = context.getImageData(rect.x, rect.y, rect.width, rect.height);
  const mask = { data: rgba, start: 3, stride: rect.width * 4, step: 4, full: Math.round(panelOpacity * 255) };
  for (let channel = 0; channel < 3; channel += 1) {
    const samples = { data: under.data, start: channel, stride: rect.width * 4, step: 4 };
    blurUnder(samples, rect, glassCellPx(bitmap), mask, 1);
  }
  context.putImageData(under, rect.x, rect.y);
}

function drawBehind({ context }: SkiaSurface, behind: string, width: number, height: number): void {
  context.fillStyle = behind === 'white' ? '#ffffff' : '#000000';
  context.fillRect(0, 0, width, height);
  if (behind !== 'footage') return;
  for (let spot = 0; spot < 260; spot += 1) {
    const [x, y] = [((spot * 7919) % 1000) / 1000, ((spot * 104_729) % 1000) / 1000];
    context.fillStyle = `hsla(${(spot * 47) % 360}, 70%, ${25 + ((spot * 31) % 55)}%, 0.8)`;
    context.beginPath();
    context.roundRect(x * width - 90, y * height - 90, 60 + ((spot * 53) % 220), 60 + ((spot * 29) % 160), 18);
    context.fill();
  }
}
