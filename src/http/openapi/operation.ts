import { type ProblemStatus, problems } from './problem-replies.ts';
import type { Responses } from './replies.ts';
import type { Tag } from './tags.ts';

/** The parts of an operation that differ. */
export interface OperationParts {
  readonly operationId: string;
  readonly tag: Tag;
  /** A few words, without a full stop. */
  readonly summary: string;
  readonly description?: string;
  readonly parameters?: readonly object[];
  readonly requestBody?: object;
  readonly callbacks?: object;
  /** Who may call it: clients with a key, anyone, or the operator. */
  readonly access?: 'key' | 'open' | 'operator';
  /** Whether it does not count against the request limit. */
  readonly unmetered?: boolean;
  /** Its successful responses. */
  readonly replies: Responses;
  /** Its errors, besides those of every request. */
  readonly problems?: readonly ProblemStatus[];
}

/** Operations by method; `parameters` for their common ones. */
export type PathItem = Readonly<Record<string, object>>;

/** Adds the responses that every operation of this kind can return, so that routes do not list them. */
export function operation(parts: OperationParts): object {
  const { operationId, tag, summary, description, parameters, requestBody, callbacks, replies } = parts;
  const { access = 'key', unmetered = false } = parts;
  const common: ProblemStatus[] = [400, 403, 500];
  if (access !== 'open') common.push(401);
  if (!unmetered) common.push(429);
  const statuses = [...new Set([...common, ...(parts.problems ?? [])])].sort((a, b) => a - b);
  return {
    operationId,
    tags: [tag],
    summary,
    ...(description !== undefined && { description }),
    ...(access === 'open' && { security: [] }),
    ...(access === 'operator' && { security: [{ operatorKey: [] }] }),
    ...(parameters !== undefined && { parameters }),
    ...(requestBody !== undefined && { requestBody }),
    responses: { ...replies, ...problems(...statuses) },
    ...(callbacks !== undefined && { callbacks }),
  };
}
