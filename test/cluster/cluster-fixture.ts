import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { migrateDatabase } from '../../src/compose/open-store.ts';
import { testDatabase } from '../postgres/test-database.ts';
import { type Deployment, filesBelow, ServiceFixture, type ServiceSettings } from '../service/service-fixture.ts';

export interface ClusterOptions {
  readonly apis?: number;
  readonly workers?: number;
  /** Variables of every node. */
  readonly settings?: ServiceSettings;
  /** The database; else an empty one on the PostgreSQL of the test run. */
  readonly databaseUrl?: string;
}

/** Real nodes, each a process with its own data folder, on one PostgreSQL and one shared folder. */
export class ClusterFixture implements Deployment {
  readonly databaseUrl: string;
  /** What all nodes share. */
  readonly folder: string;
  readonly apis: ServiceFixture[] = [];
  readonly workers: ServiceFixture[] = [];
  readonly #settings: ServiceSettings;
  #turn = 0;

  private constructor(databaseUrl: string, folder: string, settings: ServiceSettings) {
    this.databaseUrl = databaseUrl;
    this.folder = folder;
    this.#settings = settings;
  }

  static async start(options: ClusterOptions = {}): Promise<ClusterFixture> {
    const { apis = 2, workers = 2, settings = {}, databaseUrl = await testDatabase() } = options;
    await migrateDatabase({ databaseUrl, dataDir: '' });
    const cluster = new ClusterFixture(databaseUrl, mkdtempSync(join(tmpdir(), 'tiercut-shared-')), settings);
    try {
      await Promise.all([
        ...Array.from({ length: apis }, () => cluster.addApi()),
        ...Array.from({ length: workers }, () => cluster.addWorker()),
      ]);
    } catch (error) {
      await cluster[Symbol.asyncDispose]();
      throw error;
    }
    return cluster;
  }

  /** The next API node, in turn: each request of a test goes to another node than the last. */
  get base(): string {
    const alive = this.apis.filter(({ base }) => base !== '');
    this.#turn += 1;
    return alive[this.#turn % alive.length]!.base;
  }

  get nodes(): readonly ServiceFixture[] {
    return [...this.apis, ...this.workers];
  }

  /** Another API node without a worker. */
  async addApi(settings: ServiceSettings = {}): Promise<ServiceFixture> {
    return this.#add(this.apis, settings, ['serve', '--no-render']);
  }

  /** One more node that renders, one job at a time. */
  async addWorker(settings: ServiceSettings = {}): Promise<ServiceFixture> {
    return this.#add(this.workers, settings, ['work']);
  }

  /** In the folder that nodes share; work in progress is in their own folders, too, beside copies that are kept for the next job. */
  files(part: string): string[] {
    const shared = filesBelow(join(this.folder, part), '');
    if (part !== 'work') return shared.sort();
    const own = this.nodes.flatMap(({ folder }) => filesBelow(join(folder, part), ''));
    return [...shared, ...own.filter((file) => file.includes('/'))].sort();
  }

  async #add(nodes: ServiceFixture[], settings: ServiceSettings, command: readonly string[]): Promise<ServiceFixture> {
    const shared = {
      TIERCUT_DATABASE_URL: this.databaseUrl,
      TIERCUT_BLOBS_URL: pathToFileURL(this.folder).href,
      TIERCUT_RENDERS_AT_ONCE: '1',
    };
    const node = await ServiceFixture.start({ ...shared, ...this.#settings, ...settings }, command);
    nodes.push(node);
    return node;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.nodes.map((node) => node[Symbol.asyncDispose]()));
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 5 });
  }
}
