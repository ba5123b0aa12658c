import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { EMPTY_PROJECT, type Project } from '../../../src/studio/document/project.ts';
import { compareProjects } from '../../../src/studio/document/versions.ts';
import type { Remote } from '../../../src/studio/keeping/kept-project.ts';
import {
  ProjectSync,
  QUIET_MS,
  StaleRevision,
  type SyncPort,
  type SyncState,
} from '../../../src/studio/sync/project-sync.ts';
import { ranked } from '../document/project-builder.ts';

const NEW: Remote = { id: 'p', etag: null, clean: null, sent: null };

function titled(title: string): Project {
  return { ...EMPTY_PROJECT, tier_list: { ...EMPTY_PROJECT.tier_list, title } };
}

/** A service with one project, as the real one keeps it: a save names the revision that it overwrites. */
class Service {
  stored: { readonly etag: string; readonly text: string } | null = null;
  revision = 0;
  /** All that was ever stored. */
  readonly texts = new Set<string>();

  put(project: Project, etag: string | null): string {
    const text = JSON.stringify(project);
    if (this.stored?.text === text) return this.stored.etag;
    if ((this.stored?.etag ?? null) !== etag) throw new StaleRevision();
    this.revision += 1;
    this.stored = { etag: `"${this.revision}"`, text };
    this.texts.add(text);
    return this.stored.etag;
  }
}

/** A browser with the project open, with a manual clock. */
class Device {
  readonly service: Service;
  readonly states: string[] = [];
  state: SyncState = { step: 'kept' };
  remote: Remote;
  project: Project;
  sync: ProjectSync;
  /** What happens to the next save: it fails before or after the service has it. */
  fault: 'before' | 'after' | null = null;
  #timers: { readonly at: number; readonly run: () => void }[] = [];
  #now = 0;

  constructor(service: Service, project: Project, remote: Remote = NEW) {
    this.service = service;
    this.project = project;
    this.remote = remote;
    this.sync = this.#start();
  }

  #start(): ProjectSync {
    const { service } = this;
    const port: SyncPort = {
      save: async (project, etag) => {
        const { fault } = this;
        this.fault = null;
        if (fault === 'before') throw new Error('The disk is full.');
        const saved = this.service.put(project, etag);
        if (fault === 'after') throw new Error('The connection broke off.');
        return saved;
      },
      tag: async () => this.service.stored?.etag ?? null,
      read: async () => {
        if (this.service.stored === null) return null;
        const { etag, text } = this.service.stored;
        return { etag, project: JSON.parse(text), savedAtMs: 0, digest: text };
      },
      digest: async (project) => JSON.stringify(project),
      remember: async (remote) => {
        this.remote = remote;
      },
      show: (project) => {
        const isStored = service.texts.has(JSON.stringify(this.project));
        assert.ok(isStored || this.state.step === 'conflict', 'what was here is lost');
        this.project = project;
      },
      after: (ms, run) => {
        const timer = { at: this.#now + ms, run };
        this.#timers.push(timer);
        return () => {
          this.#timers = this.#timers.filter((other) => other !== timer);
        };
      },
    };
    return new ProjectSync(this.remote, this.project, port, (state) => {
      this.state = state;
      this.states.push(state.step);
    });
  }

  edit(title: string): void {
    this.project = titled(title);
    this.sync.changed(this.project);
  }

  /** The page is closed and opened: only stored data remains. */
  async reload(): Promise<void> {
    this.sync.close();
    this.#timers = [];
    this.sync = this.#start();
    await this.sync.look();
  }

  async pass(ms: number): Promise<void> {
    this.#now += ms;
    const due = this.#timers.filter(({ at }) => at <= this.#now);
    this.#timers = this.#timers.filter(({ at }) => at > this.#now);
    for (const { run } of due) run();
    // All that is awaited above is there at once.
    await new Promise((resolve) => setImmediate(resolve));
  }

  get title(): string | undefined {
    return this.project.tier_list.title;
  }
}

function storedTitle({ stored }: Service): string | undefined {
  return stored === null ? undefined : (JSON.parse(stored.text) as Project).tier_list.title;
}

test('[C76] a project is sent after a quiet moment, once for many changes, over the revision it is based on', async () => {
  const service = new Service();
  const device = new Device(service, titled('one'));
  await device.sync.look();
  assert.equal(storedTitle(service), 'one');
  for (const title of ['two', 'three', 'four']) {
    device.edit(title);
    await device.pass(QUIET_MS - 1);
  }
  assert.deepEqual([storedTitle(service), device.state.step], ['one', 'changed']);
  await device.pass(1);
  assert.deepEqual([storedTitle(service), device.state.step, service.revision], ['four', 'kept', 2]);
  await device.reload();
  assert.equal(service.revision, 2, 'nothing has changed, so nothing is sent');
});

test('[C76] a save that fails gives the reason and is retried; one whose response is lost is not a conflict', async () => {
  const service = new Service();
  const device = new Device(service, titled('one'));
  device.fault = 'before';
  await device.sync.look();
  assert.deepEqual(device.state, { step: 'failed', message: 'The disk is full.' });
  await device.pass(60_000);
  assert.deepEqual([device.state.step, storedTitle(service)], ['kept', 'one']);

  device.fault = 'after';
  device.edit('two');
  await device.pass(QUIET_MS);
  assert.equal(device.state.step, 'failed');
  device.edit('three');
  await device.reload();
  assert.deepEqual([device.state.step, storedTitle(service)], ['kept', 'three']);
});

test('[C76] a save by another device is applied if nothing changed here, and is a conflict otherwise', async () => {
  const service = new Service();
  const here = new Device(service, titled('one'));
  await here.sync.look();
  const there = new Device(service, titled('one'), here.remote);
  there.edit('theirs');
  await there.pass(QUIET_MS);
  await here.sync.look();
  assert.deepEqual([here.title, here.state.step], ['theirs', 'kept']);

  for (const [choice, title] of [
    ['keepMine', 'mine'],
    ['keepTheirs', 'theirs once more'],
  ] as const) {
    const theirs = choice === 'keepMine' ? 'theirs again' : 'theirs once more';
    there.edit(theirs);
    await there.sync.look();
    await there.pass(QUIET_MS);
    here.edit('to be mine');
    await here.pass(QUIET_MS);
    assert.equal(here.state.step, 'conflict');
    here.edit('mine');
    await here.pass(QUIET_MS);
    assert.equal(storedTitle(service), theirs, 'nothing is sent before one is chosen');
    await here.sync[choice]();
    assert.deepEqual([here.title, storedTitle(service), here.state.step], [title, title, 'kept']);
    await there.sync.look();
    assert.equal(there.title, title);
  }
});

test('[C76] a project that was deleted on the service stays here, and can be stored there again', async () => {
  const service = new Service();
  const device = new Device(service, titled('one'));
  await device.sync.look();
  service.stored = null;
  device.edit('two');
  await device.pass(QUIET_MS);
  assert.deepEqual([device.state.step, device.title], ['gone', 'two']);
  await device.sync.keepMine();
  assert.deepEqual([device.state.step, storedTitle(service)], ['kept', 'two']);
});

test('[C76] two devices never overwrite each other unseen, whatever fails, and agree once one version is chosen', async () => {
  const act = fc.record({
    on: fc.nat(1),
    what: fc.constantFrom('edit', 'pass', 'look', 'reload', 'before', 'after'),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(act, { maxLength: 25 }), async (acts) => {
      const service = new Service();
      const first = new Device(service, titled('start'));
      await first.sync.look();
      const devices = [first, new Device(service, titled('start'), first.remote)];
      let edits = 0;
      for (const { on, what } of acts) {
        const device = devices[on]!;
        if (what === 'edit') {
          edits += 1;
          device.edit(`${on} ${edits}`);
        } else if (what === 'pass') await device.pass(400_000);
        else if (what === 'look') await device.sync.look();
        else if (what === 'reload') await device.reload();
        else device.fault = what;
        const { state, title } = device;
        if (state.step === 'kept') assert.equal(title, (JSON.parse(device.remote.clean!) as Project).tier_list.title);
      }
      for (let round = 0; round < 3; round += 1) {
        for (const device of devices) {
          device.fault = null;
          await device.pass(400_000);
          await device.sync.look();
          if (device.state.step === 'conflict') await device.sync.keepMine();
          await device.pass(400_000);
        }
      }
      assert.deepEqual(
        devices.map(({ title }) => title),
        [storedTitle(service), storedTitle(service)],
      );
    }),
    { numRuns: 150 },
  );
});

test('two versions of a project differ in what was added, removed or changed', () => {
  const one = ranked(4);
  assert.deepEqual(compareProjects(one, structuredClone(one)), []);
  const other = structuredClone(one) as { tier_list: { title?: string; items: object[] } } & Project;
  other.tier_list.title = 'Another';
  other.tier_list.items.pop();
  Object.assign(other.tier_list.items[0]!, { name: 'Another' });
  Object.assign(other.settings, { fps: 60 });
  assert.deepEqual(compareProjects(one, other), [
    { part: 'title', count: 1 },
    { part: 'items', count: 2 },
    { part: 'settings', count: 1 },
  ]);
});
