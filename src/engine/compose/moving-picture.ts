import { AV_PIX_FMT_YUV420P, AV_PIX_FMT_YUVA420P } from 'node-av/constants';
import type { Frame } from 'node-av/lib';
import type { ClipView } from '../../plan/frame/clip-at-frame.ts';
import { BACKDROP_BLUR } from '../../plan/frame/ground.ts';
import type { Rect } from '../../plan/model/canvas.ts';
import type { ClipLayer, Motion } from '../../plan/model/clip-layer.ts';
import type { Frames } from '../../time.ts';
import { tagBt709 } from '../color/tag-bt709.ts';
import type { FramePool } from '../libav/frame-pool.ts';
import { mustSucceed } from '../libav/libav-call.ts';
import { PicturePool } from '../libav/picture-pool.ts';
import { releasePicture, type SourcePicture } from '../picture/source-frames.ts';
import { Blender } from './blender.ts';
import { isCutOut } from './clip-filters.ts';
import { clipMask, cutOut } from './clip-mask.ts';
import { ClipPicture } from './clip-picture.ts';
import { copyRows, planesOf } from './planes.ts';
import { Resampler } from './resampler.ts';

/** The most pixels of a level: a larger one is enlarged from fewer. */
const MAX_PIXELS = 16_000_000;

/** The picture at one size; every view is a part of it. */
interface Level {
  /** Its pixels to one of the source. */
  readonly scale: number;
  readonly picture: ClipPicture;
  /** For pictures with this number of planes: alpha may change inside a file. (R23) */
  resampler: { readonly planes: 3 | 4; readonly of: Resampler } | null;
}

/**
 * A clip that moves in its place: libav scales its source once, to about the displayed size, and for every frame a part
 * with subpixel edges is cut out. (C59) Bars and backdrop do not move.
 */
export class MovingPicture implements Disposable {
  readonly #clip: ClipLayer;
  readonly #pool: FramePool;
  readonly #pictures: PicturePool;
  readonly #levels: readonly Level[];
  /** The picture around it or behind it, if there is one. */
  readonly #around: ClipPicture | null;
  readonly #blender: Blender;
  #mask: Uint8Array | null = null;
  #frame: Frame | null = null;

  constructor(clip: ClipLayer, motion: Motion, background: string | null, pool: FramePool) {
    this.#clip = clip;
    this.#pool = pool;
    this.#pictures = new PicturePool(pool, clip.dest.width, clip.dest.height);
    this.#blender = new Blender(pool);
    const isBare = clip.matte === null && clip.backdrop === null;
    this.#around = isBare ? null : new ClipPicture(surroundings(clip), background, pool);
    this.#levels = levelScales(clip, motion).map((scale) => {
      const dest = { x: 0, y: 0, width: even(clip.crop.width * scale), height: even(clip.crop.height * scale) };
      const picture = new ClipPicture({ ...clip, dest, matte: null, backdrop: null, look: null }, background, pool);
      return { scale, picture, resampler: null };
    });
  }

  /** The picture that `move` has made. */
  get frame(): Frame {
    return this.#frame!;
  }

  get rect(): Rect {
    return this.#around?.rect ?? this.#clip.dest;
  }

  get alpha(): boolean {
    return isCutOut(this.#clip) || this.#levels[0]!.picture.alpha;
  }

  /** Takes over the source picture. */
  async update(picture: SourcePicture): Promise<void> {
    const users = [...this.#levels.map((level) => level.picture), ...(this.#around === null ? [] : [this.#around])];
    try {
      for (const [index, user] of users.entries()) {
        const frame = this.#pool.share(picture.frame);
        await user.update({ ...picture, frame, shared: index === 0 ? (picture.shared?.enter() ?? null) : null });
      }
    } finally {
      releasePicture(picture, this.#pool);
    }
    for (const level of this.#levels) {
      const { frame, alpha } = level.picture;
      const planes = alpha ? 4 : 3;
      if (level.resampler?.planes !== planes) {
        level.resampler = { planes, of: new Resampler(frame, this.#clip.dest, planes) };
      }
      level.resampler.of.put(frame);
    }
  }

  /** Makes the picture of frame `n`, which shows a part of the source. */
  async move(view: ClipView, n: Frames): Promise<void> {
    const { dest, crop } = this.#clip;
    const wanted = dest.width / view.width;
    const level = this.#levels.find(({ scale }) => scale >= wanted) ?? this.#levels.at(-1)!;
    const { frame: picture, alpha } = level.picture;
    const moved = alpha || (this.#around === null && this.alpha) ? this.#blank(dest, true) : this.#pictures.take();
    this.#pool.filled(moved, (frame) => {
      const across = picture.width / crop.width;
      const down = picture.height / crop.height;
      level.resampler!.of.show(within(view, crop, across, down), frame);
    });
    const placed = this.#around === null ? moved : await this.#inside(this.#around, moved, alpha, n);
    const made = this.#pool.filled(placed, (frame) => {
      if (isCutOut(this.#clip)) {
        this.#mask ??= clipMask(this.#clip.look!, this.rect);
        cutOut(frame, this.#mask, !alpha);
      }
      tagBt709(frame);
    });
    if (this.#frame !== null) this.#pool.give(this.#frame);
    this.#frame = made;
  }

  [Symbol.dispose](): void {
    if (this.#frame !== null) this.#pool.give(this.#frame);
    this.#frame = null;
    this.#pictures[Symbol.dispose]();
    this.#blender[Symbol.dispose]();
    this.#around?.[Symbol.dispose]();
    for (const { picture } of this.#levels) picture[Symbol.dispose]();
  }

  #blank({ width, height }: Rect, alpha: boolean): Frame {
    return this.#pool.filled(this.#pool.take(), (frame) => {
      frame.width = width;
      frame.height = height;
      frame.format = alpha ? AV_PIX_FMT_YUVA420P : AV_PIX_FMT_YUV420P;
      mustSucceed(frame.getBuffer(), 'av_frame_get_buffer');
    });
  }

  /** The surroundings, with the picture, which is taken over, in its place. The result has alpha if this object has. */
  async #inside({ frame: around, rect }: ClipPicture, moved: Frame, alpha: boolean, n: Frames): Promise<Frame> {
    const { x, y, width, height } = this.#clip.dest;
    const place = { x: x - rect.x, y: y - rect.y, width, height };
    try {
      if (alpha) {
        const layers = [
          { frame: around, rect },
          { frame: moved, rect: place },
        ] as const;
        const how = { alpha, still: false, opacity: null, shift: null };
        const blended = await this.#blender.blend(
          layers.map((layer) => ({ ...layer, ...how })),
          n,
        );
        return this.#pool.filled(blended, (frame) => mustSucceed(frame.makeWritable(), 'av_frame_make_writable'));
      }
      return this.#pool.filled(this.#blank(rect, this.alpha), (joined) => {
        copyInto(joined, around, { x: 0, y: 0 });
        copyInto(joined, moved, place);
      });
    } finally {
      this.#pool.give(moved);
    }
  }
}

/** A clip without its picture: bars, or the backdrop, which is a blurred picture itself. */
function surroundings(clip: ClipLayer): ClipLayer {
  const { backdrop } = clip;
  if (backdrop === null) return clip;
  return { ...clip, ...backdrop, backdrop: null, look: null, ground: { blur: BACKDROP_BLUR } };
}

/** Copies the colours of a picture to a place in another. */
function copyInto(target: Frame, picture: Frame, { x, y }: Pick<Rect, 'x' | 'y'>): void {
  const from = planesOf(picture);
  for (const [plane, { bytes, stride }] of planesOf(target).entries()) {
    const shift = plane === 0 ? 0 : 1;
    const at = (y >> shift) * stride + (x >> shift);
    copyRows({ ...from[plane]!, at: 0 }, { bytes, at, stride }, picture.width >> shift, picture.height >> shift);
  }
}

/**
 * The sizes at which the source is kept: a view is at most twice as large as its place, which is the resampler's limit,
 * and no smaller, as long as the source has the pixels.
 */
function levelScales({ crop, dest }: ClipLayer, { from, to, part }: Motion): number[] {
  const shown = [from.scale, to.scale].map((scale) => (dest.width * scale) / part.width);
  const [min, max] = [Math.min(...shown), Math.max(...shown)];
  const cap = Math.min(1, Math.sqrt(MAX_PIXELS / (crop.width * crop.height)));
  const largest = Math.min(cap, max);
  const scales = [Math.min(largest, 2 * min)];
  while (scales.at(-1)! < largest) scales.push(Math.min(largest, 2 * scales.at(-1)!));
  return scales;
}

/** A view of the source as a part of a picture of `crop` in another size. */
function within(view: ClipView, crop: Rect, across: number, down: number): ClipView {
  return {
    x: (view.x - crop.x) * across,
    y: (view.y - crop.y) * down,
    width: view.width * across,
    height: view.height * down,
  };
}

function even(size: number): number {
  return Math.max(2, 2 * Math.round(size / 2));
}
