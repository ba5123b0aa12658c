import type { CueReading } from './cue.ts';
import { readSrt } from './read-srt.ts';
import { isVtt, readVtt } from './read-vtt.ts';

/** Reads the text of a subtitle file: SRT or WebVTT, by its content. (C43) */
export function readSubtitleFile(text: string): CueReading {
  const lines = text.replace(/^\ufeff/, '').split(/\r\n|\n|\r/);
  return isVtt(lines[0]!) ? readVtt(lines) : readSrt(lines);
}

/**
 * Decodes the bytes of a subtitle file: UTF-8, or UTF-16 by its byte order mark; null if they are neither. UTF-16
 * without a mark is recognised by its zeros: every subtitle file begins with ASCII, in any language.
 */
export function decodeSubtitleFile(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder(encodingOf(bytes), { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}

function encodingOf([first, second]: Uint8Array): 'utf-8' | 'utf-16le' | 'utf-16be' {
  if ((first === 0xff && second === 0xfe) || (first !== 0 && second === 0)) return 'utf-16le';
  if ((first === 0xfe && second === 0xff) || (first === 0 && second !== 0)) return 'utf-16be';
  return 'utf-8';
}
