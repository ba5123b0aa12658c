import type { Theme } from '../../plan/theme.ts';
import type { Canvas2D } from '../canvas-2d.ts';
import type { Box } from '../layout/box.ts';
import { contrast, inkOn, mixed, type Rgb, rgba, rgbOf } from './color.ts';
import { strokeInside } from './stroke-inside.ts';

/** The opacity of a lane on glass. */
const LANE_ON_GLASS = 0.5;

/** How a theme uses its colours. */
interface ThemeStyle {
  /** How much lighter the panel is at its top, and darker at its foot. */
  readonly shade: readonly [lighter: number, darker: number];
  /** Draws a row without its label's text. */
  drawRow(context: Canvas2D, row: RowPlace, color: Rgb, theme: Theme): void;
  /** The colour of the label's text. */
  labelInk(color: Rgb, theme: Theme): Rgb;
  /** Draws a stamp without its text. (R31) */
  drawStamp(context: Canvas2D, box: Box, color: Rgb, theme: Theme): void;
  stampInk(color: Rgb, theme: Theme): Rgb;
  /** The colours of confetti, all equally frequent: that of its row stands out. (C55) */
  confetti(color: Rgb, theme: Theme): readonly Rgb[];
  /** Draws the decoration under the title, if there is one. */
  drawHead?(context: Canvas2D, head: Box, theme: Theme): void;
}

/** A row, and how much of it at its left is the label. */
interface RowPlace {
  readonly lane: Box;
  readonly labelPx: number;
  readonly radiusPx: number;
}

const WHITE: Rgb = [255, 255, 255];
const BLACK: Rgb = [0, 0, 0];
const GOLD: Rgb = [255, 209, 92];
const TEAL: Rgb = [58, 134, 126];
const CYAN: Rgb = [64, 240, 255];
const MAGENTA: Rgb = [255, 78, 205];

/** The contrast at which letters are readable at a glance. */
const LEGIBLE = 4.5;

const STYLES: Readonly<Record<Theme['name'], ThemeStyle>> = {
  midnight: {
    shade: [0.05, 0.22],
    drawRow(context, row, color, theme) {
      fillLane(context, row, laneFill(theme));
      fillLabel(context, row, verticalShade(context, row.lane, mixed(color, WHITE, 0.1), mixed(color, BLACK, 0.06)));
    },
    labelInk: inkOn,
    drawStamp(context, box, color) {
      const stamp = stampPlace(box, 0.2);
      fillLane(context, stamp, verticalShade(context, box, mixed(color, WHITE, 0.14), mixed(color, BLACK, 0.1)));
      strokeLane(context, stamp, WHITE, Math.max(1, box.height * 0.035), 0.85);
    },
    stampInk: inkOn,
    confetti: (color) => [color, color, mixed(color, WHITE, 0.5), WHITE, GOLD],
  },
  paper: {
    shade: [0.15, 0.02],
    drawRow(context, row, color, theme) {
      fillLane(context, row, laneFill(theme));
      fillLabel(context, row, rgba(mixed(color, rgbOf(theme.panel), 0.12), 1));
      strokeLane(context, row, mixed(rgbOf(theme.lane), rgbOf(theme.text), 0.12), 1, 1);
    },
    labelInk: (color, theme) => {
      const ground = mixed(color, rgbOf(theme.panel), 0.12);
      const ink = rgbOf(theme.text);
      return contrast(ink, ground) >= LEGIBLE ? ink : inkOn(ground);
    },
    // As of rubber: its colour is that of the ink.
    drawStamp(context, box, color, theme) {
      const ink = darkened(color, rgbOf(theme.card));
      fillLane(context, stampPlace(box, 0.06), theme.card);
      strokeLane(context, stampPlace(box, 0.06), ink, Math.max(1, box.height * 0.05), 1);
      const inset = box.height * 0.08;
      const inner = {
        x: box.x + inset,
        y: box.y + inset,
        width: box.width - 2 * inset,
        height: box.height - 2 * inset,
      };
      strokeLane(context, stampPlace(inner, 0.03), ink, Math.max(1, box.height * 0.015), 1);
    },
    stampInk: (color, theme) => darkened(color, rgbOf(theme.card)),
    // On a light background light confetti is invisible.
    confetti: (color, theme) => {
      const ink = rgbOf(theme.text);
      return [mixed(color, ink, 0.12), mixed(color, ink, 0.12), mixed(color, ink, 0.45), mixed(GOLD, ink, 0.15), TEAL];
    },
  },
  neon: {
    shade: [0.03, 0.35],
    drawRow(context, row, color, theme) {
      const bright = brightened(color, rgbOf(theme.lane));
      fillLane(context, row, laneFill(theme));
      fillLabel(context, row, rgba(mixed(rgbOf(theme.lane), bright, 0.16), 1));
      // A glow is a line, with fainter and fainter ones around it: soft shadows cost many times as much.
      const linePx = Math.max(1, Math.min(row.lane.height, row.lane.width * 0.1) * 0.012);
      for (const [wide, alpha] of GLOW) strokeLane(context, row, bright, linePx * wide, alpha);
    },
    labelInk: (color, theme) => brightened(color, rgbOf(theme.lane)),
    drawStamp(context, box, color, theme) {
      const bright = brightened(color, rgbOf(theme.lane));
      fillLane(context, stampPlace(box, 0.28), rgba(mixed(rgbOf(theme.lane), bright, 0.12), 1));
      const linePx = Math.max(1, box.height * 0.025);
      for (const [wide, alpha] of GLOW) strokeLane(context, stampPlace(box, 0.28), bright, linePx * wide, alpha);
    },
    stampInk: (color, theme) => brightened(color, rgbOf(theme.lane)),
    confetti: (color, theme) => {
      const bright = brightened(color, rgbOf(theme.lane));
      return [bright, bright, mixed(bright, WHITE, 0.6), CYAN, MAGENTA];
    },
  },
  broadcast: {
    shade: [0.06, 0.3],
    drawRow(context, row, color, theme) {
      const { lane, labelPx } = row;
      const lanes = rgbOf(theme.lane);
      fillLane(
        context,
        row,
        theme.glass ? laneFill(theme) : verticalShade(context, lane, mixed(lanes, WHITE, 0.07), lanes),
      );
      fillLabel(context, row, rgba(color, 1));
      // The upper half catches the light, as on a name plate.
      context.fillStyle = rgba(WHITE, 0.22);
      context.fillRect(lane.x, lane.y, labelPx, lane.height * 0.48);
      context.fillStyle = rgba(mixed(color, BLACK, 0.35), 1);
      context.fillRect(lane.x + labelPx, lane.y, Math.max(1, lane.height * 0.03), lane.height);
    },
    labelInk: (color) => inkOn(mixed(color, WHITE, 0.1)),
    drawStamp(context, box, color) {
      fillLane(context, stampPlace(box, 0), rgba(color, 1));
      context.fillStyle = rgba(WHITE, 0.22);
      context.fillRect(box.x, box.y, box.width, box.height * 0.48);
      context.fillStyle = rgba(mixed(color, BLACK, 0.45), 1);
      context.fillRect(box.x, box.y + box.height * 0.92, box.width, box.height * 0.08);
    },
    stampInk: (color) => inkOn(mixed(color, WHITE, 0.1)),
    confetti: (color, theme) => [color, color, WHITE, rgbOf(ACCENT), mixed(rgbOf(theme.line), WHITE, 0.35)],
    drawHead(context, head, theme) {
      context.fillStyle = rgba(mixed(rgbOf(theme.panel), WHITE, 0.09), 1);
      context.fillRect(head.x, head.y, head.width, head.height);
      context.fillStyle = ACCENT;
      context.fillRect(head.x, head.y, Math.max(2, head.height * 0.12), head.height);
    },
  },
};

const ACCENT = '#e5383b';
/** Widths of lines, one over the other, and how much each lets through. */
const GLOW = [[7, 0.07], [4.5, 0.1], [2.5, 0.2], [1, 0.95]] as const; // biome-ignore format: a table

/** How a theme is drawn. */
export function themeStyle({ name }: Theme): ThemeStyle {
  return STYLES[name];
}

/** Lanes on glass are transparent too. */
function laneFill({ lane, glass }: Theme): string {
  return glass ? rgba(rgbOf(lane), LANE_ON_GLASS) : lane;
}

function fillLane(context: Canvas2D, { lane, radiusPx }: RowPlace, style: string | object): void {
  context.beginPath();
  context.roundRect(lane.x, lane.y, lane.width, lane.height, radiusPx);
  context.fillStyle = style;
  context.fill();
}

function fillLabel(context: Canvas2D, { lane, labelPx, radiusPx }: RowPlace, style: string | object): void {
  context.beginPath();
  context.roundRect(lane.x, lane.y, labelPx, lane.height, [radiusPx, 0, 0, radiusPx]);
  context.fillStyle = style;
  context.fill();
}

function strokeLane(context: Canvas2D, { lane, radiusPx }: RowPlace, color: Rgb, linePx: number, alpha: number): void {
  strokeInside(context, lane, radiusPx, linePx, rgba(color, alpha));
}

function verticalShade(context: Canvas2D, { y, height }: Box, top: Rgb, foot: Rgb): object {
  const shade = context.createLinearGradient(0, y, 0, y + height);
  shade.addColorStop(0, rgba(top, 1));
  shade.addColorStop(1, rgba(foot, 1));
  return shade;
}

/** A stamp has no label: all of it is one. `round`: of its height. */
function stampPlace(lane: Box, round: number): RowPlace {
  return { lane, labelPx: 0, radiusPx: lane.height * round };
}

/** As dark as it must be to be read on the ground; where that is dark itself, as light. */
function darkened(color: Rgb, ground: Rgb): Rgb {
  const toward = inkOn(ground);
  for (let amount = 0; amount < 1; amount += 0.1) {
    const ink = mixed(color, toward, amount);
    if (contrast(ink, ground) >= LEGIBLE) return ink;
  }
  return toward;
}

/** As light as it must be to shine on the ground. */
function brightened(color: Rgb, ground: Rgb): Rgb {
  for (let amount = 0; amount < 1; amount += 0.1) {
    const lighter = mixed(color, WHITE, amount);
    if (contrast(lighter, ground) >= LEGIBLE) return lighter;
  }
  return WHITE;
}
