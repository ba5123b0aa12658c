import { z } from 'zod';
import { ExportError } from '../../errors.ts';
import {
  type ChildMessage,
  FrameError,
  LONGEST_CAUSE,
  LONGEST_MESSAGE,
  MAX_ISSUES,
  type WireError,
} from './protocol.ts';

const id = z.int().positive();
const amount = z.number().nonnegative();
const code = z
  .string()
  .max(80)
  .regex(/^[a-z][a-z0-9_]*(\.[a-z0-9_]+)+$/);
const pointer = z
  .string()
  .max(1_000)
  .regex(/^(\/[^\p{Cc}]*)?$/u);
// Shown to users, so it must be one sentence of text even if the child is compromised.
const sentence = z
  .string()
  .max(LONGEST_MESSAGE)
  .transform((text) => text.replaceAll(/\p{Cc}+/gu, ' '));
const issue = z.object({ path: pointer, code, message: sentence });
const layer = z.enum(['landlock', 'seccomp', 'rlimits']);

const wireError = z.object({
  kind: z.enum(['malformed', 'invalid', 'unsupported', 'missing', 'too_large', 'unavailable', 'cancelled', 'internal']),
  code,
  message: sentence,
  path: pointer.optional(),
  issues: z.array(issue).max(MAX_ISSUES).optional(),
  cause: z.string().max(LONGEST_CAUSE).optional(),
});

const childMessage = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('jailed'),
    report: z.object({
      layers: z.array(z.object({ name: layer, detail: z.string().max(300) })).max(10),
      missing: z.array(z.object({ name: layer, reason: z.string().max(2_000) })).max(10),
    }),
  }),
  z.object({ type: z.literal('ready') }),
  z.object({ type: z.literal('progress'), id, done: amount, total: amount }),
  z.object({ type: z.literal('warning'), id, issue }),
  z.object({ type: z.literal('result'), id, value: z.unknown() }),
  z.object({ type: z.literal('error'), id, error: wireError }),
]);

/**
 * Checks a message of the child. A compromised child can send anything: every field is checked, and unknown fields are
 * dropped.
 *
 * @throws FrameError
 */
export function readChildMessage(json: unknown): ChildMessage {
  const parsed = childMessage.safeParse(json);
  if (!parsed.success) throw new FrameError('a message of no known shape', { cause: parsed.error });
  return parsed.data;
}

/** The error on this side of the wire. The child's own account is kept as the cause, for the log. */
export function exportErrorFrom({ kind, code, message, path, issues, cause }: WireError): ExportError {
  return new ExportError(kind, code, message, {
    ...(path !== undefined && { path }),
    ...(issues !== undefined && { issues }),
    ...(cause !== undefined && { cause: new Error(cause) }),
  });
}
