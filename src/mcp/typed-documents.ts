import { documentJsonSchemas } from '../timeline/document-json-schemas.ts';
import type { TimelineLimits } from '../timeline/limits.ts';
import type { Presets } from '../timeline/presets.ts';
import type { JsonSchema } from './check-arguments.ts';

/** What the schemas of the documents depend on. */
export interface Deployment {
  readonly limits: TimelineLimits;
  readonly presets: Presets;
  readonly version: string;
}

/** Schemas of older clients, which no agent should use. */
const OLDER = /^(Legacy|MediaManifest)/;

/** The documents as arguments of a tool, with the schemas that they refer to. (C82) */
interface TypedDocuments {
  readonly properties: Readonly<Record<'tier_list' | 'timeline_data' | 'settings', JsonSchema>>;
  readonly $defs: Readonly<Record<string, unknown>>;
}

/**
 * The documents twice: with a description of every field for the tool that checks them, and without for the others. A
 * program reads the list of tools whenever it starts, and descriptions are more than half of it.
 */
export function typedDocuments(deployment: Deployment): Readonly<Record<'described' | 'plain', TypedDocuments>> {
  const reference = (name: string) => ({ $ref: `#/$defs/${name}` });
  const schemas = Object.entries(documentJsonSchemas(deployment, reference)).filter(([name]) => !OLDER.test(name));
  const $defs = Object.fromEntries(schemas);
  const properties = {
    tier_list: { ...reference('TierList'), description: 'What is ranked: title, rows, items.' },
    timeline_data: { ...reference('TimelineData'), description: 'The timeline. {"auto": {}} generates it.' },
    settings: { ...reference('Settings'), description: 'How it is rendered: preset, fps, quality, theme …' },
  };
  return { described: { properties, $defs }, plain: { properties, $defs: undescribed($defs) as typeof $defs } };
}

function undescribed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(undescribed);
  if (typeof schema !== 'object' || schema === null) return schema;
  const kept = Object.entries(schema).filter(([name, value]) => name !== 'description' || typeof value !== 'string');
  return Object.fromEntries(kept.map(([name, value]) => [name, undescribed(value)]));
}
