import type { Config } from '../config/config.ts';
import type { Log } from '../exports/log.ts';
import { type AppOptions, createApp } from '../http/app.ts';
import { httpSettings } from './http-settings.ts';
import { unlistenable } from './unlistenable.ts';

/** What answers requests. */
export interface Front {
  /** Into the log that requests are in as well. */
  readonly log: Log;
  /** Begins to answer; where. */
  listen(): Promise<string>;
  /** Lets what is being answered end. */
  close(): Promise<void>;
}

interface FrontParts
  extends Pick<AppOptions, 'api' | 'media' | 'projects' | 'drafts' | 'speech' | 'metrics' | 'endedSessions'> {
  readonly config: Config;
  readonly version: string;
  /** Where the files of a request lie until they are somebody's. */
  readonly uploadFolder: string;
}

/** The service over HTTP, as the settings want it. */
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
