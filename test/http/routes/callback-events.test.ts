import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CALLBACK_EVENTS } from '../../../src/exports/api/export-view.ts';
import { EXAMPLE_REQUEST } from '../../../src/http/openapi/form-body.ts';
import { EventReceiver } from '../../exports/deliver/event-receiver.ts';
import { seen } from '../../service/export-client.ts';
import { uncancelled } from '../../uncancelled.ts';
import { DescribedReplies } from '../openapi/described.ts';
import { exampleParts, postForm, problemOf, serve } from '../serve.ts';

const VIDEO = Buffer.from('a video');
const ASYNC = { prefer: 'respond-async' };

test('[C68] a webhook gets the events that were selected, in order, with the metadata as data and beside it', async (t) => {
  const receiver = await EventReceiver.listen(t);
  const service = await serve(t);
  const described = await DescribedReplies.of(service);
  const make = async (events: readonly string[] | null, shortFails = false) => {
    const chosen = events === null ? [] : [{ name: 'callback_events', content: JSON.stringify(events) }];
    const parts = [...exampleParts({ settings: { shorts: true } }), ...chosen];
    const reply = await postForm(service, [...parts, { name: 'callback_url', content: receiver.url }], ASYNC);
    assert.equal(reply.status, 202, await reply.clone().text());
    const { export_id: id } = (await reply.json()) as { export_id: string };
    await service.exports.complete(id, 'preset_one', VIDEO);
    const short = service.exports.waitFor(id, 'short.1', uncancelled);
    await seen('the short is asked for', async () => {
      return (await service.exports.get(null, id))!.shorts[0]!.state === 'queued';
    });
    await service.exports.complete(id, 'preset_two', VIDEO);
    const failure = { kind: 'internal', code: 'render.failed', message: 'It broke.', issues: [] } as const;
    await service.exports.fail(id, 'preset_three', failure);
    if (shortFails) await service.exports.fail(id, 'short.1', failure);
    else await service.exports.complete(id, 'short.1', VIDEO);
    await short;
    return id;
  };
  const all = await make(CALLBACK_EVENTS);
  const [usual, none, failures] = [await make(null), await make([]), await make(['output.failed'], true)];
  const expected = [
    ['output.completed', { preset: 'preset_one' }],
    ['export.completed', {}],
    ['output.completed', { preset: 'preset_two' }],
    ['output.failed', { preset: 'preset_three' }],
    ['short.completed', { short: 1 }],
  ] as const;
  await seen('all are sent', () => receiver.got.length === expected.length + 3);
  assert.deepEqual([receiver.idsOf(usual), receiver.idsOf(none)], [['completed'], []]);
  assert.deepEqual(receiver.idsOf(failures), ['output.failed.preset_three', 'output.failed.short.1']);
  const got = receiver.got.filter(({ body }) => body.data.export_id === all);
  assert.equal(new Set(got.map(({ id }) => id)).size, expected.length);
  for (const [n, { body }] of got.entries()) {
    const [type, subject] = expected[n]!;
    const { timestamp, data } = body;
    assert.deepEqual(body, { ...data, type, timestamp, data, ...subject });
    assert.ok(Math.abs(Date.now() - Date.parse(timestamp)) < 60_000);
    described.checkSchema('Callback', body);
  }

  const listed = await fetch(`${service.base}/video/exports/${all}/deliveries`);
  const { callback_state, deliveries } = (await described.check('GET /video/exports/{id}/deliveries', listed)) as {
    callback_state: string;
    deliveries: { type: string }[];
  };
  assert.equal(callback_state, 'delivered');
  assert.deepEqual(
    deliveries.map(({ type }) => type),
    expected.map(([type]) => type).reverse(),
  );
});

test('[C68, C5, C67] unknown events are refused by name, with the list of known events', async (t) => {
  const service = await serve(t);
  const { tier_list, timeline_data } = EXAMPLE_REQUEST;
  const wrong = (events: unknown, path: string, code: string) => ({ events, path: `/callback_events${path}`, code });
  for (const { events, path, code } of [
    wrong(['export.completed', 'export.done'], '/1', 'field.choice'),
    wrong([1], '/0', 'field.choice'),
    wrong('export.completed', '', 'field.type'),
    wrong({}, '', 'field.type'),
    wrong(null, '', 'field.type'),
  ]) {
    const content = JSON.stringify(events);
    const form = await postForm(service, [...exampleParts(), { name: 'callback_events', content }], ASYNC);
    const json = await fetch(`${service.base}/video/exports/validate`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ tier_list, timeline_data, callback_events: events }),
    });
    for (const reply of [form, json]) {
      const { errors } = await problemOf(reply, 422);
      const error = errors.find((one) => one.path.startsWith('/callback_events'))!;
      assert.deepEqual([error.path, error.code], [path, code], content);
      if (code === 'field.choice') for (const event of CALLBACK_EVENTS) assert.ok(error.message.includes(event));
    }
  }
  const broken = [...exampleParts(), { name: 'callback_events', content: 'x' }];
  const { errors } = await problemOf(await postForm(service, broken, ASYNC), 400);
  assert.equal(errors[0]!.path, '/callback_events');
  assert.equal(service.exports.made, 0);
});
