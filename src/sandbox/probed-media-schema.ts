import { z } from 'zod';
import { MEDIA_CONTAINERS } from '../engine/input/media-containers.ts';
import type { PictureFacts } from '../engine/picture/picture-facts.ts';
import type { ProbedMedia } from '../engine/probe/probed-media.ts';
import { MEDIA_KINDS } from '../plan/model/media-facts.ts';

const side = z.int().nonnegative().max(1_000_000);
const seconds = z.number();
const name = z
  .string()
  .max(64)
  .regex(/^[\w .,()+:-]*$/);
const ratio = z.strictObject({ num: z.int().positive(), den: z.int().positive() });
const size = z.strictObject({ width: side, height: side });
const kind = z.enum(MEDIA_KINDS);

/** A number of libav, such as a pixel format. Only libav interprets it. */
function libavNumber<T extends number>(): z.ZodType<T> {
  return z.int() as z.ZodType<unknown> as z.ZodType<T>;
}

const picture: z.ZodType<PictureFacts> = z.strictObject({
  width: side,
  height: side,
  pixelFormat: libavNumber<PictureFacts['pixelFormat']>(),
  pixelFormatName: name,
  orientation: z.strictObject({
    quarterTurns: z.union([z.literal(0), z.literal(1), z.literal(2), z.literal(3)]),
    mirrored: z.boolean(),
  }),
  visible: size.extend({ x: side, y: side }),
  sampleAspect: ratio,
  upright: size,
  color: z.strictObject({
    matrix: libavNumber<PictureFacts['color']['matrix']>(),
    range: libavNumber<PictureFacts['color']['range']>(),
    transfer: libavNumber<PictureFacts['color']['transfer']>(),
    primaries: libavNumber<PictureFacts['color']['primaries']>(),
  }),
  interlaced: z.boolean(),
  topFieldFirst: z.boolean(),
  alpha: z.boolean(),
  timeBase: ratio,
});

/** The schema of a valid probe result. Its numbers may still be wrong. */
export const PROBED_MEDIA: z.ZodType<ProbedMedia> = z.strictObject({
  container: z.enum(MEDIA_CONTAINERS),
  kind,
  duration: seconds.nonnegative(),
  video: z
    .strictObject({
      codec: name,
      picture,
      rate: ratio.nullable(),
      variableRate: z.boolean(),
      frames: z.int().nonnegative().nullable(),
      start: seconds,
      end: seconds,
    })
    .nullable(),
  audio: z
    .strictObject({
      codec: name,
      sampleRate: z.int().positive(),
      channels: z.int().positive(),
      layout: name,
      start: seconds,
      end: seconds,
    })
    .nullable(),
  coverArt: z.boolean(),
  problem: z.enum(['media.no_frames', 'media.truncated']).nullable(),
  facts: z.strictObject({
    kind,
    duration: seconds.nonnegative(),
    width: side,
    height: side,
    alpha: z.boolean(),
    sound: z.boolean(),
    truncated: z.boolean().optional(),
  }),
});
