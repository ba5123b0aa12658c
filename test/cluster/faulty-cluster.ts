import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import type { ExportMetadata } from '../../src/http/wire/export-metadata.ts';
import { PostgresServer } from '../postgres/postgres-server.ts';
import { createAsync, download, seen, statusOf } from '../service/export-client.ts';
import { longRequest } from '../service/sample-request.ts';
import { filesBelow, type ServiceFixture } from '../service/service-fixture.ts';
import { ClusterFixture } from './cluster-fixture.ts';
import { TcpProxy } from './tcp-proxy.ts';

/** Of video; two chunks. */
const SECONDS = 24;
const DATABASE = 'postgres';
/** The least there is: a worker that is silent for longer is dead to the others. */
export const LEASE_SECONDS = 10;
const SETTINGS = { TIERCUT_LEASE_SECONDS: `${LEASE_SECONDS}`, TIERCUT_PRERENDER: 'selected' };

/** What a worker's folder shows of what it is at. */
export const STAGES = {
  'a chunk is rendered': /made\/preset_one-\d+\.mp4/,
  'a second chunk is rendered': /made\/preset_one-1\.mp4/,
  'the sound is made': /made\/sound\.m4a/,
  'the pieces are put together': /(made\/preset_one\.mp4|lent\/part-0\.mp4)/,
} as const;

/** A cluster on a PostgreSQL of its own, one of whose workers has a wire to it that can be cut. */
export class FaultyCluster implements AsyncDisposable {
  readonly postgres: PostgresServer;
  readonly nodes: ClusterFixture;
  readonly wire: TcpProxy;
  /** Every export that was acknowledged, and what is promised of it. */
  readonly promised: ExportMetadata[] = [];
  readonly #watch = new AbortController();
  readonly #watching: Promise<void>;
  /** How often a video was served while all this went on. */
  served = 0;

  private constructor(postgres: PostgresServer, nodes: ClusterFixture, wire: TcpProxy) {
    this.postgres = postgres;
    this.nodes = nodes;
    this.wire = wire;
    this.#watching = this.#downloadAll();
  }

  /** Two nodes that answer, two that render, the second of these over the wire. */
  static async start(): Promise<FaultyCluster> {
    await using held = new AsyncDisposableStack();
    const postgres = held.use(await PostgresServer.create());
    const wire = held.use(await TcpProxy.to({ path: join(postgres.folder, '.s.PGSQL.5432') }));
    const databaseUrl = postgres.url(DATABASE);
    const nodes = held.use(await ClusterFixture.start({ databaseUrl, settings: SETTINGS, workers: 1 }));
    await nodes.addWorker({ TIERCUT_DATABASE_URL: `postgres://postgres@127.0.0.1:${wire.port}/${DATABASE}` });
    held.move();
    return new FaultyCluster(postgres, nodes, wire);
  }

  /** An export like no other, durable. */
  async create(label: string): Promise<ExportMetadata> {
    const made = await createAsync(this.nodes, longRequest(SECONDS, { label, settings: { quality: 'draft' } }));
    this.promised.push(made);
    return made;
  }

  /** The first worker that is seen at a stage, at that moment. */
  workerAt(stage: keyof typeof STAGES): Promise<ServiceFixture> {
    return seen(`a worker at which ${stage}`, () =>
      this.nodes.workers.find(({ folder }) =>
        filesBelow(join(folder, 'work'), '').some((file) => STAGES[stage].test(file)),
      ),
    );
  }

  /** SIGKILL, and a new start on the same folder. */
  async strike(node: ServiceFixture): Promise<void> {
    await node.kill();
    await node.start();
  }

  /** PostgreSQL crashes, and is there again, as when its machine was restarted. */
  async crashPostgres(): Promise<void> {
    await this.postgres.stop('immediate');
    await this.postgres.start();
  }

  /** Nothing is lost, nothing is done twice: every export that was acknowledged is whole, and its records say so. */
  async assertWhole(): Promise<void> {
    for (const { export_id } of this.promised) {
      const metadata = await seen(`the end of ${export_id}`, () => this.#endOf(export_id), 90).catch(async (error) => {
        const told = this.nodes.nodes.flatMap(({ lines }) => lines.filter((line) => /"level":[456]0/.test(line)));
        throw new Error(`${error}\n${JSON.stringify(await statusOf(this.nodes, export_id))}\n${told.join('\n')}`);
      });
      assert.equal(metadata.state, 'completed', JSON.stringify(metadata));
      const { seconds, frames } = await download(this.nodes, metadata, 'preset_one');
      assert.deepEqual([seconds, frames], [SECONDS, SECONDS * 30]);
    }
    const client = new pg.Client({ connectionString: this.postgres.url(DATABASE) });
    await client.connect();
    try {
      const { rows: outputs } = await client.query(
        `select export_id, frames_done, total_frames, jobs_left from outputs
         where state = 'completed' and (frames_done <> total_frames or jobs_left <> 0)`,
      );
      assert.deepEqual(outputs, [], 'each frame is counted once');
      const { rows: jobs } = await client.query(
        `select k.id, j.state from jobs k join pgboss.job j on j.id = k.engine_id where j.state <> 'completed'`,
      );
      assert.deepEqual(jobs, [], 'nothing is left to do');
    } finally {
      await client.end();
    }
  }

  /** While nodes die and come back a request may fail; whoever asks again is answered. */
  async #endOf(id: string): Promise<ExportMetadata | null> {
    try {
      const metadata = await statusOf(this.nodes, id);
      if (metadata.state !== 'queued' && metadata.state !== 'rendering') return metadata;
    } catch {}
    await delay(100);
    return null;
  }

  /** All the while: whatever is served as a video is the whole video that its tag names. */
  async #downloadAll(): Promise<void> {
    while (!this.#watch.signal.aborted) {
      for (const { download_url } of this.promised.slice(-5)) await this.#downloadOnce(download_url);
      await delay(50);
    }
  }

  async #downloadOnce(path: string): Promise<void> {
    let reply: Response;
    let bytes: Buffer;
    try {
      reply = await fetch(`${this.nodes.base}${path}`, { headers: { prefer: 'wait=0' } });
      bytes = Buffer.from(await reply.arrayBuffer());
    } catch {
      return; // a node that is killed cuts its answers off, and the client sees that they are
    }
    if (reply.status !== 200) return;
    this.served += 1;
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    assert.equal(reply.headers.get('etag'), `"${sha256}"`, 'part of a video was served');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#watch.abort();
    try {
      await this.#watching;
    } finally {
      await this.nodes[Symbol.asyncDispose]();
      await this.wire[Symbol.asyncDispose]();
      await this.postgres[Symbol.asyncDispose]();
    }
  }
}
