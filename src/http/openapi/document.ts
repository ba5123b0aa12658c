import { documentJsonSchemas } from '../../timeline/document-json-schemas.ts';
import { DEFAULT_PRESETS } from '../../timeline/presets.ts';
import { type JsonSchema, reference, SchemaPrinter } from '../replies/schema.ts';
import type { HttpConfig } from '../server/http-config.ts';
import { batchOperations, batchSchemas } from './batch-operations.ts';
import { type PathItem, problemReplies, TAGS } from './describe-operation.ts';
import { eventOperations } from './event-operations.ts';
import { exportOperations } from './export-operations.ts';
import { formSchemas } from './form-body.ts';
import { mediaOperations } from './media-operations.ts';
import { STAND_INS, withNamedLimits } from './named-limits.ts';
import { hlsOperations, outputOperations } from './output-operations.ts';
import { header } from './parts.ts';
import { draftOperations, projectOperations } from './project-operations.ts';
import { serviceOperations, sessionOperations } from './service-operations.ts';

/**
 * The whole API as OpenAPI 3.1. The request schemas are those that requests are checked with. It depends on nothing that
 * an operator configures: `/limits` and `/presets` have that. (C31)
 */
export function openApiDocument({ version }: Pick<HttpConfig, 'version'>) {
  // For examples.
  const config = { presets: DEFAULT_PRESETS };
  const paths: Record<string, PathItem> = {
    ...exportOperations(config),
    ...outputOperations(config),
    ...hlsOperations(config),
    ...eventOperations(),
    ...mediaOperations(),
    ...projectOperations(),
    ...draftOperations(),
    ...batchOperations(),
    ...sessionOperations(),
    ...serviceOperations(config),
  };
  const printer = new SchemaPrinter();
  const requests = { ...formSchemas(), ...batchSchemas(), ...withNamedLimits(documentJsonSchemas(OF_ANY, reference)) };
  const document = printer.print({
    openapi: '3.1.0',
    info: {
      title: 'Tiercut',
      version,
      summary: 'Renders tier-list videos: a tier list, a timeline and media files become an MP4 in three presets.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/', description: 'The origin of this document.' }],
    // Optional, because a deployment without keys needs none: the document is the same with keys and without.
    security: [{ bearerKey: [] }, { headerKey: [] }, { sessionCookie: [] }, {}],
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    paths,
    components: {
      schemas: requests,
      responses: problemReplies(),
      headers: { RequestId: header('The id of this request in the log.', { type: 'string', format: 'uuid' }) },
      securitySchemes: {
        bearerKey: { type: 'http', scheme: 'bearer', description: 'An API key, if the deployment has keys.' },
        headerKey: {
          type: 'apiKey',
          in: 'header',
          name: 'X-Api-Key',
          description: 'The same key in a header of its own.',
        },
        sessionCookie: {
          type: 'apiKey',
          in: 'cookie',
          name: 'tiercut_session',
          description: 'The cookie that `POST /session` returns; under TLS its name starts with `__Host-`.',
        },
        operatorKey: {
          type: 'http',
          scheme: 'bearer',
          description: '`TIERCUT_METRICS_KEY`, or an API key with the scope `operate`. Other API keys do not work.',
        },
      },
    },
  });
  const schemas: Record<string, JsonSchema> = { ...document.components.schemas, ...printer.definitions };
  return { ...document, components: { ...document.components, schemas } };
}

/** Any deployment. */
const OF_ANY = { limits: STAND_INS, presets: null };

export type OpenApiDocument = ReturnType<typeof openApiDocument>;
