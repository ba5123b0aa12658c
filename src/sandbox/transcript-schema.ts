import { readFile, stat } from 'node:fs/promises';
import { z } from 'zod';
import type { Seconds } from '../time.ts';

const seconds = z.number().nonnegative();
const timed = { start: seconds, end: seconds };
const word = z.strictObject({
  text: z.string().max(200),
  ...timed,
  confidence: z.number().min(0).max(1),
});
/** Two rows at the most, unless words are longer than rows. */
const segment = z.strictObject({ text: z.string().max(500), ...timed, words: z.array(word).max(250) });

/** The only transcript that is believed of a child. (C77) */
const TRANSCRIPT = z.strictObject({
  duration: seconds,
  // More than one a second, for a day.
  segments: z.array(segment).max(100_000),
  voice: seconds.optional(),
});

export type CheckedTranscript = z.infer<typeof TRANSCRIPT>;

/** Ten words a second, with their times; the base is for short sound in which a model finds too many words. */
const BASE_BYTES = 64 * 2 ** 10;
const BYTES_PER_SECOND = 2 ** 11;

/** Reads the file of a child; null if it is not a transcript of a sound of this length. */
export async function readTranscript(path: string, duration: Seconds): Promise<CheckedTranscript | null> {
  if ((await stat(path)).size > BASE_BYTES + BYTES_PER_SECOND * duration) return null;
  try {
    return TRANSCRIPT.parse(JSON.parse(await readFile(path, 'utf8')));
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof z.ZodError) return null;
    throw error;
  }
}
