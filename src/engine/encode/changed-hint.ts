import { AV_FRAME_DATA_VIDEO_HINT, AV_VIDEO_HINT_TYPE_CHANGED } from 'node-av/constants';
import type { Frame } from 'node-av/lib';
import type { Rect } from '../../plan/rect.ts';

/** `AVVideoHint` and `AVVideoRect` in memory with 64-bit addresses, as on every platform of node-av. */
const HINT_BYTES = 32;
const RECT_BYTES = 16;

/**
 * Hints to the encoder that a frame equals the one before it outside of these parts, so that it need not compare them.
 * The hint belongs to this reference to the frame, not to the frame.
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
