import { RecentMap } from '../../../collections/recent-map.ts';
import { mixAt } from '../../../plan/envelope/clip-transition.ts';
import { viewAt } from '../../../plan/envelope/clip-view.ts';
import { presenceAt } from '../../../plan/envelope/picture-envelope.ts';
import { frameRuns } from '../../../plan/frame-runs.ts';
import { BACKDROP_BLUR, blurOf } from '../../../plan/ground/blur.ts';
import { gradientMove } from '../../../plan/ground/gradient.ts';
import type { ClipLayer } from '../../../plan/layers/clip-layer.ts';
import type { LayerRef } from '../../../plan/layers/span.ts';
import { type Overlay, type OverlayPainter, type Shift, type Veil, veilAbove } from '../../../plan/overlay-painter.ts';
import { PAINTED, paintedLayer } from '../../../plan/painted/painted-kinds.ts';
import type { Rect } from '../../../plan/rect.ts';
import type { RenderPlan } from '../../../plan/render-plan.ts';
import type { Frames } from '../../../time.ts';
import { BoardBitmap, OverlayBitmaps } from './browser-surface.ts';
import type { Context, Drawable } from './drawable.ts';
import type { blurUnderGlass } from './glass.ts';
import { MixedSides } from './mixed-sides.ts';
import { PreviewGround } from './preview-ground.ts';

/** Board windows that may be visible at once; each is as large as its board. */
const KEPT_BOARDS = 3;

/** Draws frames, with state that is reused from frame to frame. */
export class FrameComposer {
  /** May change from frame to frame if the painter stays the same. */
  plan: RenderPlan;
  readonly #painter: OverlayPainter;
  readonly #blur: typeof blurUnderGlass | null;
  readonly #overlays = new OverlayBitmaps();
  readonly #veiled = new RecentMap<string, BoardBitmap>(KEPT_BOARDS);
  readonly #ground = new PreviewGround();
  #group: OffscreenCanvas | null = null;
  #small: OffscreenCanvas | null = null;
  #sides: MixedSides | null = null;
  /** The pictures of the current frame. */
  #pictures: ReadonlyMap<number, Drawable> = new Map();

  /** @param blur only for boards with a glass theme. */
  constructor(plan: RenderPlan, painter: OverlayPainter, blur: typeof blurUnderGlass | null) {
    this.plan = plan;
    this.#painter = painter;
    this.#blur = blur;
  }

  /**
   * Draws frame `n`, with the parts and order of the engine's compositor. (R6)
   *
   * @param context in which a unit is a pixel of the canvas.
   * @param pictures what each clip of the frame shows, by index; a missing one is left out.
   */
  draw(context: Context, n: Frames, pictures: ReadonlyMap<number, Drawable>): void {
    context.globalAlpha = 1;
    context.imageSmoothingEnabled = true;
    context.imageSmoothingQuality = 'high';
    this.#pictures = pictures;
    this.#drawGround(context, n);
    const fronts: Overlay[] = [];
    const unveiled: Overlay[] = [];
    const clips: number[] = [];
    let veil: Veil | null = null;
    let shake: Shift | null = null;
    const layers = layersAt(this.plan, n);
    const replaced = new Set(
      layers.map(({ kind, index }) =>
        kind === 'clip' && this.#mixOf(index, n) ? this.#clip(index).transition!.from : null,
      ),
    );
    for (const ref of layers) {
      if (ref.kind === 'clip') {
        if (this.#clip(ref.index).ground !== undefined) continue;
        if (replaced.has(ref.index) && this.#mixOf(ref.index, n) === null) continue;
        if (this.#clip(ref.index).isAboveBoard) clips.push(ref.index);
        else this.#drawShown(context, ref.index, pictures, n, null);
        continue;
      }
      const { isVeiled, isGlass } = PAINTED[ref.kind];
      const painting = this.#painter.paint(ref.kind, paintedLayer(this.plan, ref), n);
      if (painting === null) continue;
      if (!isVeiled) {
        unveiled.push(painting.still);
        continue;
      }
      const name = `${ref.kind} ${ref.index}`;
      const { rect, bitmap } = this.#veiled.getOrMake(name, () => new BoardBitmap()).show(painting);
      if (isGlass) this.#blur?.(context, this.plan, bitmap, rect);
      context.drawImage(bitmap, rect.x, rect.y);
      if (painting.veil !== null && (veil === null || painting.veil.alpha > veil.alpha)) veil = painting.veil;
      if (painting.front !== null) fronts.push(painting.front);
      shake = painting.shake ?? shake;
    }
    if (veil !== null) this.#dim(context, veil);
    if (shake !== null) this.#shake(context, shake);
    for (const clip of clips) this.#drawShown(context, clip, pictures, n, veil && veilAbove(veil));
    for (const overlay of [...fronts, ...unveiled]) this.#drawOverlay(context, overlay);
  }

  /** The background of the canvas, and of the bars beside a clip. (C61) */
  #drawGround(context: Context, n: Frames): void {
    this.#ground.draw(context, this.plan, n);
    for (const { kind, index } of layersAt(this.plan, n)) {
      const picture = kind === 'clip' && this.#clip(index).ground !== undefined ? this.#pictures.get(index) : undefined;
      if (picture !== undefined) this.#drawParts(context, this.#clip(index), picture, n);
    }
  }

  #clip(index: number): ClipLayer {
    return this.plan.clips[index]!;
  }

  #mixOf(index: number, n: Frames) {
    return mixAt(this.#clip(index), n, this.plan.canvas);
  }

  /** Draws a clip, alone or in a transition from the previous one. (C58) */
  #drawShown(
    context: Context,
    index: number,
    pictures: ReadonlyMap<number, Drawable>,
    n: Frames,
    veil: Veil | null,
  ): void {
    const clip = this.#clip(index);
    const picture = pictures.get(index);
    const mix = this.#mixOf(index, n);
    if (mix === null) {
      if (picture !== undefined) this.#drawClip(context, clip, picture, n, veil);
      return;
    }
    const { from } = clip.transition!;
    const before = from === null ? undefined : pictures.get(from);
    this.#sides ??= new MixedSides(this.plan.canvas);
    this.#sides.draw(context, mix, {
      from: (side) => before && this.#drawClip(side, this.#clip(from!), before, n),
      to: (side) => picture && this.#drawClip(side, clip, picture, n),
    });
    if (veil !== null) this.#dim(context, veil);
  }

  #dim(context: Context, { color, alpha }: Veil): void {
    context.globalAlpha = alpha;
    context.fillStyle = `rgb(${color.join(' ')})`;
    context.fillRect(0, 0, this.plan.canvas.width, this.plan.canvas.height);
    context.globalAlpha = 1;
  }

  /** Shifts everything drawn so far; the edge is repeated into the gap. (R30) */
  #shake(context: Context, { x, y }: Shift): void {
    const { width, height } = this.plan.canvas;
    this.#group ??= new OffscreenCanvas(width, height);
    const copy = this.#group.getContext('2d')!;
    copy.clearRect(0, 0, width, height);
    copy.drawImage(context.canvas, 0, 0, width, height);
    const columns = strips(x, width);
    for (const down of strips(y, height)) {
      for (const across of columns) {
        const from = [across.from, down.from, across.size, down.size] as const;
        context.drawImage(this.#group, ...from, across.to, down.to, across.length, down.length);
      }
    }
  }

  #drawClip(context: Context, clip: ClipLayer, picture: Drawable, n: Frames, veil: Veil | null = null): void {
    const { canvas } = this.plan;
    const presence = presenceAt(clip, n, clip.look?.rect ?? clip.dest, canvas);
    const opacity = presence?.opacity ?? 1;
    const isOne = clip.matte === null && clip.backdrop === null && clip.look === null && veil === null;
    context.save();
    context.translate(presence?.x ?? 0, presence?.y ?? 0);
    if ((opacity === 1 && veil === null) || isOne) {
      context.globalAlpha = opacity;
      this.#drawFramed(context, clip, picture, n);
    } else {
      // Frame, bars, backdrop and picture fade and dim together.
      this.#group ??= new OffscreenCanvas(canvas.width, canvas.height);
      const group = this.#group.getContext('2d')!;
      group.clearRect(0, 0, canvas.width, canvas.height);
      this.#drawFramed(group, clip, picture, n);
      if (veil !== null) {
        group.globalCompositeOperation = 'source-atop';
        this.#dim(group, veil);
        group.globalCompositeOperation = 'source-over';
      }
      context.globalAlpha = opacity;
      context.drawImage(this.#group, 0, 0);
    }
    context.restore();
  }

  /** Draws a clip with the shadow, corners and border of a picture-in-picture. (C48) */
  #drawFramed(context: Context, clip: ClipLayer, picture: Drawable, n: Frames): void {
    if (clip.look === null) {
      this.#drawParts(context, clip, picture, n);
      return;
    }
    const { rect, radiusPx } = clip.look;
    const { shadow, border } = this.#painter.clipFrame(clip.look);
    if (shadow !== null) this.#drawOverlay(context, shadow);
    context.save();
    context.beginPath();
    context.roundRect(rect.x, rect.y, rect.width, rect.height, radiusPx);
    context.clip();
    this.#drawParts(context, clip, picture, n);
    context.restore();
    if (border !== null) this.#drawOverlay(context, border);
  }

  #drawOverlay(context: Context, overlay: Overlay): void {
    context.drawImage(this.#overlays.get(overlay), overlay.rect.x, overlay.rect.y);
  }

  #drawParts(context: Context, clip: ClipLayer, picture: Drawable, n: Frames): void {
    const { matte, backdrop, crop, dest, motion, ground } = clip;
    if (matte !== null) this.#drawGround(context, n);
    const own = scaleTo(picture, crop, backdrop?.crop);
    if (backdrop !== null) this.#drawBlurred(context, own(backdrop.crop), backdrop.dest, BACKDROP_BLUR, picture);
    if (ground !== undefined && ground.blur > 0) this.#drawBlurred(context, own(crop), dest, ground.blur, picture);
    else picture.draw(context, own(motion === null ? crop : viewAt(motion, n)), dest);
  }

  #drawBlurred(context: Context, from: Rect, dest: Rect, strength: number, picture: Drawable): void {
    const { width, height, sigma } = blurOf(dest, strength);
    if (this.#small === null || this.#small.width !== width || this.#small.height !== height) {
      this.#small = new OffscreenCanvas(width, height);
    }
    const small = this.#small.getContext('2d')!;
    small.imageSmoothingQuality = 'high';
    // Drawn past its edges first, so that the blur does not fade there.
    picture.draw(small, from, { x: -sigma, y: -sigma, width: width + 2 * sigma, height: height + 2 * sigma });
    small.filter = `blur(${sigma.toFixed(2)}px)`;
    picture.draw(small, from, { x: 0, y: 0, width, height });
    small.filter = 'none';
    context.imageSmoothingQuality = 'low';
    context.drawImage(this.#small, dest.x, dest.y, dest.width, dest.height);
    context.imageSmoothingQuality = 'high';
  }
}

interface Strip {
  readonly from: number;
  readonly size: number;
  readonly to: number;
  readonly length: number;
}

/** Along one axis of a shifted picture: the part that stays, and the edge that fills the gap. */
function strips(shift: number, side: number): Strip[] {
  const kept = side - Math.abs(shift);
  const moved = { from: Math.max(0, -shift), size: kept, to: Math.max(0, shift), length: kept };
  if (shift === 0) return [moved];
  const edge = shift > 0 ? { from: 0, to: 0 } : { from: side - 1, to: kept };
  return [moved, { ...edge, size: 1, length: Math.abs(shift) }];
}

/** The layers of a frame, back to front. */
export function layersAt(plan: Pick<RenderPlan, 'spans' | 'clips'>, n: Frames): readonly LayerRef[] {
  for (const run of frameRuns(plan, { start: n, end: (n + 1) as Frames })) return run.layers;
  return [];
}

/**
 * Everything that decides the picture of frame `n`, besides its painter: equal values mean equal pictures. null if there are clips,
 * since it is unknown then.
 */
export function frameContent(plan: RenderPlan, n: Frames): string | null {
  const { behind } = plan.canvas;
  const moved = typeof behind === 'object' ? gradientMove(behind, n, plan.rate) : 0;
  const parts: unknown[] = [plan.canvas, moved, plan.theme.glass];
  for (const ref of layersAt(plan, n)) {
    if (ref.kind === 'clip') return null;
    const { id: _, path, shows, enter, exit, ...look } = paintedLayer(plan, ref);
    const { kind, started, settled, changes } = ref;
    parts.push([kind, look, started, settled, changes && [n, shows, enter, exit]]);
  }
  return JSON.stringify(parts);
}

/** Crops are in pixels of the probed picture; a browser may decode it at another size. */
function scaleTo(picture: Drawable, crop: Rect, other: Rect | undefined): (part: Rect) => Rect {
  const right = Math.max(crop.x + crop.width, other === undefined ? 0 : other.x + other.width);
  const bottom = Math.max(crop.y + crop.height, other === undefined ? 0 : other.y + other.height);
  if (right <= picture.width && bottom <= picture.height) return (part) => part;
  const [across, down] = [picture.width / right, picture.height / bottom];
  return ({ x, y, width, height }) => ({ x: x * across, y: y * down, width: width * across, height: height * down });
}
