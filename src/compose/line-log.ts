import { hostname } from 'node:os';
import type { Log } from '../exports/log.ts';
import { withoutExportIds } from '../http/server/log-lines.ts';

/** The level numbers of API nodes, so that one reader handles both. */
const LEVELS = { debug: 20, info: 30, warn: 40, error: 50, silent: Number.POSITIVE_INFINITY } as const;

/** The log of a node without HTTP: one JSON object for each line, in the format of API nodes. */
export function lineLog(min: keyof typeof LEVELS, out: { write(text: string): unknown }): Log {
  const who = { pid: process.pid, hostname: hostname() };
  return (level, message, { error, ...detail }: { error?: unknown }) => {
    if (LEVELS[level] < LEVELS[min]) return;
    const fields = error === undefined ? detail : { err: errorOf(error), ...detail };
    const line = `${JSON.stringify({ level: LEVELS[level], time: Date.now(), ...who, ...fields, msg: message })}\n`;
    out.write(min === 'debug' ? line : withoutExportIds(line));
  };
}

function errorOf(error: unknown): object {
  if (!(error instanceof Error)) return { message: String(error) };
  const { name: type, message, stack, cause, ...more } = error;
  return { type, message, stack, ...more, ...(cause !== undefined && { cause: errorOf(cause) }) };
}
