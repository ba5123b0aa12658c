import { Socket } from 'node:net';
import { inspect } from 'node:util';
import { ExportError, type Issue } from '../../errors.ts';
import { isDiskFull, renderDiskFull } from '../../platform/disk-full.ts';
import { claimStdout } from '../jail/descriptors.ts';
import { SEAL_ARGUMENT, seal } from '../jail/seal.ts';
import type { OperationContext, OperationHandlers, OperationProgress } from './operation.ts';
import {
  CHILD_FRAME_LIMIT_BYTES,
  type ChildMessage,
  encodeFrame,
  FrameReader,
  LONGEST_CAUSE,
  LONGEST_MESSAGE,
  MAX_ISSUES,
  MAX_WARNINGS,
  PARENT_FRAME_LIMIT_BYTES,
  type ParentMessage,
  type WireError,
} from './protocol.ts';

const PROGRESS_EVERY_MS = 100;

/**
 * Turns this process into a render child: seals it, then answers requests until the parent closes stdin. No code that
 * touches media may be loaded before.
 */
export function serveOperations<Ops>(handlers: OperationHandlers<Ops>): void {
  const out = new Socket({ fd: claimStdout(), readable: false, writable: true });
  if (process.argv.includes(SEAL_ARGUMENT)) seal();

  const send = (message: ChildMessage): void => {
    out.write(encodeFrame(message, CHILD_FRAME_LIMIT_BYTES));
  };
  const running = new AbortController();
  const table = handlers as OperationHandlers<Record<string, { params: unknown; result: unknown }>>;

  const answer = async (id: number, op: string, params: unknown): Promise<void> => {
    try {
      const handler = Object.hasOwn(table, op) ? table[op] : undefined;
      if (handler === undefined) throw new Error(`no operation is called ${op}`);
      send({ type: 'result', id, value: await handler(params, contextFor(id)) });
    } catch (error) {
      send({ type: 'error', id, error: wireError(error) });
    }
  };
  const contextFor = (id: number): OperationContext => ({
    signal: running.signal,
    progress: paced((progress) => {
      // A parent that does not keep up misses steps rather than filling this process's memory.
      if (!out.writableNeedDrain) send({ type: 'progress', id, ...progress });
    }),
    warn: atMost(MAX_WARNINGS, (issue: Issue) => send({ type: 'warning', id, issue: shortened(issue) })),
  });

  const reader = new FrameReader(PARENT_FRAME_LIMIT_BYTES);
  process.stdin.on('data', (bytes) => {
    for (const message of reader.read(bytes) as Iterable<ParentMessage>) {
      if (message.type === 'request') void answer(message.id, message.op, message.params);
      if (message.type === 'cancel') running.abort(new ExportError('cancelled', 'render.cancelled', 'Cancelled.'));
    }
  });
  // A service manager signals all processes; only the parent decides when a render ends, and then closes stdin.
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => {});
  // The parent is gone, or done with us.
  process.stdin.on('end', () => process.exit(0));
  out.on('error', () => process.exit(0));
  send({ type: 'ready' });
}

/** Lets the first calls through. */
function atMost<T>(count: number, report: (value: T) => void): (value: T) => void {
  let left = count;
  return (value) => {
    if (left-- > 0) report(value);
  };
}

/** Lets one call in a while through, and always the last step. */
function paced(report: (progress: OperationProgress) => void): (progress: OperationProgress) => void {
  let next = 0;
  return (progress) => {
    const now = performance.now();
    if (now < next && progress.done < progress.total) return;
    next = now + PROGRESS_EVERY_MS;
    report(progress);
  };
}

function wireError(error: unknown): WireError {
  if (error instanceof ExportError) {
    const { kind, code, path, cause } = error;
    return {
      kind,
      code,
      message: error.message.slice(0, LONGEST_MESSAGE),
      path,
      issues: error.issues.slice(0, MAX_ISSUES).map(shortened),
      cause: cause === undefined ? undefined : describe(cause),
    };
  }
  if (isDiskFull(error)) return wireError(renderDiskFull(error));
  const message = 'The render failed because of an internal error.';
  return { kind: 'internal', code: 'render.failed', message, cause: describe(error) };
}

/** The parent takes a longer text for an attack. */
function shortened({ path, code, message }: Issue): Issue {
  return { path, code, message: message.slice(0, LONGEST_MESSAGE) };
}

function describe(error: unknown): string {
  return inspect(error).slice(0, LONGEST_CAUSE);
}
