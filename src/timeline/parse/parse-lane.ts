import type * as z from 'zod/mini';
import { pointer } from '../json/json-pointer.ts';
import { shownText, shownValue } from '../json/shown-value.ts';
import { LANES, type LaneEntry, type LaneName } from '../lanes.ts';
import { checkObject } from './check-schema.ts';
import type { ParseContext } from './parse-context.ts';

/** A lane as it was sent. `single`: it is one entry rather than a list of them. (C20) */
export interface SentLane {
  readonly value: unknown;
  readonly path: string;
  readonly single?: boolean;
}

/** An entry that passed its schema, as sent and as typed. */
export interface CheckedEntry<T> {
  readonly path: string;
  readonly id: string;
  readonly sent: unknown;
  readonly value: T;
}

/** Checks a lane of the timeline by its schema. */
export function parseEntries<L extends LaneName>(
  name: L,
  lane: SentLane,
  context: Pick<ParseContext, 'schemas' | 'limits' | 'media' | 'known' | 'issues'>,
): CheckedEntry<LaneEntry<L>>[] {
  const schema: z.core.$ZodObject = context.schemas[LANES[name].schema];
  const max = context.limits.maxEntriesPerLane;
  return parseLane(schema, { name, max, ...lane }, context) as CheckedEntry<LaneEntry<L>>[];
}

/**
 * Checks a list entry by entry, so that one invalid entry does not hide the errors of the others. An absent id becomes
 * the entry's place (`videos/3`), a repeated id is an error. A sent id that looks like a place is valid. (C5, C14)
 */
export function parseLane<S extends z.core.$ZodObject>(
  schema: S,
  lane: SentLane & { readonly name: string; readonly max: number },
  { media, known, issues }: Pick<ParseContext, 'media' | 'known' | 'issues'>,
): CheckedEntry<z.infer<S>>[] {
  const { name, path, max, single = false } = lane;
  const value = single ? [lane.value] : lane.value;
  if (value === undefined) return [];
  if (!Array.isArray(value)) {
    issues.error(path, 'field.type', `${name} must be a list, not ${shownValue(value)}.`);
    return [];
  }
  if (value.length > max) {
    issues.error(path, 'timeline.too_many_entries', `${name} must have at most ${max} entries, not ${value.length}.`);
    return [];
  }
  const firstWithId = new Map<string, string>();
  const entries: CheckedEntry<z.infer<S>>[] = [];
  for (const [index, sent] of value.entries()) {
    const entryPath = single ? path : pointer(path, index);
    const shaped = media.publicShape(sent, entryPath);
    if (shaped === undefined) continue;
    const check = () => checkObject(schema, shaped, entryPath, issues);
    const checked = known === null ? check() : known.checked(schema, shaped, check, issues);
    if (checked === undefined) continue;
    const sentId: unknown = checked.id;
    if (typeof sentId !== 'string') {
      entries.push({ path: entryPath, id: `${name}/${index}`, sent, value: checked });
      continue;
    }
    const earlier = firstWithId.get(sentId);
    if (earlier !== undefined) {
      const message = `The id ${shownText(sentId)} is already used by ${earlier}; ids are unique in a lane.`;
      issues.error(pointer(entryPath, 'id'), 'id.duplicate', message);
      continue;
    }
    firstWithId.set(sentId, entryPath);
    entries.push({ path: entryPath, id: sentId, sent, value: checked });
  }
  return entries;
}
