import { ExportError } from '../errors.ts';
import { type Frames, frameShownAt, frames, type Seconds, secondsOf } from '../time.ts';
import type { WantedFrame } from '../timeline/wanted-fields.ts';
import type { Sha256 } from './keys/digest.ts';
import type { RenderPlan } from './model/render-plan.ts';

/** The parts of one frame of a video. */
export interface FramePlan {
  readonly frame: Frames;
  /** The plan with only the span that holds the frame, and without sound, chunks and chapters. */
  readonly plan: RenderPlan;
  /** Equal for all frames whose pictures are painted from the same data. */
  readonly planName: string;
}

/** @throws `frame.outside` with the valid range. */
export function framePlan(plan: RenderPlan, { place }: Pick<WantedFrame, 'place'>, sha256: Sha256): FramePlan {
  const frame = frameOf(plan, place);
  const { spans, clips, chunks, chapters, audio, warnings, totalFrames, ...painted } = plan;
  const rest = { totalFrames, clips, chunks: [], chapters: [], audio: { ...audio, clips: [] }, warnings };
  const held = spans.filter(({ start, end }) => start <= frame && frame < end);
  return { frame, plan: { ...painted, ...rest, spans: held }, planName: sha256(JSON.stringify(painted)) };
}

function frameOf(plan: RenderPlan, place: WantedFrame['place']): Frames {
  if ('at' in place) return frameAtTime(plan, place.at, { name: 'at', path: '/at' });
  const { totalFrames } = plan;
  if (place.frame < totalFrames) return frames(place.frame);
  const message = `The video has frames 0 to ${totalFrames - 1}; there is no frame ${place.frame}.`;
  throw new ExportError('invalid', 'frame.outside', message, { path: '/frame' });
}

/**
 * The frame on screen at a time. The video's very end still shows its last frame, because users mean that by its last
 * second.
 *
 * @param said the name of the time in the request, and its path.
 * @throws `frame.outside` with the valid range.
 */
export function frameAtTime(
  { totalFrames, rate }: Pick<RenderPlan, 'totalFrames' | 'rate'>,
  at: Seconds,
  { name, path }: { readonly name: string; readonly path?: string },
): Frames {
  const shown = frameShownAt(at, rate);
  if (shown < totalFrames) return shown;
  if (shown === totalFrames) return frames(totalFrames - 1);
  const seconds = Number(secondsOf(totalFrames, rate).toFixed(6));
  const message = `The video lasts ${seconds} s; ${name} must be from 0 to that, not ${at}.`;
  throw new ExportError('invalid', 'frame.outside', message, path === undefined ? {} : { path });
}
