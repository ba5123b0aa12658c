import { z } from 'zod';

const seconds = z.number().nonnegative();
const text = z.string().max(10_000);
const word = z.strictObject({ text, start: seconds, end: seconds, confidence: z.number().min(0).max(1) });

/** The only transcript that is believed of a child. (C77) */
export const TRANSCRIPT = z.strictObject({
  duration: seconds,
  segments: z.array(z.strictObject({ text, start: seconds, end: seconds, words: z.array(word) })),
});

export type BelievedTranscript = z.infer<typeof TRANSCRIPT>;
