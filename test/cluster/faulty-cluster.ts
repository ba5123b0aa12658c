import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { ExportMetadata } from '../../src/http/replies/export-replies.ts';
import { requestOf } from '../load/requests.ts';
import { PostgresServer } from '../postgres/postgres-server.ts';
import { createAsync, reached } from '../service/export-client.ts';
import type { ServiceFixture } from '../service/service-fixture.ts';
import { ClusterFixture } from './cluster-fixture.ts';
import { SharedFiles } from './shared-files.ts';
import { TcpProxy } from './tcp-proxy.ts';

const DATABASE = 'postgres';
/** A worker that is silent for longer counts as dead. */
export const LEASE_SECONDS = 10;
const SETTINGS = { TIERCUT_LEASE_SECONDS: `${LEASE_SECONDS}`, TIERCUT_PRERENDER: 'selected' };

/** A node's connections to shared services; a shared folder has none. */
interface Wires {
  readonly database: TcpProxy;
  readonly files: TcpProxy | null;
}

/** A cluster on its own PostgreSQL, whose nodes can be killed and disconnected one by one. */
export class FaultyCluster implements AsyncDisposable {
  readonly postgres: PostgresServer;
  readonly nodes: ClusterFixture;
  readonly files: SharedFiles;
  /** Every acknowledged export that is not checked yet. */
  readonly promised: ExportMetadata[] = [];
  /** How many creates got no response: each of them may have become an export. */
  unanswered = 0;
  /** How often a video was served during the faults. */
  served = 0;
  /** Videos that were served incompletely; there must be none. */
  readonly servedInPart: string[] = [];
  readonly #wires = new Map<ServiceFixture, Wires>();
  readonly #held: AsyncDisposableStack;
  readonly #watch = new AbortController();
  readonly #watching: Promise<void>;
  #starting: (() => Promise<void>)[] = [];
  #turn = 0;

  private constructor(postgres: PostgresServer, nodes: ClusterFixture, files: SharedFiles, held: AsyncDisposableStack) {
    this.postgres = postgres;
    this.nodes = nodes;
    this.files = files;
    this.#held = held;
    this.#watching = this.#downloadAll();
  }

  /**
   * Two API nodes, two workers.
   *
   * @param mayBeS3 whether to store files on the S3 server that `TIERCUT_TEST_S3` names, if it is set.
   */
  static async start({ mayBeS3 = false } = {}): Promise<FaultyCluster> {
    await using held = new AsyncDisposableStack();
    const postgres = held.use(await PostgresServer.create());
    const databaseUrl = postgres.url(DATABASE);
    const files = held.use(await SharedFiles.open(mayBeS3));
    const settings = { ...SETTINGS, ...files.settings };
    const nodes = held.use(await ClusterFixture.start({ databaseUrl, settings, apis: 0, workers: 0 }));
    const cluster = new FaultyCluster(postgres, nodes, files, held.move());
    try {
      await Promise.all([cluster.add('api'), cluster.add('api'), cluster.add('worker'), cluster.add('worker')]);
    } catch (error) {
      await cluster[Symbol.asyncDispose]();
      throw error;
    }
    return cluster;
  }

  get databaseUrl(): string {
    return this.postgres.url(DATABASE);
  }

  /** Another node, with its own connections. */
  async add(role: 'api' | 'worker'): Promise<ServiceFixture> {
    const database = this.#held.use(await TcpProxy.to({ path: join(this.postgres.folder, '.s.PGSQL.5432') }));
    const to = this.files.server;
    const files = to === null ? null : this.#held.use(await TcpProxy.to(to));
    const settings = {
      TIERCUT_DATABASE_URL: `postgres://postgres@127.0.0.1:${database.port}/${DATABASE}`,
      ...(files === null ? {} : { TIERCUT_S3_ENDPOINT: `http://127.0.0.1:${files.port}` }),
    };
    const node = await (role === 'api' ? this.nodes.addApi(settings) : this.nodes.addWorker(settings));
    this.#wires.set(node, { database, files });
    return node;
  }

  /** Removes a node permanently, as an operator does. */
  async retire(node: ServiceFixture): Promise<void> {
    await node.stop();
    await node[Symbol.asyncDispose]();
    for (const nodes of [this.nodes.apis, this.nodes.workers]) {
      if (nodes.includes(node)) nodes.splice(nodes.indexOf(node), 1);
    }
  }

  wiresOf(node: ServiceFixture): Wires {
    return this.#wires.get(node)!;
  }

  /** An API node, each time another one. */
  async api(): Promise<ServiceFixture> {
    this.#turn += 1;
    const { apis } = this.nodes;
    const node = apis[this.#turn % apis.length]!;
    await reached('a node that listens', () => node.base !== '');
    return node;
  }

  /** A durable export that shares nothing with others. */
  async create(label: string, request = requestOf(label)): Promise<ExportMetadata> {
    const made = await createAsync(await this.api(), request);
    this.promised.push(made);
    return made;
  }

  /** SIGKILL, and a new start on the same folder, which is not awaited. All its children end with it. */
  async strike(node: ServiceFixture): Promise<void> {
    await node.killTree();
    node.launch();
    const started = node.listening();
    started.catch(() => {}); // reported by `settled`
    this.#starting.push(() =>
      // A node that started while PostgreSQL was away has ended. It is started again, as an orchestrator does.
      started.catch(() => {
        node.launch();
        return node.listening();
      }),
    );
  }

  /** Every node runs again, and every connection works. */
  async settled(): Promise<void> {
    for (const { database, files } of this.#wires.values()) for (const wire of [database, files]) wire?.mend();
    const starting = this.#starting;
    this.#starting = [];
    await Promise.all(starting.map((started) => started()));
  }

  /** PostgreSQL ends, by a crash by default, and starts again, as after a restart of its machine. */
  async restartPostgres(ending: 'fast' | 'immediate' = 'immediate'): Promise<void> {
    await this.postgres.stop(ending);
    await this.postgres.start();
  }

  /** At any time, a served video is the complete video that its ETag names. */
  async #downloadAll(): Promise<void> {
    while (!this.#watch.signal.aborted) {
      for (const { download_url } of this.promised.slice(-3)) await this.#downloadOnce(download_url);
      await delay(200);
    }
  }

  async #downloadOnce(path: string): Promise<void> {
    let reply: Response;
    let bytes: Buffer;
    try {
      const signal = AbortSignal.any([this.#watch.signal, AbortSignal.timeout(10_000)]);
      reply = await fetch(`${this.nodes.base}${path}`, { headers: { prefer: 'wait=0' }, signal });
      bytes = Buffer.from(await reply.arrayBuffer());
    } catch {
      return; // a killed or disconnected node breaks off its responses, and the client detects it
    }
    if (reply.status !== 200) return;
    this.served += 1;
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    const etag = reply.headers.get('etag');
    if (etag !== `"${sha256}"`) this.servedInPart.push(`${path}: ${bytes.length} bytes, ${sha256}, not ${etag}`);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#watch.abort();
    try {
      await this.#watching;
    } finally {
      await this.#held.disposeAsync();
    }
  }
}
