import { ADTS_FRAMES, type AudioFrameSyntax, framesInARow, MP3_FRAMES } from '../audio-frames.ts';
import { id3Length } from '../sniff-media.ts';
import type { PartScanner } from './part-scanner.ts';

/** ADTS: a part begins where frames are of another kind. Frames of one kind are one stream: HLS segments are joined that way. */
export function adtsParts(): PartScanner {
  return frameParts(ADTS_FRAMES, () => false);
}

/** MP3: a part begins with frames of another kind, or with the frame in which an encoder describes its output. */
export function mp3Parts(): PartScanner {
  return frameParts(MP3_FRAMES, isEncoderInfo);
}

/** Frame by frame; tags in front of a part belong to it. */
function frameParts(frames: AudioFrameSyntax, begins: (bytes: Buffer, at: number) => boolean): PartScanner {
  let kind: number | null = null;
  /** Where the next frame begins if this goes on. */
  let due = -1;
  /** The first tag since the last frame. */
  let tag: number | null = null;
  return {
    step(bytes, at, position) {
      const tagLength = id3Length(bytes.subarray(at, at + 10));
      if (tagLength > 0) {
        tag ??= position;
        return { length: tagLength };
      }
      const length = frames.lengthAt(bytes, at);
      if (length === null) return null;
      const found = frames.kindAt(bytes, at);
      if ((found !== kind || position !== due) && !framesInARow(frames, bytes, at)) return null;
      const isPart = kind === null || found !== kind || begins(bytes, at);
      const part = tag ?? position;
      kind = found;
      due = position + length;
      tag = null;
      return isPart ? { length, part } : { length };
    },
    next: nextFrameOrTag,
  };
}

/**
 * The next byte with which a frame or a tag may begin. One pass: two searches would each look far beyond the other's
 * result.
 */
function nextFrameOrTag(bytes: Buffer, at: number): number {
  let place = at + 1;
  while (place < bytes.length && bytes[place] !== FRAME_BYTE && bytes[place] !== TAG_BYTE) place += 1;
  return place;
}

/** The first of each frame, and the `I` of `ID3`. */
const [FRAME_BYTE, TAG_BYTE] = [0xff, 0x49];

/** The frame that LAME and others write first: `Xing`, `Info` or `VBRI`, after the side information. */
function isEncoderInfo(bytes: Buffer, at: number): boolean {
  const isFirstVersion = (bytes[at + 1]! & 0x08) !== 0;
  const isMono = bytes[at + 3]! >> 6 === 3;
  const side = isFirstVersion ? (isMono ? 17 : 32) : isMono ? 9 : 17;
  const word = (from: number) => bytes.toString('latin1', at + from, at + from + 4);
  return word(4 + side) === 'Xing' || word(4 + side) === 'Info' || word(36) === 'VBRI';
}
