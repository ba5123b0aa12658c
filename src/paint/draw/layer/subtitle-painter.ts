import { RecentMap } from '../../../collections.ts';
import type { CaptionLook, SubtitleLayer } from '../../../plan/model/painted-layers.ts';
import type { Painting } from '../../../plan/model/painter.ts';
import type { Frames } from '../../../time.ts';
import { type Box, visiblePart } from '../../boxes.ts';
import type { Canvas2D } from '../../canvas-2d.ts';
import { LIT_SCALE, layoutSubtitle, type SubtitleLayout, wordBoxes } from '../../layout/text/subtitle-layout.ts';
import { contrast, inkOn, litInk, type Rgb, rgba, rgbOf } from '../color.ts';
import { drawText } from '../text-drawing.ts';
import { atRest, KEPT_PAINTINGS, type LayerPainter, type LayerTools } from './layer-painter.ts';

/** How many words have been spoken, and how far the last one has grown, from 0 to 1. */
interface SpokenState {
  readonly count: number;
  readonly grown: number;
}

/** Texts in their boxes, which they may outgrow upward. (R14) */
export class SubtitleTexts implements LayerPainter<'subtitle'> {
  readonly #tools: LayerTools;
  /** With the number of spoken words of the last call. */
  readonly #kept = new RecentMap<SubtitleLayer, { state: SpokenState; painting: Painting | null }>(KEPT_PAINTINGS);

  constructor(tools: LayerTools) {
    this.#tools = tools;
  }

  paint(subtitle: SubtitleLayer, frame: Frames): Painting | null {
    const state = spokenAt(subtitle, frame);
    const kept = this.#kept.getOrMake(subtitle, () => ({ state, painting: this.#paint(subtitle, state) }));
    if (kept.state.count !== state.count || kept.state.grown !== state.grown) {
      kept.painting = this.#paint(subtitle, state);
      kept.state = state;
    }
    return kept.painting;
  }

  #paint(subtitle: SubtitleLayer, state: SpokenState): Painting | null {
    const { plan, tools } = this.#tools.prepared;
    const { measure } = tools;
    const { look } = subtitle;
    const layout = layoutSubtitle(subtitle, measure);
    const rect = layout && visiblePart(layout.bounds, plan.canvas);
    if (layout === null || rect === null) return null;
    const spoken = subtitle.words.length === 0 ? null : { boxes: wordBoxes(subtitle, layout, measure), ...state };
    const rgba = this.#tools.surfaces.paint(rect, (context) => {
      if (look === null) drawSubtitle(context, subtitle, layout, spoken);
      else drawCaption(context, subtitle, look, layout, spoken);
    });
    return atRest({ rect, rgba });
  }
}

function spokenAt({ words, look }: SubtitleLayer, frame: Frames): SpokenState {
  const count = words.filter(({ at }) => at <= frame).length;
  const last = words[count - 1];
  if (last === undefined || look?.highlight !== 'scale') return { count, grown: 1 };
  return { count, grown: Math.min(1, (frame + 1 - last.at) / look.growFrames) };
}

const OUTLINE_EM = 0.1;

/** Words that are spoken one by one: their places, and how many have begun. */
interface Spoken {
  readonly boxes: readonly (Box | null)[];
  readonly count: number;
}

/** Draws a subtitle at the place of its layout, on an empty context whose origin is the canvas's. */
function drawSubtitle(
  context: Canvas2D,
  subtitle: SubtitleLayer,
  layout: SubtitleLayout,
  spoken: Spoken | null = null,
): void {
  const { block, text, plate } = layout;
  const color = rgbOf(subtitle.color);
  // White on white stays readable: a thin line in the opposite ink, and a soft shadow under it.
  const outline = inkOn(color);
  if (plate !== null && subtitle.background !== null) {
    const { box, radiusPx } = plate;
    context.beginPath();
    context.roundRect(box.x, box.y, box.width, box.height, radiusPx);
    context.fillStyle = rgba(rgbOf(subtitle.background.color), subtitle.background.alpha);
    context.fill();
  } else {
    context.save();
    context.strokeStyle = rgba(outline, 0.85);
    context.lineWidth = OUTLINE_EM * block.sizePx;
    context.lineJoin = 'round';
    context.shadowColor = rgba(outline, 0.55);
    context.shadowBlur = block.sizePx * 0.2;
    context.shadowOffsetY = block.sizePx * 0.04;
    drawText(context, block, text.x, text.y, text.width, subtitle.align, 'stroke');
    context.restore();
  }
  const fill = (ink: string) => {
    context.fillStyle = ink;
    drawText(context, block, text.x, text.y, text.width, subtitle.align);
  };
  if (spoken === null) {
    fill(subtitle.color);
    return;
  }
  // Words that are not spoken yet are as bright as the others: grey ones are hard to read on video. (R44)
  fill(subtitle.color);
  const lit = litInk(
    color,
    plate !== null && subtitle.background !== null ? rgbOf(subtitle.background.color) : outline,
  );
  for (const [index, box] of spoken.boxes.slice(0, spoken.count).entries()) {
    if (box === null) continue;
    context.save();
    context.beginPath();
    context.rect(box.x, box.y, box.width, box.height);
    context.clip();
    // Draws the whole line, clipped to the word: letters keep their forms from their neighbours.
    fill(rgba(index === spoken.count - 1 ? lit : color, 1));
    context.restore();
  }
}

/**
 * Words that are spoken one by one: their places, how many have begun, and how far the last one has grown, from 0 to 1.
 */
interface SpokenWords {
  readonly boxes: readonly (Box | null)[];
  readonly count: number;
  readonly grown: number;
}

/** A word that does not look like the others. */
interface Apart {
  readonly window: Box;
  readonly box: Box;
  readonly line: number;
  readonly scale: number;
  readonly ink: string;
  /** Behind it, in place of its outline. */
  readonly pill: string | null;
}

/** How far a word is cut out beyond its letters, in ems: an outline fits, and not the next word where a space is between. */
const SIDE_EM = 0.12;
const PILL_EM = { x: 0.16, y: 0.02 };
/** Letters on a ground, as a contrast. */
const LEGIBLE = 3;

/** Draws a caption in a style, at the place of its layout, on an empty context whose origin is the canvas's. (C62) */
function drawCaption(
  context: Canvas2D,
  subtitle: SubtitleLayer,
  look: CaptionLook,
  layout: SubtitleLayout,
  spoken: SpokenWords | null,
): void {
  const { block, plate } = layout;
  if (plate !== null && subtitle.background !== null) {
    fillRounded(context, plate.box, plate.radiusPx, rgba(rgbOf(subtitle.background.color), subtitle.background.alpha));
  }
  context.lineJoin = 'round';
  // Half of a stroke is under the letters.
  context.lineWidth = 2 * look.outline.em * block.sizePx;
  context.strokeStyle = look.outline.color;
  const line = (index: number, how: 'fill' | 'stroke') => {
    const { text, block: all } = layout;
    const one = { ...all, lines: [all.lines[index]!] };
    drawText(context, one, text.x, text.y + index * all.linePx, text.width, subtitle.align, how);
  };
  const apart = spoken === null ? [] : wordsApart(subtitle, look, layout, spoken);
  for (const how of look.outline.em > 0 ? (['stroke', 'fill'] as const) : (['fill'] as const)) {
    context.fillStyle = subtitle.color;
    for (const index of block.lines.keys()) {
      const own = apart.filter((word) => word.line === index);
      between(context, layout.bounds, own, () => line(index, how));
    }
  }
  for (const word of apart) {
    context.save();
    const centre = { x: word.box.x + word.box.width / 2, y: word.box.y + word.box.height / 2 };
    const others = apart.filter((other) => other !== word && other.line === word.line);
    context.translate(centre.x + asideOf(centre.x, others), centre.y);
    context.scale(word.scale, word.scale);
    context.translate(-centre.x, -centre.y);
    if (word.pill !== null) fillRounded(context, pillAround(word.box, block.sizePx), block.sizePx * 0.24, word.pill);
    context.beginPath();
    context.rect(word.window.x, word.window.y, word.window.width, word.window.height);
    context.clip();
    // Draws the whole line, clipped to the word: letters keep their forms from their neighbours.
    if (word.pill === null && look.outline.em > 0) line(word.line, 'stroke');
    context.fillStyle = word.ink;
    line(word.line, 'fill');
    context.restore();
  }
}

/** The word that is being spoken, and the one before it while it shrinks. */
function wordsApart(
  subtitle: SubtitleLayer,
  look: CaptionLook,
  { block, text, plate }: SubtitleLayout,
  { boxes, count, grown: progress }: SpokenWords,
): Apart[] {
  const outline = rgbOf(look.outline.color);
  const highlight = rgbOf(look.highlightColor);
  const ground = look.outline.em > 0 || plate === null ? outline : rgbOf(subtitle.background!.color);
  const lit = look.highlight === 'pill' ? legible(rgbOf(subtitle.color), highlight) : legible(highlight, ground);
  const apart = (index: number, amount: number, ink: string, pill: string | null): Apart[] => {
    const box = boxes[index];
    if (box === null || box === undefined) return [];
    const { x, y, width, height } = box;
    const side = hasSpaces(subtitle, index) ? SIDE_EM * block.sizePx : 0;
    const above = 0.1 * block.sizePx;
    const window = { x: x - side, y: y - above, width: width + 2 * side, height: height + 2 * above };
    const line = Math.round((y - text.y) / block.linePx);
    return [{ window, box, line, scale: 1 + (LIT_SCALE - 1) * amount, ink, pill }];
  };
  const grows = look.highlight === 'scale';
  const eased = 1 - (1 - progress) ** 2;
  return [
    ...(grows && progress < 1 ? apart(count - 2, 1 - eased, subtitle.color, null) : []),
    ...apart(count - 1, grows ? eased : 0, rgba(lit, 1), look.highlight === 'pill' ? rgba(highlight, 1) : null),
  ];
}

/** The ink itself where it can be read on the ground, else one that can. */
function legible(ink: Rgb, ground: Rgb): Rgb {
  return contrast(ink, ground) >= LEGIBLE ? ink : inkOn(ground);
}

function hasSpaces({ text, words }: SubtitleLayer, index: number): boolean {
  const { from, to } = words[index]!;
  return [text[from - 1], text[to]].every((next) => next === undefined || /[\s\p{P}]/u.test(next));
}

function pillAround(box: Box, sizePx: number): Box {
  const [x, y] = [PILL_EM.x * sizePx, PILL_EM.y * sizePx];
  return { x: box.x - x, y: box.y - y, width: box.width + 2 * x, height: box.height + 2 * y };
}

/** Draws the text between the separately drawn words, shifted by the growth of these. */
function between(context: Canvas2D, bounds: Box, words: readonly Apart[], draw: () => void): void {
  if (words.length === 0) {
    draw();
    return;
  }
  const inOrder = words.toSorted((a, b) => a.window.x - b.window.x);
  for (let gap = 0; gap <= inOrder.length; gap += 1) {
    const [before, after] = [inOrder[gap - 1]?.window, inOrder[gap]?.window];
    const left = before === undefined ? bounds.x : before.x + before.width;
    const right = after === undefined ? bounds.x + bounds.width : after.x;
    if (right <= left) continue;
    context.save();
    context.translate(asideOf((left + right) / 2, words), 0);
    context.beginPath();
    context.rect(left, bounds.y, right - left, bounds.height);
    context.clip();
    draw();
    context.restore();
  }
}

/** How far text at `x` shifts for words that have grown. */
function asideOf(x: number, words: readonly Apart[]): number {
  return words.reduce((sum, { box, scale }) => {
    const centre = box.x + box.width / 2;
    return sum + (Math.sign(x - centre) * (scale - 1) * box.width) / 2;
  }, 0);
}

function fillRounded(context: Canvas2D, box: Box, radiusPx: number, ink: string): void {
  context.beginPath();
  context.roundRect(box.x, box.y, box.width, box.height, radiusPx);
  context.fillStyle = ink;
  context.fill();
}
