import type { FastifyInstance } from 'fastify';
import { MAX_BATCH_ROWS, MAX_BATCHES } from '../../exports/api/batches-api.ts';
import type { ServiceStatus } from '../../exports/api/exports-api.ts';
import { DESTINATION_HEADERS, LONGEST_EXTERNAL_ID, METADATA_LIMITS } from '../../exports/api/submission.ts';
import { MAX_WEBHOOKS } from '../../exports/api/webhooks-api.ts';
import { SHORT_SECONDS } from '../../timeline/limits.ts';
import { projectSchema } from '../../timeline/project/project-schema.ts';
import { type OpenApiDocument, openApiDocument } from '../openapi/document.ts';
import { withOneBody } from '../openapi/form-body.ts';
import { llmsText } from '../pages/llms-text.ts';
import { MAX_LISTED, parseUsageQuery } from '../replies/list-query.ts';
import type { TypeOf } from '../replies/schema.ts';
import { HEALTH, type LIMITS, PRESETS, READINESS, USAGE } from '../replies/service-replies.ts';
import type { RouteContext } from '../server/route-context.ts';

const READ = { method: ['GET', 'HEAD'] as string[] };
const OPEN = { config: { open: true, unmetered: true } };
const PROBED = { config: { ...OPEN.config, anyHost: true } };

/** Information about the service. (C31) */
export function metaRoutes(app: FastifyInstance, { api, config, metrics, closing }: RouteContext): void {
  // Made at the first request: it takes a sixth of the start of a service.
  let made: { readonly document: OpenApiDocument; readonly text: string } | null = null;
  const openApi = () => {
    if (made !== null) return made;
    const document = openApiDocument(config);
    made = { document, text: JSON.stringify(document) };
    return made;
  };
  app.route<{ Querystring: { body?: unknown } }>({
    ...READ,
    ...OPEN,
    url: '/openapi.json',
    handler: async ({ query: { body } }, reply) => {
      const { document, text } = openApi();
      const sent = body === undefined ? text : JSON.stringify(withOneBody(document, body));
      return reply.type('application/json').send(sent);
    },
  });
  const schema = JSON.stringify(projectSchema(config), null, 2);
  app.route({
    ...READ,
    ...OPEN,
    url: '/schemas/project.json',
    handler: async (_, reply) => reply.type('application/schema+json; charset=utf-8').send(schema),
  });
  const llms = llmsText(config);
  app.route({
    ...READ,
    ...OPEN,
    url: '/llms.txt',
    handler: async (_, reply) => reply.type('text/plain; charset=utf-8').send(llms),
  });
  const shorts = {
    max_short_seconds: SHORT_SECONDS.max,
    short_seconds_before: SHORT_SECONDS.before,
    short_seconds_after: SHORT_SECONDS.after,
  };
  const fixed = {
    max_external_id_characters: LONGEST_EXTERNAL_ID,
    max_metadata_pairs: METADATA_LIMITS.pairs,
    max_metadata_key_characters: METADATA_LIMITS.key,
    max_metadata_value_characters: METADATA_LIMITS.value,
    max_listed_exports: MAX_LISTED,
    max_batch_rows: MAX_BATCH_ROWS,
    max_batches: MAX_BATCHES,
    max_webhooks: MAX_WEBHOOKS,
    max_destination_headers: DESTINATION_HEADERS.max,
    max_destination_header_bytes: DESTINATION_HEADERS.maxBytes,
    ...shorts,
  };
  app.route({
    ...READ,
    ...OPEN,
    url: '/limits',
    handler: async (): Promise<TypeOf<typeof LIMITS>> => ({ ...config.shownLimits, ...fixed }),
  });
  app.route({ ...READ, ...OPEN, url: '/presets', handler: async () => PRESETS.write(config.presets) });
  // A response means alive; /readyz says whether the service can work.
  app.route({ ...READ, ...PROBED, url: '/healthz', handler: async () => HEALTH.write(config) });
  const readiness = (url: string, isReady: (status: ServiceStatus) => boolean) =>
    app.route({
      ...READ,
      ...PROBED,
      url,
      handler: async (request, reply) => {
        const status = await api.status().catch((error: unknown) => {
          request.log.error({ err: error }, 'status of service not known');
          return null;
        });
        const ok = status !== null && isReady(status) && !closing.aborted;
        const checks = status?.checks ?? [{ name: 'records', ok: false, detail: 'cannot be read' }];
        return reply
          .code(ok ? 200 : 503)
          .header('cache-control', 'no-store')
          .send(READINESS.write({ ok, checks, isShown: request.isOperator }));
      },
    });
  // With a full disk the service accepts no exports, but downloads and deletes work: a load balancer must not remove
  // the node.
  readiness('/readyz', () => true);
  readiness('/readyz/intake', ({ takesIn }) => takesIn);
  if (config.metricsElsewhere) return;
  app.route({
    ...READ,
    config: { operator: true, unmetered: true },
    url: '/metrics',
    handler: async (_, reply) => {
      const text = await metrics.text(await api.status());
      return reply.type(metrics.contentType).header('cache-control', 'no-store').send(text);
    },
  });
}

/** `GET /usage`: the usage of the tenant by UTC day (C74), and what it stores now (C88). */
export function usageRoutes(app: FastifyInstance, { api }: RouteContext): void {
  app.route<{ Querystring: Record<string, string | string[]> }>({
    method: ['GET', 'HEAD'],
    url: '/usage',
    handler: async (request, reply) => {
      const { from, to, warnings } = parseUsageQuery(request.query, Date.now());
      const days = await api.usage(request.tenant!, from, to);
      const storage = await api.storage(request.tenant!);
      reply.header('cache-control', 'no-store');
      return USAGE.write({ from, to, days, storage, warnings });
    },
  });
}
