import { mkdir } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import type { ExportsPolicy } from '../../../src/compose/exports-ports.ts';
import { createApp } from '../../../src/http/app.ts';
import { ExportsFixture } from '../../exports/exports-fixture.ts';
import { makeClip } from '../../fixtures/clips.ts';
import { httpConfig, MemorySessions } from '../../http/serve.ts';
import { uncancelled } from '../../uncancelled.ts';
import { PacedHost } from './paced-host.ts';

/** Frames a second of the watched video. */
export const FPS = 10;
export const SECONDS = 12;
/** The clip before the still picture, the still picture, and the clip after it. */
export const CHUNKS = 3;

/** A clip whose frames show their number, and whose sound marks whole seconds; in the middle the picture is still. */
const CLIP = await makeClip({
  frames: SECONDS * FPS,
  rate: { num: FPS, den: 1 },
  width: 128,
  height: 72,
  sound: { seconds: SECONDS },
});

/** The service in this process, over real HTTP, with renders that continue when the test says so. */
export class PacedService implements AsyncDisposable {
  readonly exports: ExportsFixture;
  readonly host: PacedHost;
  readonly base: string;
  readonly logged: string[];
  readonly #app: FastifyInstance;

  private constructor(exports: ExportsFixture, host: PacedHost, app: FastifyInstance, logged: string[]) {
    this.exports = exports;
    this.host = host;
    this.#app = app;
    this.logged = logged;
    this.base = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
  }

  static async start(policy: Partial<ExportsPolicy> = {}): Promise<PacedService> {
    const host = new PacedHost();
    const exports = await ExportsFixture.open({ prerender: 'selected', ...policy }, undefined, () => ({ host }));
    const uploadFolder = join(exports.folder, 'uploads');
    await mkdir(uploadFolder);
    const logged: string[] = [];
    const stream = new Writable({
      write(chunk, _, done) {
        logged.push(String(chunk));
        done();
      },
    });
    const { api, metrics, parts } = exports;
    const app = await createApp({
      api,
      media: parts.media,
      projects: parts.projects,
      batches: parts.batches,
      drafts: parts.drafts,
      speech: parts.speech,
      // Longer than tests wait: what waits for a segment is answered by a notice.
      config: { ...httpConfig(uploadFolder), waitLimitSeconds: 600 },
      metrics,
      endedSessions: new MemorySessions(),
      log: { level: 'info', stream },
    });
    await app.listen({ port: 0, host: '127.0.0.1' });
    exports.startWorker();
    return new PacedService(exports, host, app, logged);
  }

  /** An export that no worker has started; the clip is three chunks of it. */
  async submit({ seconds = SECONDS }: { readonly seconds?: number } = {}): Promise<string> {
    const [still, on] = [Math.floor(seconds / 2) - 1, Math.floor(seconds / 2) + 1];
    const documents = {
      timeline_data: {
        videos: [
          { file_field: 'clip', start: 0, duration: still },
          {
            file_field: 'clip',
            start: still,
            duration: on - still,
            trim_start: still,
            trim_end: still + 0.05,
            volume: 0,
          },
          { file_field: 'clip', start: on, duration: seconds - on, trim_start: on },
        ].filter(({ duration }) => duration > 0),
      },
      settings: { fps: FPS, quality: 'draft' },
    };
    const submission = this.exports.submission(documents, { clip: CLIP.file });
    return (await this.exports.api.submit(submission, uncancelled)).id;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#app.server.closeAllConnections();
    await this.#app.close();
    await this.exports[Symbol.asyncDispose]();
  }
}
