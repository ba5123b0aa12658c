import { hostname } from 'node:os';
import type { Config } from '../config/config.ts';
import { ExportError } from '../errors.ts';
import type { Log } from '../exports/log.ts';
import { type AppOptions, createApp, withoutExportIds } from '../http/app.ts';
import type { KeyRing } from '../http/server/identify.ts';
import { httpSettings } from './node-settings.ts';

/** The HTTP side of a node. */
export interface Front {
  /** Writes to the same log as requests. */
  readonly log: Log;
  /** Starts to listen; returns the address. */
  listen(): Promise<string>;
  /** Waits for responses in progress. */
  close(): Promise<void>;
}

interface FrontParts
  extends Pick<
    AppOptions,
    'api' | 'media' | 'projects' | 'batches' | 'drafts' | 'speech' | 'metrics' | 'endedSessions'
  > {
  readonly config: Config;
  readonly version: string;
  readonly ring: KeyRing;
  /** The folder of a request's files until they are stored. */
  readonly uploadFolder: string;
}

/** The service over HTTP, by the configuration. */
export async function openFront({ config, version, uploadFolder, ...parts }: FrontParts): Promise<Front> {
  const log = { level: config.logLevel };
  const app = await createApp({ ...parts, config: httpSettings(config, uploadFolder, version), log });
  return {
    log: (level, message, { error, ...detail }: { error?: unknown }) =>
      app.log[level]({ err: error, ...detail }, message),
    listen: () =>
      app.listen({ host: config.host, port: config.port }).catch((cause: unknown) => {
        throw unlistenable(cause, config, 'HOST and PORT');
      }),
    close: () => app.close(),
  };
}

const REASONS: Readonly<Record<string, string>> = {
  EADDRINUSE: 'another program does already',
  EADDRNOTAVAIL: 'this machine has no such address',
  ENOTFOUND: 'there is no such name',
  EACCES: 'this user may not',
};

/** Why the service cannot listen on an address, for the operator; returns other errors unchanged. */
export function unlistenable(
  cause: unknown,
  { host, port }: { readonly host: string; readonly port: number },
  variables: string,
): unknown {
  const reason = cause instanceof Error && 'code' in cause ? REASONS[String(cause.code)] : undefined;
  if (reason === undefined) return cause;
  const message = `The service cannot listen on ${host}, port ${port}: ${reason}. It is set by ${variables}.`;
  return new ExportError('invalid', 'service.unlistenable', message, { cause });
}

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
