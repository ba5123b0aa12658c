import type { HttpConfig } from '../../server/http-config.ts';
import type { JsonSchema } from '../replies.ts';
import { callbackSchemas } from './callback-schemas.ts';
import { exportSchemas } from './export-schemas.ts';
import { outputSchemas } from './output-schemas.ts';
import { problemSchemas } from './problem-schemas.ts';
import { object, type PerPreset } from './schema-parts.ts';
import { serviceSchemas } from './service-schemas.ts';

/** The schemas of responses. */
export function replySchemas({ presets }: Pick<HttpConfig, 'presets'>): Record<string, JsonSchema> {
  const names = presets.map(({ name }) => name);
  const perPreset: PerPreset = (schema) =>
    object(
      Object.fromEntries(
        presets.map(({ name, width, height }) => [
          name,
          { ...schema, description: `Of the preset of ${width} × ${height} pixels.` },
        ]),
      ),
    );
  return {
    ...problemSchemas(),
    ...outputSchemas(),
    ...exportSchemas(names, perPreset),
    ...callbackSchemas(perPreset),
    ...serviceSchemas(),
  };
}
