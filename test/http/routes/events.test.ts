import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { CALLBACK_EVENTS } from '../../../src/exports/api/export-view.ts';
import { EventReceiver } from '../../exports/deliver/event-receiver.ts';
import { seen } from '../../service/export-client.ts';
import { DescribedReplies } from '../openapi/described.ts';
import { exampleParts, postForm, problemOf, type Service, serve } from '../serve.ts';

const VIDEO = Buffer.from('a video');
const ASYNC = { prefer: 'respond-async' };
const BROKEN = { kind: 'internal', code: 'render.failed', message: 'It broke.', issues: [] } as const;

interface Listed {
  readonly id: string;
  readonly type: string;
  readonly timestamp: string;
  readonly preset?: string;
  readonly deliveries: readonly {
    readonly webhook: string | null;
    readonly state: string;
    readonly attempts: number;
  }[];
}

async function make(service: Service, fields: Readonly<Record<string, string>> = {}): Promise<string> {
  const parts = Object.entries(fields).map(([name, content]) => ({ name, content }));
  const reply = await postForm(service, [...exampleParts(), ...parts], ASYNC);
  assert.equal(reply.status, 202, await reply.clone().text());
  return ((await reply.json()) as { export_id: string }).export_id;
}

async function finished(service: Service, fields: Readonly<Record<string, string>> = {}): Promise<string> {
  const id = await make(service, fields);
  for (const preset of ['preset_one', 'preset_two']) await service.exports.complete(id, preset, VIDEO);
  await service.exports.fail(id, 'preset_three', BROKEN);
  return id;
}

async function listed(service: Service, path: string): Promise<{ events: Listed[]; next: string | null }> {
  const reply = await fetch(`${service.base}${path}`);
  assert.equal(reply.status, 200, await reply.clone().text());
  return (await reply.json()) as { events: Listed[]; next: string | null };
}

const subjects = (events: readonly Listed[]) => events.map(({ type, preset }) => [type, preset ?? null]);
const EXPECTED = [
  ['output.failed', 'preset_three'],
  ['output.completed', 'preset_two'],
  ['export.completed', null],
  ['output.completed', 'preset_one'],
];

async function served(t: TestContext) {
  const service = await serve(t);
  return { service, described: await DescribedReplies.of(service) };
}

test('[C93] every event is recorded without a receiver, and listed newest first, for an export and for the tenant', async (t) => {
  const { service, described } = await served(t);
  const one = await finished(service);
  const two = await finished(service, { external_id: 'shop 7' });
  const ofOne = await fetch(`${service.base}/video/exports/${one}/events?format=list`);
  const { events } = (await described.check('GET /video/exports/{id}/events', ofOne)) as { events: Listed[] };
  assert.deepEqual(subjects(events), EXPECTED);
  assert.ok(events.every(({ deliveries }) => deliveries.length === 0));
  const times = events.map(({ timestamp }) => timestamp);
  assert.deepEqual(times, [...new Set(times)].sort().reverse(), 'each later than the one before');

  const all = await described.check('GET /events', await fetch(`${service.base}/events?limit=100`));
  assert.equal((all as { events: Listed[] }).events.length, 8);
  const found: Listed[] = [];
  for (let at: string | null = ''; at !== null; ) {
    const page: Response = await fetch(`${service.base}/events?limit=3${at === '' ? '' : `&cursor=${at}`}`);
    const { events: some, next } = (await page.json()) as { events: Listed[]; next: string | null };
    assert.ok(some.length <= 3);
    found.push(...some);
    assert.equal(page.headers.get('link'), next === null ? null : `</events?limit=3&cursor=${next}>; rel="next"`);
    // Pages stay stable: this one is newer than every place of a cursor.
    if (at === '') await finished(service);
    at = next;
  }
  assert.deepEqual(found, (all as { events: Listed[] }).events);

  const failures = await listed(service, '/events?type=output.failed');
  assert.deepEqual(subjects(failures.events), Array(3).fill(['output.failed', 'preset_three']));
  const ofTwo = await listed(service, `/video/exports/${two}/events?format=list&type=export.completed`);
  assert.deepEqual(
    ofTwo.events.map(({ id }) => id),
    [`${two}.completed`],
  );
  assert.equal((ofTwo.events[0] as unknown as { external_id: string }).external_id, 'shop 7');

  assert.equal((await fetch(`${service.base}/video/exports/${one}`, { method: 'DELETE' })).status, 204);
  assert.equal((await listed(service, '/events?limit=100')).events.length, 8, 'they go with their export');
  await problemOf(await fetch(`${service.base}/video/exports/${one}/events?format=list`), 404);
  assert.equal((await problemOf(await fetch(`${service.base}/events/${one}.completed`), 404)).code, 'event.unknown');
});

test('[C93] one event is read with its deliveries and sent again by its id, with the same webhook-id', async (t) => {
  const receiver = await EventReceiver.listen(t, 500);
  const { service, described } = await served(t);
  const id = await finished(service, { callback_url: receiver.url, callback_events: JSON.stringify(CALLBACK_EVENTS) });
  await seen('the first try', () => receiver.got.length === 1);
  const read = async (event: string) =>
    (await described.check('GET /events/{event_id}', await fetch(`${service.base}/events/${event}`))) as Listed & {
      tries: { event_id: string; status: number; webhook: null }[];
      data: { export_id: string; state: string };
    };
  const first = `${id}.output.completed.preset_one`;
  await seen('its try is recorded', async () => (await read(first)).tries.length === 1);
  const failing = await read(first);
  assert.deepEqual(
    failing.deliveries.map(({ webhook, state, attempts }) => [webhook, state, attempts]),
    [[null, 'pending', 1]],
  );
  assert.deepEqual([failing.data.export_id, failing.data.state], [id, 'completed']);
  assert.deepEqual(
    failing.tries.map(({ event_id, status }) => [event_id, status]),
    [[first, 500]],
  );

  // By its own address: an event that waits behind the first is sent at once, and not a second time later.
  const sent = await fetch(`${service.base}/events/${id}.completed/deliveries`, { method: 'POST' });
  const again = (await described.check('POST /events/{event_id}/deliveries', sent)) as Listed;
  assert.equal(again.deliveries[0]!.state, 'delivered');
  assert.deepEqual(receiver.idsOf(id), ['output.completed.preset_one', 'completed']);

  // By the export: the event that the body names, not the first that is not settled.
  const deliveries = `${service.base}/video/exports/${id}/deliveries`;
  const post = (body?: object) =>
    fetch(deliveries, {
      method: 'POST',
      ...(body && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
    });
  assert.equal((await post({ event_id: `${id}.output.failed.preset_three` })).status, 200);
  assert.equal(receiver.idsOf(id).at(-1), 'output.failed.preset_three');
  assert.equal((await post()).status, 200);
  await seen('the first, then what waited for it', () => receiver.got.length === 5);
  assert.deepEqual(receiver.idsOf(id).slice(3), ['output.completed.preset_one', 'output.completed.preset_two']);
  assert.equal((await post({})).status, 200, 'without an event, the last');

  const other = await finished(service);
  for (const [body, status, code] of [
    [{ event_id: `${other}.completed` }, 404, 'event.unknown'],
    [{ event_id: 'x' }, 404, 'event.unknown'],
    [{ event_id: 7 }, 422, 'field.type'],
    [{ event: `${id}.completed` }, 422, 'field.unknown'],
  ] as const) {
    assert.equal((await problemOf(await post(body), status)).errors[0]?.code ?? code, code, JSON.stringify(body));
  }
  const nowhere = await fetch(`${service.base}/events/${other}.completed/deliveries`, { method: 'POST' });
  const { code, detail } = await problemOf(nowhere, 422);
  assert.equal(code, 'callback.none');
  assert.match(detail, /no callback_url, and no registered webhook/);
});

test('[C69, C93] a destination that was sent, or has failed, is an event', async (t) => {
  const receiver = await EventReceiver.listen(t, 204, 403);
  const service = await serve(t);
  const destinations = JSON.stringify({
    preset_one: receiver.url,
    preset_two: receiver.url,
    preset_three: receiver.url,
  });
  const id = await make(service, { destinations });
  for (const preset of ['preset_one', 'preset_two']) {
    await service.exports.complete(id, preset, Buffer.from('"a video"'));
    await seen(`${preset} is tried`, async () => {
      const { events } = await listed(service, `/video/exports/${id}/events?format=list`);
      return events.some((event) => event.preset === preset && event.type.startsWith('destination.'));
    });
  }
  await service.exports.fail(id, 'preset_three', BROKEN);
  const { events } = await listed(service, `/video/exports/${id}/events?format=list`);
  assert.deepEqual(subjects(events).reverse(), [
    ['output.completed', 'preset_one'],
    ['export.completed', null],
    ['destination.sent', 'preset_one'],
    ['output.completed', 'preset_two'],
    ['destination.failed', 'preset_two'],
    ['output.failed', 'preset_three'],
    ['destination.failed', 'preset_three'],
  ]);
});

test('[C93, C6] hostile queries and ids of events are refused by name', async (t) => {
  const service = await serve(t);
  const id = await finished(service);
  const cursor = (text: string) => Buffer.from(text).toString('base64url');
  for (const [query, path, code] of [
    ['type=export.done', '/type', 'field.choice'],
    ['type=export.failed&type=export.completed', '/type', 'field.type'],
    ['limit=0', '/limit', 'field.range'],
    ['limit=101', '/limit', 'field.range'],
    ['cursor=x', '/cursor', 'field.format'],
    [`cursor=${cursor(`1 ${id}`)}`, '/cursor', 'field.format'],
    [`cursor=${cursor(`1 ${id}.${'x'.repeat(300)}`)}`, '/cursor', 'field.format'],
    [`cursor=${cursor(`1 ${id}.a'or''='`)}`, '/cursor', 'field.format'],
  ] as const) {
    for (const address of ['/events?', `/video/exports/${id}/events?format=list&`]) {
      const { errors } = await problemOf(await fetch(`${service.base}${address}${query}`), 422);
      assert.deepEqual([errors[0]!.path, errors[0]!.code], [path, code], query);
    }
  }
  const format = await problemOf(await fetch(`${service.base}/video/exports/${id}/events?format=xml`), 422);
  assert.deepEqual([format.errors[0]?.path ?? '/format', format.code], ['/format', 'field.choice']);
  for (const hostile of ['%00', '..%2f', 'a'.repeat(1000), encodeURIComponent("' or 1=1 --"), '%F0%9F%98%80']) {
    const reply = await fetch(`${service.base}/events/${hostile}`);
    assert.ok(reply.status === 404 || reply.status === 400, `${hostile}: ${reply.status}`);
  }
});
