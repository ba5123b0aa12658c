import assert from 'node:assert/strict';
import { reached } from '../service/export-client.ts';
import { cpuSeconds, descendantsOf, residentBytes } from '../service/process-tree.ts';
import { type Deployment, ServiceFixture, type ServiceSettings } from '../service/service-fixture.ts';

/** Memory of the HTTP process depends on nothing that is sent to it. */
const MAX_RSS_BYTES = 400 * 2 ** 20;

/** The real service, and what must hold after any attack. */
export class AttackedService<D extends Deployment = ServiceFixture> implements AsyncDisposable {
  readonly fixture: D;

  constructor(fixture: D) {
    this.fixture = fixture;
  }

  static async start(settings: ServiceSettings = {}): Promise<AttackedService> {
    return new AttackedService(await ServiceFixture.start(settings));
  }

  get base(): string {
    return this.fixture.base;
  }

  get port(): number {
    return Number(new URL(this.base).port);
  }

  /** Processor time of all its processes so far. */
  cpuSeconds(): number {
    return this.fixture.nodes.reduce((sum, { pid }) => sum + cpuSeconds(pid), 0);
  }

  /** It is alive, returned no 5xx, and nothing is left of refused requests: no child, no upload, no work files. */
  async assertUnharmed(): Promise<void> {
    const health = await fetch(`${this.base}/healthz`);
    assert.equal(health.status, 200);
    await health.text();
    const lines = this.fixture.nodes.flatMap((node) => node.lines);
    assert.deepEqual(
      lines.filter((line) => /"status":5(?!03|07)\d\d/.test(line)),
      [],
    );
    assert.deepEqual(
      lines.filter((line) => /"level":(50|60)|Error: |FATAL/.test(line)),
      [],
    );
    const pids = this.fixture.nodes.map(({ pid }) => pid);
    await reached('the end of every child', () => pids.every((pid) => descendantsOf(pid).length === 0));
    await reached('an empty work folder', () => this.fixture.files('work').length === 0);
    if (process.platform !== 'linux') return;
    for (const pid of pids) {
      const rssBytes = residentBytes(pid);
      assert.ok(rssBytes < MAX_RSS_BYTES, `the service holds ${Math.round(rssBytes / 2 ** 20)} MB`);
    }
  }

  /** Nothing was kept: no upload, no plan, no video. */
  assertNothingKept(): void {
    assert.deepEqual(this.fixture.files('blobs'), []);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.fixture[Symbol.asyncDispose]();
  }
}
