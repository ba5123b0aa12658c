import { type ErrorKind, ExportError } from '../../errors.ts';
import type { ExitFacts } from '../channel/child-channel.ts';
import type { JailReport } from '../jail/sandbox-mode.ts';
import type { WatchdogVerdict } from './watchdog.ts';

/** Why a child ended, or was ended: the user's part of the error. */
export interface ChildEnding {
  readonly kind: ErrorKind;
  readonly code: string;
  readonly message: string;
  readonly cause?: unknown;
}

/** Limits that only media can reach are the media's fault, a crash is ours. (C34) */
export const ENDINGS = {
  cancelled: { kind: 'cancelled', code: 'render.cancelled', message: 'The render was cancelled.' },
  out_of_memory: {
    kind: 'invalid',
    code: 'render.out_of_memory',
    message: 'The render needed more memory than one export may use. Use smaller or fewer media files.',
  },
  over_disk: {
    kind: 'invalid',
    code: 'render.over_disk',
    message: 'The render wrote more data than an export of this length can have.',
  },
  too_many_threads: {
    kind: 'internal',
    code: 'render.misbehaved',
    message: 'The render process started too many threads.',
  },
  stalled: {
    kind: 'invalid',
    code: 'render.stalled',
    message: 'The render stopped making progress.',
  },
  blocked: {
    kind: 'internal',
    code: 'render.blocked',
    message: 'The render process was blocked for too long.',
  },
  over_budget: {
    kind: 'invalid',
    code: 'render.over_budget',
    message: 'The render took longer than the limit for an export of this length.',
  },
  crashed: { kind: 'internal', code: 'render.crashed', message: 'The render ended unexpectedly.' },
  misbehaved: { kind: 'internal', code: 'render.misbehaved', message: 'The render process sent an invalid message.' },
  start_failed: { kind: 'internal', code: 'render.start_failed', message: 'The render process did not start.' },
  closed: { kind: 'internal', code: 'render.closed', message: 'The render process was closed before it finished.' },
} as const satisfies Record<WatchdogVerdict | string, ChildEnding>;

/** A jail with missing layers, where all are required. */
export function sandboxRequired({ missing }: JailReport): ChildEnding {
  return {
    kind: 'unavailable',
    code: 'sandbox.incomplete',
    message: `This machine cannot sandbox a render as required: ${missing.map(({ name }) => name).join(', ')} missing.`,
    cause: new Error(missing.map(({ name, reason }) => `${name}: ${reason}`).join('; ')),
  };
}

/** The error for the child's callers; `cause` has the exit of the process and its last output on stderr. */
export function endingError({ kind, code, message, cause }: ChildEnding, exit: ExitFacts): ExportError {
  const how = exit.signal === null ? `exit code ${exit.exitCode}` : `signal ${exit.signal}`;
  const account = new Error(`${how}; stderr:\n${exit.stderr}`, cause === undefined ? undefined : { cause });
  return new ExportError(kind, code, message, { cause: account });
}
