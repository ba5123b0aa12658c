import { ExportError } from '../../errors.ts';
import { shownText } from '../../timeline/json/shown-value.ts';

/** Media types of request bodies that have two forms, by their names in `?body=`. (C67) */
const BODIES: Readonly<Record<string, string>> = { form: 'multipart/form-data', json: 'application/json' };

export const BODY_NAMES = Object.keys(BODIES);

/** An OpenAPI document: operations by path and method. */
interface Described {
  readonly paths: Readonly<Record<string, Readonly<Record<string, object>>>>;
}

/**
 * The document with one media type for each request body: client generators support only one, and most of them choose
 * JSON, which has no files.
 *
 * @throws `field.choice` at `/body`
 */
export function withOneBody(document: Described, body: unknown): object {
  const kept = typeof body === 'string' && Object.hasOwn(BODIES, body) ? BODIES[body]! : null;
  if (kept === null) {
    const message = `body must be ${BODY_NAMES.join(' or ')}, not ${shownText(String(body))}.`;
    throw new ExportError('invalid', 'field.choice', message, { path: '/body' });
  }
  const paths = Object.entries(document.paths).map(([path, item]) => {
    const operations = Object.entries(item).map(([method, operation]) => [method, keeping(operation, kept)]);
    return [path, Object.fromEntries(operations)];
  });
  return { ...document, paths: Object.fromEntries(paths) };
}

function keeping(operation: { readonly requestBody?: { readonly content: object } }, kept: string): object {
  const { requestBody } = operation;
  const content = new Map(Object.entries(requestBody?.content ?? {}));
  if (!Object.values(BODIES).every((type) => content.has(type))) return operation;
  return { ...operation, requestBody: { ...requestBody, content: { [kept]: content.get(kept) } } };
}
