import { z } from 'zod';
import { ExportError } from '../errors.ts';
import { MEDIA_KINDS, type MediaFactsByField } from '../plan/model/media-facts.ts';
import type { JsonLimits } from '../timeline/json/json-text.ts';
import { readJsonFile } from './project-file.ts';

const facts = z.strictObject({
  hash: z.string().regex(/^[0-9a-f]{64}$/),
  kind: z.enum(MEDIA_KINDS),
  duration: z.number().min(0),
  width: z.number().int().min(0),
  height: z.number().int().min(0),
  alpha: z.boolean(),
  sound: z.boolean(),
});

/** Reads media facts from a JSON object by `file_field`, to plan without the media. */
export async function readFactsFile(file: string, limits: JsonLimits): Promise<MediaFactsByField> {
  const checked = z.record(z.string(), facts).safeParse(await readJsonFile(file, limits));
  if (checked.success) return new Map(Object.entries(checked.data));
  const first = checked.error.issues[0];
  const path = first === undefined ? '' : `/${first.path.join('/')}`;
  const message = `The facts at ${path} must be { hash, kind, duration, width, height, alpha, sound }.`;
  throw new ExportError('invalid', 'project.facts', message, { path });
}
