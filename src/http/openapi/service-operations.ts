import { MAX_DAYS } from '../replies/list-query.ts';
import {
  FONTS,
  HEALTH,
  LIMITS,
  PRESETS,
  READINESS,
  SESSION,
  SESSION_REQUEST,
  USAGE,
} from '../replies/service-replies.ts';
import type { HttpConfig } from '../server/http-config.ts';
import { type OperationParts, operation, type PathItem } from './describe-operation.ts';
import { BODY_NAMES } from './form-body.ts';
import { header, json, query, reply, requestHeader, textContent } from './parts.ts';

const openToAll = { access: 'open', unmetered: true } as const;

/** The information endpoints and pages of the service. */
export function serviceOperations({ presets }: Pick<HttpConfig, 'presets'>): Record<string, PathItem> {
  const page = (parts: Pick<OperationParts, 'operationId' | 'summary'>) => ({
    get: operation({
      ...parts,
      tag: 'Pages',
      ...openToAll,
      parameters: [requestHeader('If-None-Match', 'The `ETag` of your copy of the page.', '"x"')],
      replies: {
        200: reply(`${parts.summary}.`, textContent('text/html'), { ETag: header('Changes with the page.') }),
        304: reply('Unchanged.'),
      },
    }),
  });
  const read = (parts: Pick<OperationParts, 'operationId' | 'tag' | 'summary'>, content: Record<string, object>) => ({
    get: operation({ ...parts, ...openToAll, replies: { 200: reply(`${parts.summary}.`, content) } }),
  });
  const readiness = (operationId: string, summary: string) => ({
    get: operation({
      operationId,
      summary,
      tag: 'Service',
      ...openToAll,
      replies: {
        200: reply('Ready.', json(READINESS)),
        503: reply('Not ready, and why.', json(READINESS)),
      },
    }),
  });
  return {
    '/usage': {
      get: operation({
        operationId: 'getUsage',
        tag: 'Service',
        summary: 'Get your usage by UTC day, and what you store',
        description:
          `At most ${MAX_DAYS} days. Bytes of downloads that were redirected to the object store are not counted as sent. Counts of ` +
          'other nodes can be 10 seconds late.',
        parameters: [
          query('from', 'The first day; 29 days before `to` if absent.', { type: 'string', format: 'date' }),
          query('to', 'The last day; today if absent.', { type: 'string', format: 'date' }),
        ],
        replies: { 200: reply('Every day of the range, including days without use.', json(USAGE)) },
        problems: [422],
      }),
    },
    '/limits': read({ operationId: 'getLimits', tag: 'Service', summary: 'Get the limits for clients' }, json(LIMITS)),
    '/presets': read(
      { operationId: 'listPresets', tag: 'Service', summary: 'List the three formats of a video' },
      json(PRESETS, { default: PRESETS.write(presets) }),
    ),
    '/fonts': read({ operationId: 'listFonts', tag: 'Service', summary: 'List the fonts' }, json(FONTS)),
    '/healthz': read(
      { operationId: 'getHealth', tag: 'Service', summary: 'Check whether the process is alive' },
      json(HEALTH),
    ),
    '/readyz': readiness('getReadiness', 'Check whether the service serves downloads, deletes and status'),
    '/readyz/intake': readiness('getIntakeReadiness', 'Check whether the service accepts exports'),
    '/metrics': {
      get: operation({
        operationId: 'getMetrics',
        tag: 'Service',
        summary: 'Get Prometheus metrics',
        access: 'operator',
        unmetered: true,
        replies: { 200: reply('Text format.', textContent('text/plain')) },
      }),
    },
    '/openapi.json': {
      get: operation({
        operationId: 'getOpenApi',
        tag: 'Service',
        ...openToAll,
        summary: 'Get this document',
        parameters: [
          query('body', 'For client generators: describes request bodies as a form only, or as JSON only.', {
            type: 'string',
            enum: BODY_NAMES,
          }),
        ],
        replies: {
          200: reply('This document.', {
            'application/json': { schema: { type: 'object', additionalProperties: true } },
          }),
        },
        problems: [422],
      }),
    },
    '/schemas/project.json': read(
      { operationId: 'getProjectSchema', tag: 'Service', summary: 'Get the JSON Schema of a project' },
      {
        'application/schema+json': {
          schema: { type: 'object', additionalProperties: true, description: 'A JSON Schema 2020-12.' },
        },
      },
    ),
    '/llms.txt': read(
      { operationId: 'getLlmsText', tag: 'Service', summary: 'Get a description of the service for agents' },
      textContent('text/plain'),
    ),
    '/docs': page({ operationId: 'getDocs', summary: 'Read the documentation' }),
    '/docs/errors': page({ operationId: 'getErrors', summary: 'Read about every error and warning code' }),
    '/': {
      get: operation({
        operationId: 'getHome',
        tag: 'Pages',
        ...openToAll,
        summary: 'Go to the studio',
        replies: { 302: reply('To `/studio`.', undefined, { Location: header('The address of the studio.') }) },
      }),
    },
    '/studio': page({ operationId: 'getStudio', summary: 'Open the studio' }),
    '/studio/check': page({ operationId: 'checkBrowser', summary: 'Check whether a browser can render videos' }),
  };
}

const cookie = { 'Set-Cookie': header('`HttpOnly; SameSite=Strict`, and `Secure` under TLS.') };

/** Keys in a browser. (C51) */
export function sessionOperations(): Record<string, PathItem> {
  const body = { schema: SESSION_REQUEST, example: { key: 'your-key-of-16-or-more' } };
  return {
    '/session': {
      post: operation({
        operationId: 'openSession',
        tag: 'Sessions',
        summary: 'Exchange a key for a session cookie',
        description:
          'The cookie replaces the key where a browser sends no headers: `EventSource`, `<video>`, downloads. It ends when it expires, when the key is removed, or with `DELETE`. The key can be in a header instead of the body. Without keys in the deployment, no cookie is set.',
        access: 'open',
        parameters: [
          requestHeader('Accept', '`text/html`: redirects to `to`, for a form without script.', 'application/json'),
        ],
        requestBody: {
          required: false,
          content: { 'application/json': body, 'application/x-www-form-urlencoded': body },
        },
        replies: {
          200: reply(
            'Open.',
            json(SESSION, { open: { ok: true, tenant: 'studio', expires_at: '2026-01-03T00:00:00.000Z' } }),
            cookie,
          ),
          303: reply('For a browser’s form: redirects to `to`.', undefined, {
            ...cookie,
            Location: header('`to`, or `/`.'),
          }),
        },
        problems: [401, 406, 408, 413, 422],
      }),
      delete: operation({
        operationId: 'endSession',
        tag: 'Sessions',
        summary: 'End a session',
        description: 'Removes the cookie; copies of it stop working.',
        access: 'open',
        replies: { 204: reply('The session is ended, or there was none.', undefined, cookie) },
      }),
    },
  };
}
