import { hostname } from 'node:os';
import type { Log } from '../exports/log.ts';
import { withoutExportIds } from '../http/server/log-lines.ts';

/** The numbers that the lines of a serving node have, so that one reader serves both. */
const LEVELS = { debug: 20, info: 30, warn: 40, error: 50, silent: Number.POSITIVE_INFINITY } as const;

/** The log of a node that answers no requests: one JSON object a line, as those that do write it. */
export function lineLog(least: keyof typeof LEVELS, out: { write(text: string): unknown }): Log {
  const who = { pid: process.pid, hostname: hostname() };
  return (level, message, { error, ...detail }: { error?: unknown }) => {
    if (LEVELS[level] < LEVELS[least]) return;
    const fields = error === undefined ? detail : { err: errorOf(error), ...detail };
    const line = `${JSON.stringify({ level: LEVELS[level], time: Date.now(), ...who, ...fields, msg: message })}\n`;
    out.write(least === 'debug' ? line : withoutExportIds(line));
  };
}

function errorOf(error: unknown): object {
  if (!(error instanceof Error)) return { message: String(error) };
  const { name: type, message, stack, cause, ...more } = error;
  return { type, message, stack, ...more, ...(cause !== undefined && { cause: errorOf(cause) }) };
}
