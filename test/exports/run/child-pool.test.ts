import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { test } from 'node:test';
import { ChildPool } from '../../../src/exports/run/child-pool.ts';
import { ExportChild } from '../../../src/exports/run/export-child.ts';
import type { RenderHost } from '../../../src/sandbox/render-host.ts';
import { reached } from '../../service/export-client.ts';
import { uncancelled } from '../../uncancelled.ts';
import { ExportsFixture } from '../exports-fixture.ts';

/** The requests to one child. */
interface Noted {
  readonly operations: string[];
  /** Of the exports that it assembled. */
  readonly titles: Set<string>;
  /** What it could read when it loaded its code. */
  readonly lent: string[];
}

/** Records the requests to children; `onWarm` is called when one has loaded its code. */
function notingHost(host: RenderHost, children: Noted[], onWarm: (pid: number) => void): RenderHost {
  const open: RenderHost['open'] = async (task) => {
    const child = await host.open(task);
    const noted: Noted = { operations: [], titles: new Set(), lent: [] };
    children.push(noted);
    const request = child.request.bind(child);
    child.request = async (operation, params, options) => {
      noted.operations.push(operation);
      if (operation === 'assemble') noted.titles.add((params as { plan: { title: string } }).plan.title);
      if (operation === 'warm_up') noted.lent.push(...readdirSync(task.lentDir!));
      const result = await request(operation, params, options);
      if (operation === 'warm_up') onWarm(child.pid!);
      return result;
    };
    return child;
  };
  return new Proxy(host, {
    get: (target, name) => {
      const value = name === 'open' ? open : Reflect.get(target, name);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

/** Renders small exports one after the other; returns what each child did. */
async function renderSeveral(count: number, onWarm: (pid: number) => void = () => {}): Promise<Noted[]> {
  const children: Noted[] = [];
  await using exports = await ExportsFixture.open({ prerender: 'selected' }, undefined, ({ host }) => ({
    host: notingHost(host, children, onWarm),
  }));
  const ids: string[] = [];
  for (let n = 0; n < count; n += 1) {
    const documents = {
      tier_list: { title: `Video ${n}` },
      timeline_data: { subtitles: [{ text: `Video ${n}`, start: 0, duration: 1 }] },
    };
    ids.push((await exports.api.submit(exports.submission(documents, {}), uncancelled)).id);
  }
  exports.startWorker();
  for (const id of ids) {
    const { state } = (await Array.fromAsync(exports.api.follow(id, uncancelled))).at(-1)!;
    assert.equal(state, 'completed', exports.logged.join('\n'));
  }
  await exports.stop();
  return children;
}

test('[H1] a worker with a backlog starts the next child in advance, and each child serves one export', async () => {
  const children = await renderSeveral(4);
  const ahead = children.filter(({ operations }) => operations.includes('warm_up'));
  assert.ok(
    ahead.some(({ titles }) => titles.size === 1),
    'an export was rendered by a child that was started ahead',
  );
  for (const { lent, titles } of ahead) {
    assert.deepEqual(lent, [], 'it can read nothing of any export');
    assert.ok(titles.size <= 1, [...titles].join());
  }
  const made = children.flatMap(({ titles }) => [...titles]);
  assert.deepEqual(made.toSorted(), ['Video 0', 'Video 1', 'Video 2', 'Video 3'], 'no child serves two');
  assert.ok(children.length <= 5, `${children.length} children for four exports`);
});

test('[C35] a child that was started in advance and died is replaced', async () => {
  const children = await renderSeveral(3, (pid) => process.kill(pid, 'SIGKILL'));
  assert.ok(children.some(({ operations }) => operations.includes('warm_up')));
});

test('[H1] a single export starts one child', async () => {
  assert.equal((await renderSeveral(1)).length, 1);
});

test('[H7] a child that waits serves only videos that its limits suit, is replaced if they are too low, and ends if no export comes', async () => {
  await using exports = await ExportsFixture.open();
  const { ports } = exports;
  const children: ExportChild[] = [];
  const childPorts = { ...ports, uploads: { open: () => assert.fail() }, plans: { hold: () => assert.fail() } };
  const pool = new ChildPool(async (duration, signal) => {
    const child = await ExportChild.start(childPorts, duration, signal);
    children.push(child);
    return child;
  });
  await using stack = new AsyncDisposableStack();
  stack.defer(() => pool.close('drafts'));
  const ended = (length: number) =>
    reached(`the end of the child for ${length} s`, () =>
      children.some(({ duration, process }) => duration === length && !process.lives),
    );
  /** The length for which the child was started that serves a video of `duration` s. */
  const served = async (duration: number): Promise<number> => {
    const video = { id: `for ${duration} s`, tenant: 'ann', duration };
    const child = stack.use(await pool.open(video, uncancelled, { keepers: [pool, 'drafts'] }));
    assert.equal(child.exportId, video.id);
    assert.throws(() => child.serve(video), /one export/);
    return child.duration;
  };
  pool.keep('drafts', 10, uncancelled);
  assert.equal(await served(11), 11, 'a longer video gets its own');
  pool.keep('drafts', 10, uncancelled, 1);
  await ended(10);
  pool.keep('drafts', 20, uncancelled);
  pool.keep('drafts', 1000, uncancelled);
  await ended(20);
  assert.equal(await served(30), 30, 'a short video gets no limits of a long one');
  pool.keep('drafts', 500, uncancelled);
  assert.equal(await served(300), 1000);
  assert.equal(await served(300), 300, 'it is gone from the pool');
});
