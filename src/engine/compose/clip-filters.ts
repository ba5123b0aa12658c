import { AV_PIX_FMT_YUV420P, AV_PIX_FMT_YUVA420P, AVCOL_RANGE_MPEG, AVCOL_SPC_BT709 } from 'node-av/constants';
import { avGetPixFmtName } from 'node-av/lib';
import type { PixelSize } from '../../image-header/image-header.ts';
import { BACKDROP_BLUR, type Blur, blurOf } from '../../plan/frame/ground.ts';
import type { Rect } from '../../plan/model/canvas.ts';
import type { ClipLayer } from '../../plan/model/clip-layer.ts';
import { CONVERT, type Converted, isHdr, isWideGamut, toBt709, toKnownMatrix } from '../color/to-bt709.ts';
import type { FrameShape } from '../libav/frame-graph.ts';
import { type Orientation, storedCrop } from '../picture/orientation.ts';
import type { PictureFacts } from '../picture/picture-facts.ts';
import type { SourcePicture } from '../picture/source-frames.ts';

/** How a clip's source frames become its part of the canvas. */
export interface ClipFilters {
  /** From `[0]` to `[out]` in libavfilter's syntax; null if the frame is right as it is. */
  readonly text: string | null;
  /** The same in two steps; other presets may share the first. Null if it cannot be split. */
  readonly steps: ClipSteps | null;
  /** Where on the canvas the result goes. */
  readonly rect: Rect;
  /** Whether a deinterlacer is among them, which returns each picture when the next one comes. */
  readonly late: boolean;
  /** Whether the result is yuva420p and transparent; it is yuv420p otherwise. */
  readonly alpha: boolean;
}

/** A clip's filters in two steps. */
export interface ClipSteps {
  /** From `[0]` to `[out]`: the picture alone, as large as it is shown. */
  readonly scaled: string;
  readonly scaledShape: FrameShape;
  /** The area around it, from `[0]`, which is the scaled picture; null if there is none. */
  readonly around: string | null;
  /** The backdrop behind it, from `[0]`, which is the source, and `[1]`, the scaled picture; null if there is none. */
  readonly behind: string | null;
}

/** Scaling whose result depends neither on the machine's instruction set nor on where the picture is split. */
const EXACT = 'accurate_rnd+bitexact+full_chroma_int';
/** Adds opaque alpha, for filters that need it. */
const ADD_ALPHA = [CONVERT, 'format=yuva420p'];

/**
 * Spatial filters only: one picture in, one out, without state. (R4) The order saves work: cut before scaling, scale
 * before turning and tone-mapping. `background` fills the matte; null: it is not filled.
 */
export function clipFilters(
  clip: Pick<ClipLayer, 'crop' | 'dest' | 'backdrop' | 'matte' | 'alpha' | 'look' | 'ground'>,
  facts: Pick<PictureFacts, 'visible' | 'orientation' | 'upright' | 'color' | 'interlaced' | 'topFieldFirst' | 'alpha'>,
  shape: FrameShape,
  background: string | null,
  field: SourcePicture['field'] = 'first',
): ClipFilters {
  const { backdrop, dest } = clip;
  const matte = background === null ? null : clip.matte;
  const rect = matte ?? backdrop?.dest ?? dest;
  const alpha = clip.alpha && facts.alpha && clip.matte === null;
  // A picture that is cut along its outline needs an alpha plane, whether or not the source has one.
  const cut = isCutOut(clip) && !alpha ? ADD_ALPHA : [];
  const seen = alpha || isCutOut(clip);
  const { chain: recoded, coded } = toKnownMatrix(shape);
  const place = (part: { readonly crop: Rect; readonly dest: Rect }, blur: Blur | null, label: string) =>
    placed({
      ...part,
      label,
      orientation: facts.orientation,
      visible: facts.visible,
      upright: facts.upright,
      color: facts.color,
      shape: coded,
      alpha,
      blur,
    });

  const late = facts.interlaced;
  const fields = late ? [CONVERT, deinterlace(facts.topFieldFirst === (field === 'first'))] : [];
  const whole = [...recoded, ...fields];
  const own = clip.ground === undefined || clip.ground.blur === 0 ? null : blurOf(dest, clip.ground.blur);
  const scaled = place({ crop: clip.crop, dest }, own, 'picture');
  const spread = own === null ? [] : blurUp(dest, own, scaled.format);
  const picture = [...scaled.chain, ...spread, ...finished(scaled, dest, 'picture')];
  const bars =
    matte === null || background === null || sameRect(matte, backdrop?.dest ?? dest)
      ? []
      : [pad(backdrop?.dest ?? dest, matte, background)];
  const isShareable = !late && !alpha && picture.length > 0;
  const scaledText = `[0]${[...recoded, ...picture].join(',')}[out]`;
  const inSteps = (around: string | null, behind: string | null) =>
    isShareable ? { scaled: scaledText, scaledShape: finalShape(dest), around, behind } : null;
  if (backdrop === null) {
    const around = [...bars, ...cut];
    const chain = [...whole, ...picture, ...around];
    const text = chain.length === 0 ? null : `[0]${chain.join(',')}[out]`;
    const steps = inSteps(around.length === 0 ? null : `[0]${around.join(',')}[out]`, null);
    return { text, steps, rect, late, alpha: seen };
  }
  const blur = blurOf(backdrop.dest, BACKDROP_BLUR);
  const small = place(backdrop, blur, 'backdrop');
  const blurred = [
    ...small.chain,
    ...blurUp(backdrop.dest, blur, small.format),
    ...finished(small, backdrop.dest, 'backdrop'),
  ];
  const front = alpha ? [] : ADD_ALPHA;
  const over = `overlay=${dest.x - backdrop.dest.x}:${dest.y - backdrop.dest.y}:format=yuv420`;
  const joined = `[behind][picture]${[over, ...bars, ...cut].join(',')}[out]`;
  const parts = [
    `[0]${[...whole, 'split'].join(',')}[a][b]`,
    `[a]${blurred.join(',')}[behind]`,
    `[b]${[...picture, ...front].join(',') || 'null'}[picture]`,
    joined,
  ];
  const steps = inSteps(
    null,
    `[0]${[...recoded, ...blurred].join(',')}[behind];[1]${front.join(',')}[picture];${joined}`,
  );
  return { text: parts.join(';'), steps, rect, late, alpha: seen };
}

/** The properties of a clip's scaled picture if it is opaque. */
function finalShape({ width, height }: Rect): FrameShape {
  const [pixelFormat, matrix, range] = [AV_PIX_FMT_YUV420P, AVCOL_SPC_BT709, AVCOL_RANGE_MPEG] as const;
  return { width, height, pixelFormat, matrix, range };
}

/** Whether a clip's corners are cut off. */
export function isCutOut({ look }: Pick<ClipLayer, 'look'>): boolean {
  return look !== null && look.radiusPx > 0;
}

/**
 * Spatial on purpose: the better known deinterlacers use neighbouring frames, which depend on where a range begins and
 * on speed. This one uses only the frame itself. (R4)
 */
function deinterlace(topField: boolean): string {
  // It keeps the field that it takes for the first.
  return `estdif=mode=frame:parity=${topField ? 'tff' : 'bff'}:deint=all`;
}

interface Part {
  readonly crop: Rect;
  readonly dest: Rect;
  readonly orientation: Orientation;
  readonly visible: Rect;
  readonly upright: PictureFacts['upright'];
  readonly color: PictureFacts['color'];
  readonly shape: FrameShape;
  readonly alpha: boolean;
  /** Scales to the size at which it is blurred; null: to the size at which it is shown. */
  readonly blur: Blur | null;
  /** Makes the names of this part in the graph unique. */
  readonly label: string;
}

/** A picture in the middle of a chain: with alpha its colours may still be premultiplied, in 4:4:4. */
interface Placed {
  readonly chain: readonly string[];
  readonly format: 'yuv420p' | 'yuva420p' | 'yuva444p';
}

/** Cuts, scales, turns and recolours; empty if the picture needs no change. */
function placed({ crop, dest, orientation, visible, upright, color, shape, alpha, blur, label }: Part): Placed {
  const cut = storedCrop(crop, upright, visible, orientation);
  const turned = orientation.quarterTurns % 2 === 1;
  const size = blur ?? dest;
  const [width, height] = turned ? [size.height, size.width] : [size.width, size.height];
  const chain = cutTo(cut, shape);
  const sameSize = cut.width === width && cut.height === height;

  const turns = turn(orientation);
  if (sameSize && isFinal(shape, color, alpha)) {
    return { chain: [...chain, ...turns], format: alpha ? 'yuva420p' : 'yuv420p' };
  }
  const resize = `scale=${width}:${height}:flags=${blur === null ? 'bicubic' : 'area'}+${EXACT}`;
  if (!alpha) {
    const picture = { coded: shape, color, resize, size: { width, height } };
    return { chain: [...chain, ...toBt709(picture, 'yuv420p'), ...turns], format: 'yuv420p' };
  }
  const premultiplied = [
    ...seeThrough({ coded: shape, color, resize: `scale=flags=${EXACT}`, size: cut }, label),
    PREMULTIPLY,
  ];
  const scaled = sameSize ? [] : [resize, 'format=yuva444p'];
  return { chain: [...chain, ...premultiplied, ...scaled, ...turns], format: 'yuva444p' };
}

/** The remaining filters once a picture has its size. */
function finished({ format }: Placed, size: Rect, label: string): string[] {
  return format === 'yuva444p' ? [weightedChroma(size, true, label)] : [];
}

/** Formats whose chroma `crop` misses at odd columns: it counts in bytes, and each sample or pair has two. */
const ODD_CHROMA = /^(yuva?4(20|22)p[0-9]|nv|p[0-4]1|y21)/;
/** Those in which a column is a column. */
const EVERY_COLUMN = ['', '10le', '12le', '16le'].flatMap((depth) => [`yuv444p${depth}`, `yuva444p${depth}`]);

/** The filters that cut a part out of a stored picture; none for the whole picture. */
export function cutTo({ x, y, width, height }: Rect, { pixelFormat, ...whole }: FrameShape): string[] {
  if (width === whole.width && height === whole.height) return [];
  const name = avGetPixFmtName(pixelFormat) ?? '';
  if (x % 2 === 0 || !ODD_CHROMA.test(name)) return [CONVERT, `crop=${width}:${height}:${x}:${y}:exact=1`];
  return [
    ...[CONVERT, `crop=${width + 1}:${height}:${x - 1}:${y}:exact=1`],
    ...[CONVERT, `format=${EVERY_COLUMN.join('|')}`, `crop=${width}:${height}:1:0:exact=1`],
  ];
}

/** BT.709 in 4:4:4 with alpha. */
function seeThrough(picture: Converted, label: string): string[] {
  if (!isHdr(picture.color) && !isWideGamut(picture.color)) return toBt709(picture, 'yuva444p');
  // Filters that convert more than a matrix do not support alpha: it bypasses them. It is merged in BT.709 at the end,
  // and merged planes must have one matrix.
  const parts = [
    `split[${label}c][${label}a]`,
    `[${label}a]${CONVERT},format=yuva444p,setparams=colorspace=bt709,alphaextract[${label}alpha]`,
    `[${label}c]${toBt709(picture, 'yuva444p').join(',')}[${label}color]`,
    `[${label}color][${label}alpha]alphamerge`,
  ];
  return [parts.join(';')];
}

/** Whether pixels already have the format of the encoder, or of the blending. */
function isFinal({ pixelFormat, matrix, range }: FrameShape, color: PictureFacts['color'], alpha: boolean): boolean {
  const wanted = alpha ? AV_PIX_FMT_YUVA420P : AV_PIX_FMT_YUV420P;
  if (isHdr(color) || isWideGamut(color)) return false;
  return pixelFormat === wanted && matrix === AVCOL_SPC_BT709 && range === AVCOL_RANGE_MPEG;
}

/** The filters that make a stored picture upright. */
export function turn({ quarterTurns, mirrored }: Orientation): string[] {
  if (quarterTurns === 1) return [`transpose=${mirrored ? 'clock_flip' : 'clock'}`];
  if (quarterTurns === 3) return [`transpose=${mirrored ? 'cclock_flip' : 'cclock'}`];
  if (quarterTurns === 2) return mirrored ? ['vflip'] : ['hflip', 'vflip'];
  return mirrored ? ['hflip'] : [];
}

function blurUp(dest: Rect, { sigma }: Blur, format: Placed['format']): string[] {
  const up = `scale=${dest.width}:${dest.height}:flags=bilinear+${EXACT}`;
  return [`gblur=sigma=${sigma.toFixed(2)}:steps=2`, up, `format=${format}`];
}

function pad(inner: Rect, outer: Rect, color: string): string {
  return `pad=${outer.width}:${outer.height}:${inner.x - outer.x}:${inner.y - outer.y}:color=${color}`;
}

function sameRect(a: Rect, b: Rect): boolean {
  return a.x === b.x && a.y === b.y && a.width === b.width && a.height === b.height;
}

/**
 * From 4:4:4 with alpha to yuva420p, as the continuation of a chain of filters.
 *
 * A chroma sample covers four pixels: each is weighted by its alpha, or invisible colours (mostly black) would bleed
 * into the edges. Alpha is averaged in the same way when layers are blended.
 *
 * @param premultiplied whether the colours are already multiplied by their alpha.
 * @param label makes the names of this part in the graph unique.
 */
function weightedChroma({ width, height }: PixelSize, premultiplied: boolean, label: string): string {
  const half = `scale=${Math.ceil(width / 2)}:${Math.ceil(height / 2)}:flags=area+accurate_rnd+bitexact,format=yuva444p,${SQUARE}`;
  const [toStraight, toPremultiplied] = premultiplied ? [UNPREMULTIPLY, 'null'] : ['null', PREMULTIPLY];
  return [
    `${SQUARE},split[${label}0][${label}1]`,
    `[${label}0]${toStraight}[${label}2]`,
    `[${label}1]${toPremultiplied},${half},${UNPREMULTIPLY}[${label}3]`,
    `[${label}2][${label}3]${JOIN}`,
  ].join(';');
}

const PREMULTIPLY = 'premultiply=inplace=1';
/** Planes are merged only if their pixel aspect ratios are equal, which manual scaling may change. */
const SQUARE = 'setsar=1';
const UNPREMULTIPLY = 'unpremultiply=inplace=1';
/** Luma and alpha of the first input, chroma of the second. */
const JOIN = 'mergeplanes=map0s=0:map0p=0:map1s=1:map1p=1:map2s=1:map2p=2:map3s=0:map3p=3:format=yuva420p';
