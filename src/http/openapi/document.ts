import type { HttpConfig } from '../server/http-config.ts';
import { operations, PROBLEMS } from './operations.ts';
import { replySchemas } from './reply-schemas.ts';
import { documentSchemas } from './request-schemas.ts';

/** The whole interface as OpenAPI 3.1. The schemas of a request are those it is checked with. (C31) */
export function openApiDocument(config: Pick<HttpConfig, 'limits' | 'presets' | 'version' | 'apiKeys'>) {
  const problem = { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } };
  return {
    openapi: '3.1.0',
    info: {
      title: 'Tiercut',
      version: config.version,
      summary: 'Renders a tier list, a timeline and media files into one MP4, in three shapes.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/' }],
    ...(config.apiKeys.length > 0 && { security: [{ key: [] }] }),
    paths: operations(),
    components: {
      schemas: { ...documentSchemas(config), ...replySchemas(config) },
      responses: Object.fromEntries(
        Object.entries(PROBLEMS).map(([status, description]) => [
          `Problem${status}`,
          { description, content: problem },
        ]),
      ),
      securitySchemes: { key: { type: 'http', scheme: 'bearer', description: 'Only where the deployment has keys.' } },
    },
  };
}

export type OpenApiDocument = ReturnType<typeof openApiDocument>;
