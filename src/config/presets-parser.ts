import { z } from 'zod';
import { DEFAULT_PRESETS, type Presets } from '../timeline/presets.ts';
import type { ValueParser } from './value-parsers.ts';

const ALLOWED =
  'a JSON list of exactly three {"name", "width", "height", "aliases"}: names and aliases of letters, digits, "_" and ' +
  '"-", all different; even sides from 64 to 3840';

const name = z.string().regex(/^[A-Za-z0-9_-]{1,64}$/);
const side = z.number().int().min(64).max(3840).multipleOf(2);
const preset = z.strictObject({ name, width: side, height: side, aliases: z.array(name).default([]) });

/**
 * The three presets as JSON. Their names are part of addresses, so only characters without escaping are allowed. (C11)
 */
export const presets: ValueParser<Presets> = (given) => {
  let json: unknown;
  try {
    json = JSON.parse(given);
  } catch {
    return { allowed: ALLOWED };
  }
  const checked = z.tuple([preset, preset, preset]).safeParse(json);
  if (!checked.success) return { allowed: ALLOWED };
  const names = checked.data.flatMap(({ name: own, aliases }) => [own, ...aliases]);
  return new Set(names).size === names.length ? { value: checked.data } : { allowed: ALLOWED };
};

/** The default, in the form that the parser reads. */
export const DEFAULT_PRESETS_JSON = JSON.stringify(DEFAULT_PRESETS);
