import {
  AVALPHA_MODE_UNSPECIFIED,
  AVCHROMA_LOC_LEFT,
  AVCOL_PRI_BT709,
  AVCOL_RANGE_MPEG,
  AVCOL_SPC_BT709,
  AVCOL_TRC_BT709,
} from 'node-av/constants';
import { type Frame, Rational } from 'node-av/lib';

/** One object for all frames: it is never written to. */
const SQUARE = new Rational(1, 1);

/**
 * Tags a frame with the properties of everything after the clips' own filters: BT.709, limited range, square pixels.
 * (R7)
 */
export function tagBt709(frame: Frame): void {
  frame.colorSpace = AVCOL_SPC_BT709;
  frame.colorRange = AVCOL_RANGE_MPEG;
  frame.colorPrimaries = AVCOL_PRI_BT709;
  frame.colorTrc = AVCOL_TRC_BT709;
  frame.chromaLocation = AVCHROMA_LOC_LEFT;
  frame.sampleAspectRatio = SQUARE;
  frame.alphaMode = AVALPHA_MODE_UNSPECIFIED;
}
