import { z } from 'zod';

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
export const TRANSCRIPT = z.strictObject({
  duration: seconds,
  // More than one a second, for a day.
  segments: z.array(segment).max(100_000),
});

export type BelievedTranscript = z.infer<typeof TRANSCRIPT>;
