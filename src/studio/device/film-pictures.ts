import type { VideoSample } from 'mediabunny';
import { RecentMap } from '../../collections.ts';
import type { Rect } from '../../plan/model/canvas.ts';
import type { Context, Drawable } from '../preview/canvas/browser-surface.ts';
import type { Planes } from './film-planes.ts';
import { type Coding, FilmScaler } from './film-scaler.ts';
import { planesOf } from './luma-likeness.ts';

/** Sizes to which clips are scaled at once: of clips beside each other, and of both sides of a transition. */
const KEPT_SCALERS = 6;

/** Browsers' names of matrices that are converted here. */
const MATRICES: Readonly<Partial<Record<VideoMatrixCoefficients, Coding['matrix']>>> = {
  bt709: 'bt709',
  smpte170m: 'bt601',
  bt470bg: 'bt601',
};
/** Gamuts that need more than a matrix. */
const WIDE: ReadonlySet<string | null> = new Set(['bt2020', 'smpte432']);

/** A picture of a video that is scaled by the service's curve, and keeps its levels. */
export interface FilmPicture extends Drawable {
  /** Its part `from` in the size of `to`, as it is coded; null unless it is coded as the frames of the service. */
  samples: ((from: Rect, to: Rect) => Planes) | null;
}

interface Scaling {
  readonly scaler: FilmScaler;
  readonly bitmap: OffscreenCanvas;
}

/** Pictures of videos as the service scales and colours them. Those of browsers differ from them by as much as an encoder changes. */
export class FilmPictures {
  readonly #scalings = new RecentMap<string, Scaling>(KEPT_SCALERS);

  /** null unless it is one of a video, and the browser gives out its pixels. */
  async of({ film, ...picture }: Drawable): Promise<FilmPicture | null> {
    const coding = film === undefined ? null : codingOf(film);
    if (film === undefined || coding === null) return null;
    const planes = await planesOf(film.toVideoFrame()).catch(() => null);
    if (planes === null) return null;
    const isOutput = coding.matrix === 'bt709' && !coding.fullRange && film.rotation === 0 && !film.flip;
    return {
      ...picture,
      film,
      draw: (context, from, to) => {
        const isWhole = [to.x, to.y, to.width, to.height].every(Number.isInteger);
        if (isWhole) this.#draw(context, { film, planes, coding }, from, to);
        else picture.draw(context, from, to);
      },
      samples: isOutput ? (from, to) => this.#scaled(planes, storedPart(film, planes, from), to).scaler.planes() : null,
    };
  }

  #draw(context: Context, { film, planes, coding }: Film, from: Rect, to: Rect): void {
    const isTurned = film.rotation % 180 !== 0;
    const [width, height] = isTurned ? [to.height, to.width] : [to.width, to.height];
    const { scaler, bitmap } = this.#scaled(planes, storedPart(film, planes, from), { width, height });
    // It is read by the processor, as the frame is.
    const stored = bitmap.getContext('2d', { alpha: false, willReadFrequently: true })!;
    stored.putImageData(new ImageData(scaler.colors(coding), width, height), 0, 0);
    context.save();
    context.translate(to.x + to.width / 2, to.y + to.height / 2);
    if (film.flip) context.scale(-1, 1);
    context.rotate((film.rotation * Math.PI) / 180);
    context.drawImage(bitmap, -width / 2, -height / 2);
    context.restore();
  }

  #scaled(planes: Planes, part: Rect, { width, height }: Pick<Rect, 'width' | 'height'>): Scaling {
    const scaling = this.#scalings.getOrMake(`${planes.width} ${planes.height} ${width} ${height}`, () => ({
      scaler: new FilmScaler(planes, { width, height }),
      bitmap: new OffscreenCanvas(width, height),
    }));
    scaling.scaler.scale(planes, part);
    return scaling;
  }
}

interface Film {
  readonly film: VideoSample;
  readonly planes: Planes;
  readonly coding: Coding;
}

/** null if it is not known here. */
function codingOf({ colorSpace }: VideoSample): Coding | null {
  const matrix = MATRICES[colorSpace.matrix ?? 'rgb'];
  if (matrix === undefined || WIDE.has(colorSpace.primaries)) return null;
  return { matrix, fullRange: colorSpace.fullRange ?? false };
}

/** Where in the stored picture a part is that is upright: it was turned clockwise, then flipped. */
function storedPart(film: VideoSample, stored: Planes, part: Rect): Rect {
  const { rotation, flip, displayWidth, displayHeight } = film;
  const { y, width, height } = part;
  const x = flip ? displayWidth - part.x - width : part.x;
  const [right, bottom] = [displayWidth - x - width, displayHeight - y - height];
  const turned =
    rotation === 90
      ? { x: y, y: right, width: height, height: width }
      : rotation === 180
        ? { x: right, y: bottom, width, height }
        : rotation === 270
          ? { x: bottom, y: x, width: height, height: width }
          : { x, y, width, height };
  const isTurned = rotation % 180 !== 0;
  const across = stored.width / (isTurned ? displayHeight : displayWidth);
  const down = stored.height / (isTurned ? displayWidth : displayHeight);
  return { x: turned.x * across, y: turned.y * down, width: turned.width * across, height: turned.height * down };
}
