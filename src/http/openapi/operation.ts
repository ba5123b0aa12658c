import { type ProblemStatus, problems } from './problem-replies.ts';
import type { Responses } from './replies.ts';
import type { Tag } from './tags.ts';

/** What is particular to an operation. */
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
  /** Not counted against the limit on requests. */
  readonly unmetered?: boolean;
  /** What it answers when all is well. */
  readonly replies: Responses;
  /** What else can be wrong, beyond what can be wrong with any request. */
  readonly problems?: readonly ProblemStatus[];
}

/** Operations by method, `parameters` for what they have in common. */
export type PathItem = Readonly<Record<string, object>>;

/** Adds the responses that every operation of this kind can return, so that a route need not list them. */
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
