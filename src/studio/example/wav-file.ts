import type { Stereo } from '../../../examples/making/stereo.ts';
import { SAMPLE_RATE } from '../../time.ts';

/** Encodes a sound as a WAV file: 16 bits, two channels. */
export function wavFile({ left, right }: Stereo): Blob {
  const view = new DataView(new ArrayBuffer(44 + left.length * 4));
  const text = (at: number, word: string) => {
    for (let i = 0; i < word.length; i += 1) view.setUint8(at + i, word.charCodeAt(i));
  };
  text(0, 'RIFF');
  view.setUint32(4, view.byteLength - 8, true);
  text(8, 'WAVEfmt ');
  view.setUint32(16, 16, true);
  view.setUint16(20, 1, true); // PCM
  view.setUint16(22, 2, true);
  view.setUint32(24, SAMPLE_RATE, true);
  view.setUint32(28, SAMPLE_RATE * 4, true);
  view.setUint16(32, 4, true);
  view.setUint16(34, 16, true);
  text(36, 'data');
  view.setUint32(40, left.length * 4, true);
  for (let n = 0; n < left.length; n += 1) {
    view.setInt16(44 + n * 4, sixteenBits(left[n]!), true);
    view.setInt16(46 + n * 4, sixteenBits(right[n]!), true);
  }
  return new Blob([view.buffer], { type: 'audio/wav' });
}

function sixteenBits(value: number): number {
  return Math.round(Math.min(1, Math.max(-1, value)) * 32_767);
}
