import type { TimelineLimits } from '../../timeline/limits.ts';
import type { HttpConfig } from '../server/http-config.ts';
import { deliveryOperations } from './delivery-operations.ts';
import { draftOperations } from './editing/draft-operations.ts';
import { projectOperations } from './editing/project-operations.ts';
import { exportOperations } from './export-operations.ts';
import { formSchemas } from './form-body.ts';
import { hlsOperations } from './hls-operations.ts';
import { mediaOperations } from './media-operations.ts';
import type { PathItem } from './operation.ts';
import { outputOperations } from './output-operations.ts';
import { problemReplies } from './problem-replies.ts';
import { header } from './replies.ts';
import { draftSchemas } from './schemas/draft-schemas.ts';
import { mediaSchemas } from './schemas/media-schemas.ts';
import { projectSchemas } from './schemas/project-schemas.ts';
import { replySchemas } from './schemas/reply-schemas.ts';
import { documentSchemas } from './schemas/request-schemas.ts';
import { withDescriptions } from './schemas/schema-descriptions.ts';
import { serviceOperations } from './service-operations.ts';
import { sessionOperations } from './session-operations.ts';
import { TAGS } from './tags.ts';

/** The settings that the document depends on. */
interface OpenApiConfig extends Pick<HttpConfig, 'presets' | 'version' | 'apiKeys'> {
  readonly limits: TimelineLimits;
}

/** The whole API as OpenAPI 3.1. The request schemas are those that requests are checked with. (C31) */
export function openApiDocument(config: OpenApiConfig) {
  const paths: Record<string, PathItem> = {
    ...exportOperations(config),
    ...outputOperations(config),
    ...hlsOperations(config),
    ...deliveryOperations(),
    ...mediaOperations(),
    ...projectOperations(),
    ...draftOperations(),
    ...sessionOperations(),
    ...serviceOperations(),
  };
  return {
    openapi: '3.1.0',
    info: {
      title: 'Tiercut',
      version: config.version,
      summary: 'Renders tier-list videos: a tier list, a timeline and media files become an MP4 in three presets.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/', description: 'The origin of this document.' }],
    security: config.apiKeys.length > 0 ? [{ bearerKey: [] }, { headerKey: [] }, { sessionCookie: [] }] : [],
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    paths,
    components: {
      schemas: withDescriptions({
        ...formSchemas(),
        ...documentSchemas(config.limits, config.presets),
        ...replySchemas(config),
        ...mediaSchemas(),
        ...projectSchemas(),
        ...draftSchemas(),
      }),
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
          description: '`TIERCUT_METRICS_KEY`; API keys of tenants do not work.',
        },
      },
    },
  };
}

export type OpenApiDocument = ReturnType<typeof openApiDocument>;
