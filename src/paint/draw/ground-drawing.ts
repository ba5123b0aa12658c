import type { Ground, GroundPart } from '../../plan/theme/theme-look.ts';
import type { Box } from '../boxes.ts';
import type { Canvas2D } from '../canvas-2d.ts';
import { rgba, rgbOf } from './color.ts';

/** Draws a theme's ground: what is behind everything where no background and no clip is. (R37) */
export function drawGround(context: Canvas2D, { color, parts }: Ground, canvas: Box): void {
  context.fillStyle = color;
  context.fillRect(canvas.x, canvas.y, canvas.width, canvas.height);
  context.save();
  context.beginPath();
  context.rect(canvas.x, canvas.y, canvas.width, canvas.height);
  context.clip();
  context.translate(canvas.x, canvas.y);
  for (const part of parts) PARTS[part.draw](context, part as never, canvas);
  context.restore();
}

type Size = Pick<Box, 'width' | 'height'>;
type Part<Draw extends GroundPart['draw']> = Extract<GroundPart, { readonly draw: Draw }>;

const PARTS: { readonly [Draw in GroundPart['draw']]: (context: Canvas2D, part: Part<Draw>, size: Size) => void } = {
  light(context, { at, reach, ink, alpha }, { width, height }) {
    const color = rgbOf(ink);
    context.save();
    context.translate(at[0] * width, at[1] * height);
    context.scale(reach[0] * width, reach[1] * height);
    const light = context.createRadialGradient(0, 0, 0, 0, 0, 1);
    // Along a cosine: a straight ramp has a visible edge.
    for (let step = 0; step <= 8; step += 1) {
      light.addColorStop(step / 8, rgba(color, (alpha * (1 + Math.cos((Math.PI * step) / 8))) / 2));
    }
    context.fillStyle = light;
    context.fillRect(-1, -1, 2, 2);
    context.restore();
  },
  rays(context, { at, count, ink }, { width, height }) {
    const [x, y] = [at[0] * width, at[1] * height];
    const far = 2 * Math.hypot(width, height);
    context.fillStyle = ink;
    for (let ray = 0; ray < count; ray += 1) {
      const from = ((2 * ray) / (2 * count)) * 2 * Math.PI;
      const to = ((2 * ray + 1) / (2 * count)) * 2 * Math.PI;
      context.beginPath();
      context.moveTo(x, y);
      context.lineTo(x + Math.sin(from) * far, y - Math.cos(from) * far);
      context.lineTo(x + Math.sin(to) * far, y - Math.cos(to) * far);
      context.closePath();
      context.fill();
    }
  },
  plane(context, { from, slant, ink }, { width, height }) {
    const lean = (slant * height) / 2;
    context.fillStyle = ink;
    context.beginPath();
    context.moveTo(from * width + lean, 0);
    context.lineTo(2 * width, 0);
    context.lineTo(2 * width, height);
    context.lineTo(from * width - lean, height);
    context.closePath();
    context.fill();
  },
  lines(context, { way, from, every, thick, ink, alpha }, { width, height }) {
    const unit = Math.min(width, height);
    const [length, long] = way === 'down' ? [width, height] : [height, width];
    const px = Math.max(1, Math.round(thick * unit));
    context.fillStyle = rgba(rgbOf(ink), alpha);
    for (let at = from * length; at < length; at += Math.max(2 * px, Math.round(every * unit))) {
      if (way === 'down') context.fillRect(Math.round(at), 0, px, long);
      else context.fillRect(0, Math.round(at), long, px);
    }
  },
  floor(context, { horizon, ink, alpha }, { width, height }) {
    const top = horizon * height;
    const px = Math.max(1, Math.min(width, height) * 0.0022);
    context.strokeStyle = rgba(rgbOf(ink), alpha);
    context.lineWidth = px;
    context.beginPath();
    for (let line = 0; line <= 9; line += 1) {
      const y = top + (height - top) * (line / 9) ** 2.2;
      context.moveTo(0, y);
      context.lineTo(width, y);
    }
    const reach = Math.max(width, height);
    for (let line = -14; line <= 14; line += 1) {
      context.moveTo(width / 2 + line * reach * 0.035, top);
      context.lineTo(width / 2 + line * reach * 0.16, height);
    }
    context.stroke();
  },
  vignette(context, { ink, alpha }, { width, height }) {
    const color = rgbOf(ink);
    context.save();
    context.translate(width / 2, height / 2);
    context.scale(width * 0.78, height * 0.78);
    const shade = context.createRadialGradient(0, 0, 0.5, 0, 0, 1);
    shade.addColorStop(0, rgba(color, 0));
    shade.addColorStop(1, rgba(color, alpha));
    context.fillStyle = shade;
    context.fillRect(-1, -1, 2, 2);
    context.restore();
  },
  frame(context, { thick, ink, lip }, { width, height }) {
    const px = Math.round(thick * Math.min(width, height));
    const edge = (inset: number, lineWidth: number, color: string) => {
      context.strokeStyle = color;
      context.lineWidth = lineWidth;
      context.lineJoin = 'miter';
      context.beginPath();
      context.rect(inset, inset, width - 2 * inset, height - 2 * inset);
      context.stroke();
    };
    edge(px / 2, px, ink);
    edge(px * 1.1, px * 0.2, lip);
  },
};
