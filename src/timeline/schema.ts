import type * as z from 'zod';
import type { TimelineLimits } from './limits.ts';
import { settingsSchema } from './settings-schema.ts';
import { tierListSchemas } from './tier-list-schemas.ts';
import { timelineSchemas } from './timeline-schemas.ts';

/**
 * The three documents of a request, field by field: the single source of the types, the checks and the OpenAPI schemas.
 *
 * zod 4, because its schemas infer the types and print as JSON Schema 2020-12, the dialect of OpenAPI 3.1. Its messages
 * are not used: the error text of each leaf is the allowed value ("a number from 0.1 to 10"), and check-schema.ts makes
 * the sentence and the JSON Pointer around it.
 */
export function requestSchemas(limits: TimelineLimits): RequestSchemas {
  let schemas = made.get(limits);
  if (schemas === undefined) {
    schemas = makeSchemas(limits);
    made.set(limits, schemas);
  }
  return schemas;
}

/** Making them takes longer than checking most requests. */
const made = new WeakMap<TimelineLimits, RequestSchemas>();

function makeSchemas(limits: TimelineLimits) {
  return { ...timelineSchemas(limits), ...tierListSchemas(limits), settings: settingsSchema(limits) };
}

/** The schemas, by lane. */
export type RequestSchemas = ReturnType<typeof makeSchemas>;
export type RawAuto = z.infer<RequestSchemas['auto']>;
export type RawVideo = z.infer<RequestSchemas['video']>;
export type RawAudio = z.infer<RequestSchemas['audio']>;
export type RawSoundtrack = z.infer<RequestSchemas['soundtrack']>;
export type RawBlock = z.infer<RequestSchemas['block']>;
export type RawTile = z.infer<RequestSchemas['tile']>;
export type RawSubtitle = z.infer<RequestSchemas['subtitle']>;
export type RawSubtitleFile = z.infer<RequestSchemas['subtitleFile']>;
export type RawRow = z.infer<RequestSchemas['row']>;
export type RawItem = z.infer<RequestSchemas['item']>;
export type RawSettings = z.infer<RequestSchemas['settings']>;
