import { createHash, randomUUID } from 'node:crypto';
import { Uploads } from '../../../src/exports/uploads.ts';
import type { Service } from '../serve.ts';

/** What a recogniser would have heard. */
export const TRANSCRIPT = {
  duration: 6.2,
  segments: [
    {
      start: 0.32,
      end: 0.98,
      text: 'Straight <up>.',
      words: [
        { text: 'Straight', start: 0.32, end: 0.7, confidence: 0.98 },
        { text: '<up>.', start: 0.74, end: 0.98, confidence: 0.4 },
      ],
    },
  ],
};

/** Has captions of a tenant recorded, with this result or unfinished; the model is left out. */
export async function addCaptions(
  { exports }: Service,
  tenant: string,
  end: 'completed' | 'failed' | null = 'completed',
  transcript: object = TRANSCRIPT,
) {
  const { ports } = exports.fixture;
  const { database, captions, media } = ports;
  const id = randomUUID();
  const nowMs = Date.now();
  await captions.insert({ id, tenant, key: id, language: 'en', model: 'm', source: '{}', media: [] }, nowMs, database);
  // Without a job, the service's own worker does not take it.
  await captions.begin(id, database);
  if (end === 'failed') {
    const error = { kind: 'invalid', code: 'captions.no_sound', message: 'Silence.', issues: [] } as const;
    await captions.end(id, { error }, nowMs, database);
  } else if (end === 'completed') {
    const bytes = Buffer.from(JSON.stringify(transcript));
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    await new Uploads(ports).addBytes(sha256, bytes, new AbortController().signal);
    await media.keep({ tenant, sha256, bytes: bytes.length }, nowMs, database);
    await captions.end(id, { result: sha256 }, nowMs, database);
  }
  return id;
}
