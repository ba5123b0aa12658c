import { AV_PIX_FMT_YUVA420P } from 'node-av/constants';
import type { Frame } from 'node-av/lib';
import { type ClipView, viewAt } from '../../../plan/envelope/clip-view.ts';
import type { ClipLayer, Motion, Rect } from '../../../plan/render-plan.ts';
import type { Frames } from '../../../time.ts';
import { tagBt709 } from '../../color/tag-bt709.ts';
import type { FramePool } from '../../libav/frame-pool.ts';
import { mustSucceed } from '../../libav/libav-call.ts';
import { PicturePool } from '../../libav/picture-pool.ts';
import type { SourcePicture } from '../../picture/source-frames.ts';
import { ClipPicture } from '../clip-picture.ts';
import { copyRows } from '../copy-rows.ts';
import { planesOf } from '../frame-planes.ts';
import { Resampler } from './resampler.ts';

/** A level has at most so many pixels: what is larger is enlarged from less. */
const MOST_PIXELS = 16_000_000;

/** The picture at one size, of which every view is a part. */
interface Level {
  /** Its pixels to one of the source. */
  readonly scale: number;
  readonly picture: ClipPicture;
  resampler: Resampler | null;
}

/**
 * A clip that moves in its place: its source is scaled once by libav, to about the size it is shown at, and a part of that that begins and
 * ends between pixels is cut out for every frame. (C59)
 *
 * Bars and backdrop stand still around it.
 */
export class MovingPicture implements Disposable {
  readonly #clip: ClipLayer;
  readonly #motion: Motion;
  readonly #pool: FramePool;
  readonly #pictures: PicturePool;
  readonly #levels: readonly Level[];
  /** What is around it, where something is. */
  readonly #around: ClipPicture | null;
  #frame: Frame | null = null;

  constructor(clip: ClipLayer, motion: Motion, background: string | null, pool: FramePool) {
    this.#clip = clip;
    this.#motion = motion;
    this.#pool = pool;
    this.#pictures = new PicturePool(pool, clip.dest.width, clip.dest.height);
    const isBare = clip.matte === null && clip.backdrop === null && (clip.look?.radiusPx ?? 0) === 0;
    this.#around = isBare ? null : new ClipPicture(clip, background, pool);
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
    return (this.#around ?? this.#levels[0]!.picture).alpha;
  }

  /** Takes over the source picture. */
  async update(picture: SourcePicture): Promise<void> {
    const users = [...this.#levels.map((level) => level.picture), ...(this.#around === null ? [] : [this.#around])];
    const copies = users.map((_, index) =>
      index === 0 ? picture : { ...picture, frame: this.#pool.share(picture.frame), shared: null },
    );
    for (const [index, user] of users.entries()) await user.update(copies[index]!);
    for (const level of this.#levels) {
      const { frame, alpha } = level.picture;
      level.resampler ??= new Resampler(frame, this.#clip.dest, alpha ? 4 : 3);
      level.resampler.put(frame);
    }
  }

  /** Makes the picture of frame `n`. */
  move(n: Frames): void {
    const view = viewAt(this.#motion, n);
    const { dest, crop } = this.#clip;
    const wanted = dest.width / view.width;
    const level = this.#levels.find(({ scale }) => scale >= wanted) ?? this.#levels.at(-1)!;
    const { frame: picture, alpha } = level.picture;
    const moved = this.#blank(alpha);
    const across = picture.width / crop.width;
    const down = picture.height / crop.height;
    level.resampler!.show(within(view, crop, across, down), moved);
    if (this.#frame !== null) this.#pool.give(this.#frame);
    this.#frame = this.#around === null ? moved : this.#inside(this.#around.frame, moved, alpha ? 4 : 3);
    tagBt709(this.#frame);
  }

  [Symbol.dispose](): void {
    if (this.#frame !== null) this.#pool.give(this.#frame);
    this.#frame = null;
    this.#pictures[Symbol.dispose]();
    this.#around?.[Symbol.dispose]();
    for (const { picture } of this.#levels) picture[Symbol.dispose]();
  }

  #blank(alpha: boolean): Frame {
    if (!alpha) return this.#pictures.take();
    const frame = this.#pool.take();
    frame.width = this.#clip.dest.width;
    frame.height = this.#clip.dest.height;
    frame.format = AV_PIX_FMT_YUVA420P;
    mustSucceed(frame.getBuffer(), 'av_frame_get_buffer');
    return frame;
  }

  /** A copy of what is around, with the picture, which is taken over, in its place. */
  #inside(around: Frame, moved: Frame, planes: 3 | 4): Frame {
    const copy = this.#pool.share(around);
    mustSucceed(copy.makeWritable(), 'av_frame_make_writable');
    const [x, y] = [this.#clip.dest.x - this.rect.x, this.#clip.dest.y - this.rect.y];
    const from = planesOf(moved, planes);
    for (const [plane, { bytes, stride }] of planesOf(copy, planes).entries()) {
      const shift = plane === 1 || plane === 2 ? 1 : 0;
      const at = (y >> shift) * stride + (x >> shift);
      copyRows({ ...from[plane]!, at: 0 }, { bytes, at, stride }, moved.width >> shift, moved.height >> shift);
    }
    this.#pool.give(moved);
    return copy;
  }
}

/**
 * The sizes at which the source is kept: a view is at most twice as large as it is shown, which is what the resampler takes, and no
 * smaller, as long as the source has the pixels.
 */
function levelScales({ crop, dest }: ClipLayer, { from, to, part }: Motion): number[] {
  const shown = [from.scale, to.scale].map((scale) => (dest.width * scale) / part.width);
  const [least, most] = [Math.min(...shown), Math.max(...shown)];
  const cap = Math.min(1, Math.sqrt(MOST_PIXELS / (crop.width * crop.height)));
  const largest = Math.min(cap, most);
  const scales = [Math.min(largest, 2 * least)];
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
