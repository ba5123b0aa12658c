import type { AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';
import { createApp } from '../../src/http/app.ts';
import type { HttpConfig } from '../../src/http/server/http-config.ts';
import type { ExportsFixture } from '../exports/exports-fixture.ts';
import { httpConfig, MemorySessions } from './serve.ts';

/** The real use cases over real HTTP, in this process. */
export interface ServedExports {
  readonly exports: ExportsFixture;
  readonly base: string;
  readonly port: number;
}

/** Serves exports for one test; both are gone with the test. */
export async function serveExports(
  t: TestContext,
  exports: ExportsFixture,
  other: Partial<HttpConfig> = {},
): Promise<ServedExports> {
  const uploads = await exports.ports.local.scratch();
  const { api, metrics, parts } = exports;
  const config = httpConfig(uploads.path, other);
  const endedSessions = new MemorySessions();
  const app = await createApp({ api, media: parts.media, config, metrics, endedSessions, log: { level: 'silent' } });
  await app.listen({ port: 0, host: '127.0.0.1' });
  t.after(async () => {
    app.server.closeAllConnections();
    await app.close();
    await exports[Symbol.asyncDispose]();
  });
  const { port } = app.server.address() as AddressInfo;
  return { exports, port, base: `http://127.0.0.1:${port}` };
}
