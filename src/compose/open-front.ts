import type { Config } from '../config/config.ts';
import type { Log } from '../exports/log.ts';
import { type AppOptions, createApp } from '../http/app.ts';
import { httpSettings } from './http-settings.ts';
import { unlistenable } from './unlistenable.ts';

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
  extends Pick<AppOptions, 'api' | 'media' | 'projects' | 'drafts' | 'speech' | 'metrics' | 'endedSessions'> {
  readonly config: Config;
  readonly version: string;
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
