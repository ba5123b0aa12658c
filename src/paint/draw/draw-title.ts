import type { TitleLayer } from '../../plan/layers/painted-layers.ts';
import type { Theme } from '../../plan/theme.ts';
import type { Canvas2D } from '../canvas-2d.ts';
import type { TitleLayout } from '../layout/text/title-layout.ts';
import { inkOn, mixed, rgba, rgbOf } from './color.ts';
import { drawText } from './draw-text.ts';

/** The stroke beside a lower third and under a card's text, and what else a theme does to titles. */
const THEMES: Readonly<Record<Theme['name'], { readonly accent: string; readonly edge: 'none' | 'line' | 'glow' }>> = {
  midnight: { accent: '#ff7f85', edge: 'none' },
  paper: { accent: '#c8553d', edge: 'line' },
  neon: { accent: '#3df5ff', edge: 'glow' },
  broadcast: { accent: '#e5263a', edge: 'none' },
};

/** Below this opacity, the background does not make a text readable: the text gets an outline. (R20) */
const CARRIES = 0.6;
/** Of the text's colour, under it. */
const SUBTEXT = 0.22;

/** Draws a title at the place of its layout, on an empty context whose origin is the canvas's. (C60) */
export function drawTitle(context: Canvas2D, title: TitleLayer, layout: TitleLayout, theme: Theme): void {
  const { plate, accent, lines, radiusPx } = layout;
  const { accent: accentColor, edge } = THEMES[theme.name];
  const { color, background } = title;
  const ground = rgbOf(background.color);
  if (background.alpha > 0) {
    context.beginPath();
    context.roundRect(plate.x, plate.y, plate.width, plate.height, radiusPx);
    context.fillStyle = rgba(ground, background.alpha);
    context.fill();
    if (title.kind !== 'card' && edge !== 'none') {
      context.lineWidth = title.sizePx * 0.05;
      context.strokeStyle = edge === 'glow' ? accentColor : theme.line;
      context.save();
      if (edge === 'glow') {
        context.shadowColor = accentColor;
        context.shadowBlur = title.sizePx * 0.25;
      }
      context.stroke();
      context.restore();
    }
  }
  if (accent !== null) {
    context.beginPath();
    context.roundRect(accent.x, accent.y, accent.width, accent.height, Math.min(accent.width, accent.height) / 2);
    context.fillStyle = accentColor;
    context.fill();
  }
  const ink = rgbOf(color);
  for (const [index, { block, box }] of lines.entries()) {
    const isSubtext = index > 0 || title.text.trim() === '';
    if (background.alpha < CARRIES) {
      const outline = inkOn(ink);
      context.save();
      context.lineJoin = 'round';
      context.lineWidth = 0.12 * block.sizePx;
      context.strokeStyle = rgba(outline, 0.85);
      context.shadowColor = rgba(outline, 0.5);
      context.shadowBlur = block.sizePx * 0.16;
      drawText(context, block, box.x, box.y, box.width, title.align, 'stroke');
      context.restore();
    }
    context.fillStyle = rgba(isSubtext && background.alpha >= CARRIES ? mixed(ink, ground, SUBTEXT) : ink, 1);
    drawText(context, block, box.x, box.y, box.width, title.align);
  }
}
