import { chunkShare, h264Level } from '../../iso/h264/level-buffer.ts';
import { type Material, materialOf } from '../../plan/frame/frame-runs.ts';
import type { RenderPlan } from '../../plan/model/render-plan.ts';
import type { Frames, Range } from '../../time.ts';
import type { EncoderChoice } from '../export/device-messages.ts';

/** In this order: the first whose test card is right is used. A constant quality makes smaller files than a rate. */
export const ENCODER_CHOICES: readonly EncoderChoice[] = (['prefer-hardware', 'prefer-software'] as const).flatMap(
  (hardwareAcceleration) =>
    (['quantizer', 'variable'] as const).map((bitrateMode) => ({ hardwareAcceleration, bitrateMode })),
);

/** What a pixel of an encoded frame takes in the usual quality, in bits; a chunk that needs more gets it. */
const BITS_PER_PIXEL: Readonly<Record<Material, number>> = { drawn: 0.2, moved: 0.2, filmed: 0.15 };
/** The constant quality of x264 that these bits correspond to; six less doubles the bits. */
const USUAL_CRF = 21;
/** The quantizer of encoders without x264's choices that looks like that quality. */
const USUAL_QUANTIZER = 24;
const MAX_QUANTIZER = 51;

/** How much an encoder may spend on a chunk: by a rate, or by a constant quantizer, as its choice says. */
export interface Effort {
  readonly bitsPerPixel: number;
  readonly quantizer: number;
}

/** The first effort for these frames. */
export function usualEffort(plan: Pick<RenderPlan, 'encoder' | 'spans' | 'clips'>, range: Range<Frames>): Effort {
  const steps = USUAL_CRF - plan.encoder.crf;
  return withSteps({ bitsPerPixel: BITS_PER_PIXEL[materialOf(plan, range)], quantizer: USUAL_QUANTIZER }, steps);
}

/** Six steps more are twice the bits. */
export function withSteps({ bitsPerPixel, quantizer }: Effort, steps: number): Effort {
  return {
    bitsPerPixel: bitsPerPixel * 2 ** (steps / 6),
    quantizer: Math.min(MAX_QUANTIZER, Math.max(0, Math.round(quantizer - steps))),
  };
}

/** The bits a second of an effort, as far as the level allows them. (R24) */
export function bitrateOf(
  { canvas: { width, height }, rate }: Pick<RenderPlan, 'canvas' | 'rate'>,
  { bitsPerPixel }: Effort,
): number {
  const wanted = (width * height * rate.num * bitsPerPixel) / rate.den;
  return Math.min(Math.round(wanted), 1000 * chunkShare({ width, height }, rate).kbps);
}

/** The level that videos of this size declare, as their parameter sets have it: 31 is 3.1. */
export function levelOf({ canvas, rate }: Pick<RenderPlan, 'canvas' | 'rate'>): number {
  return Math.round(Number(h264Level(canvas, rate)) * 10);
}

/** How to encode a video of this size with an effort. */
export function encoderConfig(
  plan: Pick<RenderPlan, 'canvas' | 'rate'>,
  { hardwareAcceleration, bitrateMode }: EncoderChoice,
  effort: Effort,
): VideoEncoderConfig {
  const { width, height } = plan.canvas;
  const framerate = plan.rate.num / plan.rate.den;
  return {
    codec: `avc1.6400${levelOf(plan).toString(16).padStart(2, '0')}`,
    ...{ width, height, framerate, bitrateMode, hardwareAcceleration },
    ...(bitrateMode === 'variable' && { bitrate: bitrateOf(plan, effort) }),
    latencyMode: 'quality',
    avc: { format: 'annexb' },
  };
}
