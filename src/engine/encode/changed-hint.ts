import { AV_FRAME_DATA_VIDEO_HINT, AV_VIDEO_HINT_TYPE_CHANGED } from 'node-av/constants';
import type { Frame } from 'node-av/lib';
import type { Rect } from '../../plan/render-plan.ts';

/** `AVVideoHint` and `AVVideoRect` as they lie in memory where addresses have 64 bits, which they have wherever node-av runs. */
const HINT_BYTES = 32;
const RECT_BYTES = 16;

/**
 * Tells an encoder that is open to it that outside of these parts a frame is the picture before: what is known to be the same it
 * need not compare. The hint belongs to this reference to the frame, not to the frame.
 */
export function hintChanged(frame: Frame, parts: readonly Rect[]): void {
  const hint = frame.newSideData(AV_FRAME_DATA_VIDEO_HINT, HINT_BYTES + RECT_BYTES * parts.length);
  hint.fill(0);
  hint.writeUInt32LE(parts.length, 0);
  hint.writeUInt32LE(HINT_BYTES, 8);
  hint.writeUInt32LE(RECT_BYTES, 16);
  hint.writeUInt32LE(AV_VIDEO_HINT_TYPE_CHANGED, 24);
  for (const [index, { x, y, width, height }] of parts.entries()) {
    for (const [field, value] of [x, y, width, height].entries()) {
      hint.writeUInt32LE(value, HINT_BYTES + RECT_BYTES * index + 4 * field);
    }
  }
}
