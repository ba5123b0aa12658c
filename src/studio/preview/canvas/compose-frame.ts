import { RecentMap } from '../../../collections.ts';
import { gradientLevels, writeGradient } from '../../../paint/pixels/gradient-pixels.ts';
import type { Mix } from '../../../plan/frame/clip-at-frame.ts';
import type {
  Background,
  ClipOperation,
  Dim,
  Operation,
  PaintedAt,
  PictureOperation,
  Shift,
} from '../../../plan/frame/frame-at.ts';
import { BACKDROP_BLUR, blurOf } from '../../../plan/frame/ground.ts';
import { PAINTED, paintedLayer } from '../../../plan/frame/painted-kinds.ts';
import type { Canvas, Gradient, Rect } from '../../../plan/model/canvas.ts';
import type { ClipLayer } from '../../../plan/model/clip-layer.ts';
import type { PaintedPicture, Painter, Painting } from '../../../plan/model/painter.ts';
import type { PaintedRef, RenderPlan } from '../../../plan/model/render-plan.ts';
import { BoardBitmap, type Context, type Drawable, PaintedBitmaps } from './browser-surface.ts';
import type { blurUnderGlass } from './glass.ts';

/** Board windows that may be visible at once; each is as large as its board. */
const KEPT_BOARDS = 3;

/** Executes the operations of frames (`plan/frame/frame-at.ts`) on a canvas, with state that is reused from frame to frame. (R6) */
export class FrameComposer {
  /** May change from frame to frame if the painter stays the same. */
  plan: RenderPlan;
  readonly #painter: Painter;
  readonly #blur: typeof blurUnderGlass | null;
  readonly #painted = new PaintedBitmaps();
  readonly #boards = new RecentMap<string, BoardBitmap>(KEPT_BOARDS);
  readonly #gradient = new GradientBitmap();
  #small: OffscreenCanvas | null = null;
  /** As large as the frame, for pictures that are drawn apart. */
  readonly #free: OffscreenCanvas[] = [];
  /** The pictures of the current frame, and its paintings. */
  #pictures: ReadonlyMap<number, Drawable> = new Map();
  readonly #paintings = new Map<PaintedRef, Painting | null>();

  /** @param blur only for boards with a glass theme. */
  constructor(plan: RenderPlan, painter: Painter, blur: typeof blurUnderGlass | null) {
    this.plan = plan;
    this.#painter = painter;
    this.#blur = blur;
  }

  /**
   * Draws the operations of a frame.
   *
   * @param context in which a unit is a pixel of the canvas.
   * @param pictures what each clip of the frame shows, by index; a missing one is left out.
   */
  draw(context: Context, operations: readonly Operation[], pictures: ReadonlyMap<number, Drawable>): void {
    this.#pictures = pictures;
    this.#paintings.clear();
    this.#drawAll(context, operations);
  }

  #drawAll(context: Context, operations: readonly Operation[]): void {
    context.globalAlpha = 1;
    context.globalCompositeOperation = 'source-over';
    context.imageSmoothingEnabled = true;
    context.imageSmoothingQuality = 'high';
    for (const operation of operations) this.#drawOne(context, operation);
  }

  #drawOne(context: Context, operation: Operation): void {
    switch (operation.draw) {
      case 'background':
        this.#drawBackground(context, operation);
        break;
      case 'clip':
      case 'group':
      case 'mix':
        this.#drawPicture(context, operation);
        break;
      case 'glass':
        for (const board of operation.boards) {
          const shown = this.#boardOf(board);
          if (shown !== null) this.#blur?.(context, this.plan, shown.bitmap, shown.rect);
        }
        break;
      case 'painted': {
        const shown = this.#boardOf(operation);
        if (shown !== null) context.drawImage(shown.bitmap, shown.rect.x, shown.rect.y);
        break;
      }
      case 'dim':
        this.#dim(context, operation);
        break;
      case 'shake':
        this.#shake(context, operation);
        break;
      case 'front': {
        const front = this.#paint(operation)?.front ?? null;
        if (front !== null) this.#drawPainted(context, front);
        break;
      }
    }
  }

  #drawBackground(context: Context, background: Background): void {
    const { canvas } = this.plan;
    if (background.gradient !== null) {
      context.drawImage(this.#gradient.show(canvas, background.gradient, background.move), 0, 0);
      return;
    }
    if (background.theme !== null) {
      this.#drawPainted(context, this.#painter.ground());
      return;
    }
    context.fillStyle = background.color;
    context.fillRect(0, 0, canvas.width, canvas.height);
  }

  #paint({ layer, at }: PaintedAt): Painting | null {
    let painting = this.#paintings.get(layer);
    if (painting === undefined) {
      painting = this.#painter.paint(layer.kind, paintedLayer(this.plan, layer), at);
      this.#paintings.set(layer, painting);
    }
    return painting;
  }

  /** Draws something on an empty canvas, and then uses that canvas. */
  #apart(draw: (context: Context) => void, use: (canvas: OffscreenCanvas) => void): void {
    const { width, height } = this.plan.canvas;
    const canvas = this.#free.pop() ?? new OffscreenCanvas(width, height);
    const context = canvas.getContext('2d')!;
    context.globalCompositeOperation = 'source-over';
    context.clearRect(0, 0, width, height);
    draw(context);
    use(canvas);
    this.#free.push(canvas);
  }

  /** A painted layer without its front; null if no part of it is on the canvas. */
  #boardOf(painted: PaintedAt): { readonly rect: Rect; readonly bitmap: OffscreenCanvas } | null {
    const painting = this.#paint(painted);
    if (painting === null) return null;
    const { kind, index } = painted.layer;
    if (!PAINTED[kind].isDimmed) return { rect: painting.still.rect, bitmap: this.#painted.get(painting.still) };
    return this.#boards.getOrMake(`${kind} ${index}`, () => new BoardBitmap()).show(painting);
  }

  #dim(context: Context, { color, alpha }: Dim): void {
    context.globalAlpha = alpha;
    context.fillStyle = `rgb(${color.join(' ')})`;
    context.fillRect(0, 0, this.plan.canvas.width, this.plan.canvas.height);
    context.globalAlpha = 1;
  }

  /** Shifts everything drawn so far; the edge is repeated into the gap. (R30) */
  #shake(context: Context, { x, y }: Shift): void {
    const { width, height } = this.plan.canvas;
    this.#apart(
      (copy) => copy.drawImage(context.canvas, 0, 0, width, height),
      (copy) => {
        for (const down of strips(y, height)) {
          for (const across of strips(x, width)) {
            const from = [across.from, down.from, across.size, down.size] as const;
            context.drawImage(copy, ...from, across.to, down.to, across.length, down.length);
          }
        }
      },
    );
  }

  /** A clip, or a picture of the canvas that it is part of, as it is seen. */
  #drawPicture(context: Context, operation: PictureOperation): void {
    const { clip, presence, dim } = operation;
    const opacity = presence?.opacity ?? 1;
    const { matte, backdrop, look } = this.plan.clips[clip]!;
    const isOne = operation.draw === 'clip' && matte === null && backdrop === null && look === null;
    context.save();
    context.translate(presence?.x ?? 0, presence?.y ?? 0);
    context.globalAlpha = opacity;
    if (dim === null && (opacity === 1 || isOne)) this.#drawContent(context, operation);
    else {
      // Frame, bars, backdrop and picture fade and dim together.
      this.#apart(
        (group) => {
          this.#drawContent(group, operation);
          if (dim === null) return;
          group.globalCompositeOperation = 'source-atop';
          this.#dim(group, dim);
        },
        (group) => context.drawImage(group, 0, 0),
      );
    }
    context.restore();
  }

  #drawContent(context: Context, operation: PictureOperation): void {
    if (operation.draw === 'clip') this.#drawClip(context, operation);
    else if (operation.draw === 'group') this.#drawAll(context, operation.operations);
    else {
      this.#apart(
        (side) => this.#drawAll(side, operation.from),
        (from) =>
          this.#apart(
            (side) => this.#drawAll(side, operation.to),
            (to) => drawMix(context, operation.mix, this.plan.canvas, from, to),
          ),
      );
    }
  }

  /** Draws a clip with the shadow, corners and border of a picture-in-picture. (C48) */
  #drawClip(context: Context, operation: ClipOperation): void {
    const clip = this.plan.clips[operation.clip]!;
    const picture = this.#pictures.get(operation.clip);
    if (picture === undefined) return;
    if (clip.look === null) {
      this.#drawParts(context, clip, operation, picture);
      return;
    }
    const { rect, radiusPx } = clip.look;
    const { shadow, border } = this.#painter.clipFrame(clip.look);
    if (shadow !== null) this.#drawPainted(context, shadow);
    context.save();
    context.beginPath();
    context.roundRect(rect.x, rect.y, rect.width, rect.height, radiusPx);
    context.clip();
    this.#drawParts(context, clip, operation, picture);
    context.restore();
    if (border !== null) this.#drawPainted(context, border);
  }

  #drawPainted(context: Context, picture: PaintedPicture): void {
    context.drawImage(this.#painted.get(picture), picture.rect.x, picture.rect.y);
  }

  #drawParts(context: Context, clip: ClipLayer, { view }: ClipOperation, picture: Drawable): void {
    const { matte, backdrop, crop, dest, ground } = clip;
    const { background, behind } = this.plan.canvas;
    if (matte !== null && behind === undefined) {
      context.fillStyle = background;
      context.fillRect(matte.x, matte.y, matte.width, matte.height);
    }
    const own = scaleTo(picture, crop, backdrop?.crop);
    if (backdrop !== null) this.#drawBlurred(context, own(backdrop.crop), backdrop.dest, BACKDROP_BLUR, picture);
    if (ground !== undefined && ground.blur > 0) this.#drawBlurred(context, own(crop), dest, ground.blur, picture);
    else picture.draw(context, own(view), dest);
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

/** Draws a mix of two pictures of the canvas; the second is cut by an edge. (C58) */
function drawMix(
  context: Context,
  mix: Mix,
  { width, height, background }: Canvas,
  from: OffscreenCanvas,
  to: OffscreenCanvas,
): void {
  const drawEnlarged = (side: OffscreenCanvas, scale: number) => {
    const [partWidth, partHeight] = [width / scale, height / scale];
    const part = [(width - partWidth) / 2, (height - partHeight) / 2, partWidth, partHeight] as const;
    context.drawImage(side, ...part, 0, 0, width, height);
  };
  context.save();
  if (mix.by === 'shift') {
    context.drawImage(from, -mix.shift, 0);
    context.drawImage(to, width - mix.shift, 0);
  } else if (mix.by === 'color') {
    context.drawImage(mix.shown === 'from' ? from : to, 0, 0);
    context.globalAlpha = mix.share;
    context.fillStyle = background;
    context.fillRect(0, 0, width, height);
  } else if (mix.by === 'edge') {
    const cut = to.getContext('2d')!;
    const edge = cut.createLinearGradient(mix.end - mix.soft, 0, mix.end, 0);
    edge.addColorStop(0, 'rgb(0 0 0 / 1)');
    edge.addColorStop(1, 'rgb(0 0 0 / 0)');
    cut.globalCompositeOperation = 'destination-in';
    cut.fillStyle = edge;
    cut.fillRect(0, 0, width, height);
    context.drawImage(from, 0, 0);
    context.drawImage(to, 0, 0);
  } else {
    drawEnlarged(from, mix.fromScale);
    context.globalAlpha = mix.share;
    drawEnlarged(to, mix.toScale);
  }
  context.restore();
}

/** The picture of a gradient. (C61) */
class GradientBitmap {
  #picture: { readonly name: string; readonly bitmap: OffscreenCanvas } | null = null;

  show(canvas: Canvas, gradient: Gradient, move: number): OffscreenCanvas {
    const name = JSON.stringify([canvas, move]);
    if (this.#picture?.name !== name) {
      const bitmap = this.#picture?.bitmap ?? new OffscreenCanvas(canvas.width, canvas.height);
      drawGradient(bitmap, canvas, gradient, move);
      this.#picture = { name, bitmap };
    }
    return this.#picture.bitmap;
  }
}

/** The engine dithers luma and chroma, the preview dithers RGB channels: levels differ by one at most. */
function drawGradient(bitmap: OffscreenCanvas, { width, height }: Canvas, gradient: Gradient, move: number): void {
  bitmap.width = width;
  bitmap.height = height;
  const pixels = new ImageData(width, height);
  pixels.data.fill(255);
  for (const [channel, levels] of gradientLevels(gradient, move, (color) => color).entries()) {
    writeGradient(levels, gradient, { bytes: pixels.data, at: channel, column: 4, row: width * 4, width, height });
  }
  bitmap.getContext('2d')!.putImageData(pixels, 0, 0);
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

/**
 * Everything that decides the picture of a frame, besides its painter: equal values mean equal pictures, also of different plans. null if
 * there are clips, since it is unknown then.
 */
export function frameContent(plan: RenderPlan, operations: readonly Operation[]): string | null {
  if (operations.some((operation) => 'clip' in operation)) return null;
  return JSON.stringify([
    plan.canvas,
    plan.theme.glass,
    operations.map((operation) => partOf(plan, operation, () => null)),
  ]);
}

/** The same of a frame with clips, by a number for each picture that they show: for frames of one plan. */
export function shownContent(
  plan: RenderPlan,
  operations: readonly Operation[],
  pictureOf: (clip: number) => number | null,
): string {
  return JSON.stringify(operations.map((operation) => partOf(plan, operation, pictureOf)));
}

function partOf(plan: RenderPlan, operation: Operation, pictureOf: (clip: number) => number | null): unknown {
  if ('layer' in operation) {
    const { layer, at } = operation;
    const { id: _, path, shows, enter, exit, ...look } = paintedLayer(plan, layer);
    const { kind, started, settled, changes } = layer;
    return [operation.draw, kind, look, started, settled, changes && [at, shows, enter, exit]];
  }
  const inside = (operations: readonly Operation[]) => operations.map((each) => partOf(plan, each, pictureOf));
  switch (operation.draw) {
    case 'clip':
      return { ...operation, at: pictureOf(operation.clip) };
    case 'group':
      return { ...operation, operations: inside(operation.operations) };
    case 'mix':
      return { ...operation, from: inside(operation.from), to: inside(operation.to) };
    default:
      return operation;
  }
}

/** Crops are in pixels of the probed picture; a browser may decode it at another size. */
export function scaleTo(
  picture: Pick<Drawable, 'width' | 'height'>,
  crop: Rect,
  other: Rect | undefined,
): (part: Rect) => Rect {
  const right = Math.max(crop.x + crop.width, other === undefined ? 0 : other.x + other.width);
  const bottom = Math.max(crop.y + crop.height, other === undefined ? 0 : other.y + other.height);
  if (right <= picture.width && bottom <= picture.height) return (part) => part;
  const [across, down] = [picture.width / right, picture.height / bottom];
  return ({ x, y, width, height }) => ({ x: x * across, y: y * down, width: width * across, height: height * down });
}
