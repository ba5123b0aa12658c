import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import type { ExportsPorts } from '../../../src/compose/exports-ports.ts';
import type { ExportView } from '../../../src/exports/api/export-view.ts';
import type { DraftView } from '../../../src/exports/api/projects-api.ts';
import type { RenderHost } from '../../../src/sandbox/render-host.ts';
import { SOUND_PART } from '../../../src/store/records/draft-records.ts';
import { makeClip } from '../../fixtures/clips.ts';
import { reached } from '../../service/export-client.ts';
import { uncancelled } from '../../uncancelled.ts';
import { ExportsFixture } from '../exports-fixture.ts';
import { putMedia, sumOf } from '../media/put-media.ts';

const ID = '3f2b8c1e-7a40-4d0e-9c55-0b1d2e3f4a5b';
const clip = await makeClip({ frames: 90, width: 128, height: 72 });
const TIER_LIST = { title: 'Few', rows: [{ id: 'S', item_ids: ['x'] }], items: [{ id: 'x', name: 'One' }] };

/** 32 seconds, which are several chunks. Text that changes late changes the last of them only. */
function documents(lateText = 'later'): { tier_list: object; timeline_data: object } {
  const timeline_data = {
    tier_blocks: [{ start: 0, duration: 32 }],
    tier_tiles: [{ tier_item_id: 'x', position: 1 }],
    subtitles: [{ start: 30, duration: 1, text: lateText }],
  };
  return { tier_list: TIER_LIST, timeline_data };
}

interface Child {
  readonly asked: string[];
  readonly lent: string[];
}

/** A service without a worker that records the requests to its children, and can hold them. */
class Desk implements AsyncDisposable {
  readonly fixture: ExportsFixture;
  readonly asked: string[];
  /** The requests to each child, and what it could read when it loaded its code. */
  readonly children: Child[];
  /** While it is set, children respond to no request for chunks until they are ended. */
  readonly hold: { on: boolean; begun: PromiseWithResolvers<void>; ended: PromiseWithResolvers<void> };

  private constructor(fixture: ExportsFixture, asked: string[], children: Child[], hold: Desk['hold']) {
    this.fixture = fixture;
    this.asked = asked;
    this.children = children;
    this.hold = hold;
  }

  static async open(
    folder?: string,
    policy: { maxDrafts?: number; prerender?: 'all' } = {},
    replaced: (usual: ExportsPorts) => Partial<ExportsPorts> = () => ({}),
  ): Promise<Desk> {
    const asked: string[] = [];
    const children: Child[] = [];
    const hold = { on: false, begun: Promise.withResolvers<void>(), ended: Promise.withResolvers<void>() };
    const fixture = await ExportsFixture.open({ prerender: 'selected', ...policy }, folder, (usual) => ({
      host: notingHost(usual.host, { asked, children, hold }),
      ...replaced(usual),
    }));
    return new Desk(fixture, asked, children, hold);
  }

  put(sent: object, { tenant = 'default', id = ID }: { tenant?: string; id?: string } = {}): Promise<void> {
    const { texts } = this.fixture.submission(sent as never, {});
    return this.fixture.parts.drafts.put(id, { tenant, texts, uploads: new Map() }, uncancelled);
  }

  get(tenant = 'default', id = ID): Promise<DraftView | null> {
    return this.fixture.parts.drafts.get(tenant, id);
  }

  /** The draft once all of it is rendered. */
  async ready(): Promise<DraftView> {
    for (;;) {
      const view = (await this.get())!;
      if (view.state !== 'rendering') return view;
      await setTimeout(20);
    }
  }

  /** The requests to children for an export of these documents. A child for the next one may start meanwhile. */
  async export(sent: object, tenant = 'default'): Promise<string[]> {
    this.asked.length = 0;
    await this.exported(sent, tenant);
    return this.asked.filter((name) => name !== 'warm_up');
  }

  /** The finished export of these documents. */
  async exported(sent: object, tenant = 'default'): Promise<ExportView> {
    const { api } = this.fixture;
    const { id } = await api.submit(this.fixture.submission(sent as never, {}, { tenant }), uncancelled);
    const view = (await Array.fromAsync(api.follow(id, uncancelled))).at(-1)!;
    assert.equal(view.state, 'completed', this.fixture.logged.join('\n'));
    return view;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.fixture[Symbol.asyncDispose]();
  }
}

/** A cache that is full of chunks in use. */
class FullChunks {
  readonly #chunks: ExportsPorts['chunks'];

  constructor(chunks: ExportsPorts['chunks']) {
    this.#chunks = chunks;
  }

  get sizeBytes(): number {
    return this.#chunks.sizeBytes;
  }

  async put(): Promise<void> {}

  present(...asked: Parameters<ExportsPorts['chunks']['present']>) {
    return this.#chunks.present(...asked);
  }

  async get(): Promise<null> {
    return null;
  }

  trim(): Promise<void> {
    return this.#chunks.trim();
  }
}

function notingHost(
  host: RenderHost,
  { asked, children, hold }: Pick<Desk, 'asked' | 'children' | 'hold'>,
): RenderHost {
  const open: RenderHost['open'] = async (task) => {
    const child = await host.open(task);
    const noted: Child = { asked: [], lent: [] };
    children.push(noted);
    const request = child.request.bind(child);
    child.request = async (operation, params, options) => {
      asked.push(operation);
      noted.asked.push(operation);
      if (operation === 'warm_up') noted.lent.push(...readdirSync(task.lentDir!));
      if (hold.on && operation === 'render_chunks') {
        hold.begun.resolve();
        const { promise, reject } = Promise.withResolvers<never>();
        options?.signal?.addEventListener('abort', () => reject(options.signal!.reason));
        await promise.finally(() => hold.ended.resolve());
      }
      return request(operation, params, options);
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

test('[C79] a draft is rendered in idle time, and an export of the same documents renders nothing', async () => {
  await using desk = await Desk.open();
  await desk.put(documents());
  const before = (await desk.get())!;
  assert.deepEqual([before.state, before.ready, before.ranges], ['rendering', 0, []]);
  assert.ok(before.chunks > 2, `${before.chunks} chunks`);
  desk.fixture.startWorker();
  const after = await desk.ready();
  assert.deepEqual(after, {
    state: 'ready',
    chunks: before.chunks,
    ready: before.chunks,
    ranges: [{ start: 0, end: 32 }],
  });
  assert.deepEqual(await desk.export(documents()), ['assemble'], 'the poster is there, too');
});

test('[C79] after an edit of a draft only the changed chunks are rendered', async () => {
  await using desk = await Desk.open();
  desk.fixture.startWorker();
  await desk.put(documents());
  await desk.ready();
  await desk.put(documents('corrected'));
  const edited = (await desk.get())!;
  assert.ok(edited.ready > 0 && edited.ready < edited.chunks, `${edited.ready} of ${edited.chunks}`);
  assert.equal(edited.ranges[0]!.start, 0);
  desk.asked.length = 0;
  assert.equal((await desk.ready()).state, 'ready');
  // The poster is a frame of the last chunk.
  assert.deepEqual(
    desk.asked.filter((name) => name.startsWith('render')),
    [...Array.from({ length: edited.chunks - edited.ready }, () => 'render_chunks'), 'render_still'],
  );
});

test('[C79, H1] the export of a draft is rendered by a child that was started in advance and could read nothing', async () => {
  await using desk = await Desk.open();
  desk.fixture.startWorker();
  await desk.put(documents());
  await desk.ready();
  await reached('a spare child', () => desk.asked.includes('warm_up'), 60);
  await desk.exported(documents('corrected'));
  const spare = desk.children.find(({ asked }) => asked.includes('warm_up'))!;
  assert.deepEqual(spare.lent, []);
  assert.deepEqual(spare.asked, ['warm_up', 'render_chunks', 'assemble', 'render_still']);
});

test('[C79, R18] all presets of a drafted and edited export have the bytes of one without a draft', async () => {
  await using desk = await Desk.open(undefined, { prerender: 'all' });
  desk.fixture.startWorker();
  await desk.put(documents());
  const { chunks } = await desk.ready();
  desk.asked.length = 0;
  const drafted = await desk.exported(documents('corrected'));
  assert.ok(desk.asked.filter((name) => name === 'render_chunks').length < chunks, `${desk.asked}`);
  await using other = await Desk.open(undefined, { prerender: 'all' });
  other.fixture.startWorker();
  const fresh = await other.exported(documents('corrected'));
  const videos = ({ outputs }: ExportView) => outputs.map(({ preset, sha256 }) => [preset, sha256]);
  assert.deepEqual(videos(drafted), videos(fresh));
  assert.equal(new Set(videos(drafted).map(([, sha256]) => sha256)).size, 3, 'three videos');
});

test('[C79] an edit ends the rendering of the chunks it changes; other rendering continues', async () => {
  await using desk = await Desk.open();
  desk.hold.on = true;
  desk.fixture.startWorker();
  await desk.put(documents());
  await desk.hold.begun.promise;
  let hasEnded = false;
  void desk.hold.ended.promise.then(() => {
    hasEnded = true;
  });
  await desk.put(documents('corrected'));
  await setTimeout(50);
  assert.equal(hasEnded, false, 'the first chunk is the same in both');
  const other = documents();
  await desk.put({ ...other, tier_list: { ...TIER_LIST, title: 'Another board' } });
  await desk.hold.ended.promise;
  desk.hold.on = false;
  assert.equal((await desk.ready()).state, 'ready');
});

test('[C79] any job interrupts the rendering of drafts, which continues in idle time', async () => {
  await using desk = await Desk.open();
  desk.hold.on = true;
  desk.fixture.startWorker();
  await desk.put(documents());
  await desk.hold.begun.promise;
  desk.hold.on = false;
  const { tier_list } = documents();
  const short = { tier_list, timeline_data: { subtitles: [{ start: 0, duration: 1, text: 'soon' }] } };
  const asked = await desk.export(short, 'another');
  await desk.hold.ended.promise;
  assert.ok(asked.includes('render_chunks'), 'the export was rendered');
  assert.equal((await desk.ready()).state, 'ready');
});

test('[C79] a deleted draft is not rendered further; other tenants see neither a draft nor its chunks', async () => {
  await using desk = await Desk.open();
  const { drafts } = desk.fixture.parts;
  await desk.put(documents());
  assert.equal(await desk.get('another'), null);
  assert.equal(await drafts.remove('another', ID), false);
  desk.fixture.startWorker();
  await desk.ready();
  assert.ok((await desk.export(documents(), 'another')).includes('render_chunks'));
  desk.hold.on = true;
  await desk.put({ ...documents(), tier_list: { ...TIER_LIST, title: 'Another board' } });
  await desk.hold.begun.promise;
  assert.equal(await drafts.remove('default', ID), true);
  await desk.hold.ended.promise;
  assert.equal(await desk.get(), null);
  assert.equal(await drafts.remove('default', ID), false);
});

test('[C79] chunks that a dead worker had claimed are rendered by the next one; a restart keeps drafts and their plans', async () => {
  const first = await Desk.open();
  await first.put(documents());
  const { ports, folder } = first.fixture;
  const draft = (await ports.drafts.find('default', ID, ports.database))!;
  const until = { holder: 'dead', nowMs: 1, untilMs: Number.MAX_SAFE_INTEGER };
  for (const part of [0, SOUND_PART]) {
    assert.ok(await ports.database.transaction((tx) => ports.drafts.claim(draft, part, until, tx)));
    assert.equal(await ports.database.transaction((tx) => ports.drafts.claim(draft, part, until, tx)), false);
  }
  await first.fixture.stop();
  await using second = await Desk.open(folder);
  second.fixture.startWorker();
  assert.equal((await second.ready()).state, 'ready');
});

test('[C79] a draft accepts media by reference only, and the number of drafts per tenant is limited', async () => {
  await using desk = await Desk.open(undefined, { maxDrafts: 1 });
  const { drafts } = desk.fixture.parts;
  const timeline_data = { videos: [{ id: 'v', file_field: 'clip', duration: 3 }] };
  const { texts, uploads } = desk.fixture.submission({ timeline_data }, { clip: clip.file });
  const put = (other: object) => drafts.put(ID, { tenant: 'default', texts, uploads, ...other }, uncancelled);
  await assert.rejects(put({}), { code: 'draft.needs_references' });
  await assert.rejects(put({ uploads: new Map() }), { code: 'media.not_uploaded' });
  const urls = new Map([...texts, ['media_urls', JSON.stringify({ clip: 'https://example.com/clip.mp4' })]]);
  await assert.rejects(put({ uploads: new Map(), texts: urls }), { code: 'draft.needs_references' });
  await putMedia(desk.fixture, clip.file);
  const refs = new Map([...texts, ['media_refs', JSON.stringify({ clip: sumOf(clip.file) })]]);
  await put({ uploads: new Map(), texts: refs });
  await put({ uploads: new Map(), texts: refs });
  const another = { tenant: 'default', texts: refs, uploads: new Map() };
  await assert.rejects(drafts.put(crypto.randomUUID(), another, uncancelled), { code: 'draft.too_many' });
  desk.fixture.startWorker();
  assert.deepEqual((await desk.ready()).ranges, [{ start: 0, end: 3 }]);
});

test('[C79] a draft expires ten minutes after it was last sent or read', async () => {
  let nowMs = Date.now();
  await using exports = await ExportsFixture.open({}, undefined, () => ({ now: () => nowMs }));
  const { drafts } = exports.parts;
  const { texts } = exports.submission(documents() as never, {});
  await drafts.put(ID, { tenant: 'default', texts, uploads: new Map() }, uncancelled);
  const { expire } = drafts as unknown as { expire(): Promise<void> };
  const pass = async (minutes: number) => {
    nowMs += minutes * 60_000;
    await expire.call(drafts);
  };
  await pass(9);
  assert.ok(await drafts.get('default', ID));
  await pass(9);
  assert.ok(await drafts.get('default', ID));
  await pass(10.5);
  assert.equal(await drafts.get('default', ID), null);
  assert.deepEqual(await Array.fromAsync(exports.ports.blobs.list('plans/')), []);
});

test('[C79] if the cache has no room for a draft, nothing is rendered twice', async () => {
  await using desk = await Desk.open(undefined, {}, ({ chunks }) => ({ chunks: new FullChunks(chunks) as never }));
  desk.fixture.startWorker();
  await desk.put(documents());
  const { state, ready } = await desk.ready();
  assert.deepEqual([state, ready], ['ready', 0]);
  assert.deepEqual(
    desk.asked.filter((name) => name === 'render_chunks'),
    ['render_chunks'],
  );
});

test('[C79] a draft is stored even if its earlier plan cannot be removed', async () => {
  await using desk = await Desk.open();
  await desk.put(documents());
  const { blobs } = desk.fixture.ports;
  const { deleteMany } = blobs;
  blobs.deleteMany = () => Promise.reject(new Error('the store is away'));
  await desk.put(documents('corrected'));
  blobs.deleteMany = deleteMany;
  assert.equal((await desk.get())?.state, 'rendering');
});
