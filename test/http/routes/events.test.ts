import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DEFAULT_PRESETS } from '../../../src/timeline/presets.ts';
import { exampleParts, postForm, rawConnection, type Service, serve } from '../serve.ts';

interface SeenEvent {
  readonly id: string;
  readonly event: string;
  readonly data: Record<string, unknown>;
}

/** Reads an event stream one event at a time; comments come as `null`. */
async function* readEvents(reply: Response): AsyncGenerator<SeenEvent | null> {
  let text = '';
  for await (const chunk of reply.body!.pipeThrough(new TextDecoderStream())) {
    text += chunk;
    for (let end = text.indexOf('\n\n'); end !== -1; end = text.indexOf('\n\n')) {
      const block = text.slice(0, end);
      text = text.slice(end + 2);
      if (block.startsWith('retry:')) continue;
      if (block.startsWith(':')) {
        yield null;
        continue;
      }
      const fields = Object.fromEntries(block.split('\n').map((line) => line.split(/: (.*)/s).slice(0, 2)));
      yield { id: fields.id, event: fields.event, data: JSON.parse(fields.data) };
    }
  }
}

async function started(service: Service): Promise<{ id: string; url: string }> {
  const reply = await postForm(service, exampleParts(), { prefer: 'respond-async' });
  const { export_id: id } = (await reply.json()) as { export_id: string };
  return { id, url: `${service.base}/video/exports/${id}/events` };
}

function assertRising(ids: readonly number[]): void {
  assert.ok(
    ids.every((id, n) => n === 0 || id > ids[n - 1]!),
    `not rising: ${ids.join(', ')}`,
  );
}

test('[C26] events report state and progress, with rising ids, and end when no preset changes any more', async (t) => {
  const service = await serve(t);
  const { id, url } = await started(service);
  const reply = await fetch(url);
  assert.equal(reply.headers.get('content-type'), 'text/event-stream; charset=utf-8');
  const events = readEvents(reply);
  const next = async () => (await events.next()).value as SeenEvent;
  const first = await next();
  assert.equal(first.event, 'state');
  assert.equal(first.data.export_id, id);
  assert.equal(first.data.state, 'queued');
  await service.exports.progress(id, 'preset_one', 0.25);
  assert.deepEqual([(await next()).event], ['state']);
  await service.exports.progress(id, 'preset_one', 0.5);
  let progress = await next();
  while (progress.data.progress !== 0.5) progress = await next();
  assert.equal(progress.event, 'progress');
  assert.notEqual(progress.id, first.id);
  await service.exports.complete(id, 'preset_one', Buffer.from('x'));
  const last = await next();
  assert.deepEqual([last.event, last.data.state, last.data.progress], ['state', 'completed', 1]);
  for (const preset of ['preset_two', 'preset_three']) {
    await service.exports.progress(id, preset, 0.5);
    await service.exports.complete(id, preset, Buffer.from('x'));
  }
  const rest = (await Array.fromAsync(events)) as SeenEvent[];
  assert.equal(
    Object.values(rest.at(-1)!.data.outputs as object).filter(({ state }) => state === 'completed').length,
    3,
  );
  const ids = [first, progress, last, ...rest].map((event) => Number(event.id));
  assertRising(ids);
  assert.equal(service.exports.listeners, 0);
});

test('[C26] Last-Event-ID: seen events are not repeated, and a finished stream is not opened again', async (t) => {
  const service = await serve(t);
  const { id, url } = await started(service);
  await service.exports.progress(id, 'preset_one', 0.5);
  const first = (await readEvents(await fetch(url)).next()).value as SeenEvent;
  const events = readEvents(await fetch(url, { headers: { 'last-event-id': first.id } }));
  const next = events.next();
  while (service.exports.listeners === 0) await new Promise(setImmediate);
  await service.exports.progress(id, 'preset_one', 0.75);
  const seen = (await next).value as SeenEvent;
  assert.deepEqual([seen.event, seen.data.progress], ['progress', 0.75]);
  for (const { name } of DEFAULT_PRESETS) await service.exports.complete(id, name, Buffer.from('x'));
  const last = ((await Array.fromAsync(events)) as SeenEvent[]).at(-1)!;
  const over = await fetch(url, { headers: { 'last-event-id': last.id } });
  assert.equal(over.status, 204);
  const late = readEvents(await fetch(url));
  assert.equal(((await late.next()).value as SeenEvent).data.state, 'completed');
  assert.equal((await late.next()).done, true);
});

test('[C26] a silent stream sends keep-alives, and a reader that disconnects is released', async (t) => {
  const service = await serve(t, { heartbeatSeconds: 0.05 });
  const { url } = await started(service);
  const away = new AbortController();
  const events = readEvents(await fetch(url, { signal: away.signal }));
  await events.next();
  assert.equal((await events.next()).value, null);
  assert.equal((await events.next()).value, null);
  away.abort();
  await assert.rejects(events.next(), { name: 'AbortError' });
  while (service.exports.listeners > 0) await new Promise(setImmediate);
});

test('[C26] a reader that does not read makes no buffer grow', async (t) => {
  const service = await serve(t);
  const { id } = await started(service);
  const { socket } = rawConnection(service);
  socket.pause();
  socket.write(`GET /video/exports/${id}/events HTTP/1.1\r\nHost: x\r\n\r\n`);
  while (service.exports.listeners === 0) await new Promise(setImmediate);
  await service.exports.progress(id, 'preset_one', 0);
  const before = process.memoryUsage().heapUsed;
  const { progress } = service.exports.fixture.ports;
  for (let i = 0; i < 20_000; i += 1) {
    progress.report({ exportId: id, id: 'job', firstChunk: 0 }, [['preset_one', i / 100]]);
    if (i % 100 === 0) await new Promise(setImmediate);
  }
  assert.ok(process.memoryUsage().heapUsed - before < 64 * 2 ** 20);
  socket.destroy();
  while (service.exports.listeners > 0) await new Promise(setImmediate);
});

test('[C26] the last event of a deleted export says so, and the client does not reconnect', async (t) => {
  const service = await serve(t);
  const underWay = await started(service);
  const finished = await started(service);
  await service.exports.progress(underWay.id, 'preset_one', 0.25);
  await service.exports.complete(finished.id, 'preset_one', Buffer.from('x'));
  for (const [{ id, url }, states] of [
    [underWay, ['cancelled', 'cancelled', 'cancelled', 'cancelled']],
    // It existed and is gone; the other presets will never exist. (C35)
    [finished, ['expired', 'expired', 'cancelled', 'cancelled']],
  ] as const) {
    const events = readEvents(await fetch(url));
    const first = (await events.next()).value as SeenEvent;
    await fetch(`${service.base}/video/exports/${id}`, { method: 'DELETE' });
    const { event, data, id: last } = (await events.next()).value as SeenEvent;
    const outputs = Object.values(data.outputs as Record<string, { state: string }>);
    assert.deepEqual([event, data.state, ...outputs.map(({ state }) => state)], ['state', ...states]);
    assert.deepEqual([data.ok, data.export_id, Number(last) > Number(first.id)], [false, id, true]);
    assert.deepEqual(Object.keys(data), Object.keys(first.data), 'all metadata, as in every state');
    assert.equal((await events.next()).done, true);
    // Any status but 200 ends an EventSource permanently.
    assert.equal((await fetch(url, { headers: { 'last-event-id': last } })).status, 404);
  }
});

test('[C26] an export that is deleted between lookup and following still gets its last event', async (t) => {
  const service = await serve(t);
  const { id, url } = await started(service);
  const { exports } = service;
  const { follow } = exports;
  exports.follow = async function* (wanted, signal) {
    await exports.remove('default', wanted);
    yield* follow(wanted, signal);
  };
  const events = (await Array.fromAsync(readEvents(await fetch(url)))) as SeenEvent[];
  assert.deepEqual(
    events.map(({ event, data }) => [event, data.export_id, data.state]),
    [['state', id, 'cancelled']],
  );
});

test('[C26] a service that shuts down ends its streams without an event for the export', async (t) => {
  const service = await serve(t);
  const { url } = await started(service);
  const events = readEvents(await fetch(url));
  assert.equal(((await events.next()).value as SeenEvent).data.state, 'queued');
  const rest = Array.fromAsync(events);
  await service.app.close();
  assert.deepEqual(await rest, []);
});

test('[C26] a client that reconnects often sees each state once, while other presets are rendered', async (t) => {
  const service = await serve(t);
  const { id, url } = await started(service);
  await service.exports.complete(id, 'preset_one', Buffer.from('x'));
  await service.exports.progress(id, 'preset_two', 0.1);
  const opening = readEvents(await fetch(url));
  const first = (await opening.next()).value as SeenEvent;
  await opening.return(undefined);
  assert.deepEqual([first.event, first.data.state], ['state', 'completed']);
  let lastSeen = first.id;
  for (const share of [0.3, 0.5, 0.7, 0.9]) {
    while (service.exports.listeners > 0) await new Promise(setImmediate);
    const events = readEvents(await fetch(url, { headers: { 'last-event-id': lastSeen } }));
    const next = events.next();
    while (service.exports.listeners === 0) await new Promise(setImmediate);
    await service.exports.progress(id, 'preset_two', share);
    const seen = (await next).value as SeenEvent;
    await events.return(undefined);
    assert.equal(seen.event, 'progress');
    assert.equal((seen.data.outputs as Record<string, { progress: number }>).preset_two!.progress, share);
    lastSeen = seen.id;
  }
});

test('[C26] live progress has rising ids, and they keep rising for a client that reconnects', async (t) => {
  const service = await serve(t);
  const { id, url } = await started(service);
  await service.exports.progress(id, 'preset_one', 0.1);
  const ids: number[] = [];
  let lastSeen: string | null = null;
  for (const shares of [
    [0.2, 0.3, 0.4],
    [0.5, 0.6],
  ]) {
    while (service.exports.listeners > 0) await new Promise(setImmediate);
    const events = readEvents(await fetch(url, { headers: lastSeen === null ? {} : { 'last-event-id': lastSeen } }));
    if (lastSeen === null) ids.push(Number(((await events.next()).value as SeenEvent).id));
    for (const share of shares) {
      const next = events.next();
      while (service.exports.listeners === 0) await new Promise(setImmediate);
      await service.exports.progress(id, 'preset_one', share);
      const seen = (await next).value as SeenEvent;
      assert.deepEqual([seen.event, seen.data.progress], ['progress', share]);
      ids.push(Number(seen.id));
      lastSeen = seen.id;
    }
    await events.return(undefined);
  }
  assertRising(ids);
  await service.exports.complete(id, 'preset_one', Buffer.from('x'));
  const back = readEvents(await fetch(url, { headers: { 'last-event-id': lastSeen! } }));
  const recorded = (await back.next()).value as SeenEvent;
  await back.return(undefined);
  assert.deepEqual([recorded.event, recorded.data.state], ['state', 'completed']);
  assertRising([...ids, Number(recorded.id)]);
});

test('[C26] an id that no revision ever had is ignored', async (t) => {
  const service = await serve(t);
  const { url } = await started(service);
  const known = (await readEvents(await fetch(url)).next()).value as SeenEvent;
  for (const id of ['999999', 'completed.completed-1', '-1', '1e3']) {
    const first = (await readEvents(await fetch(url, { headers: { 'last-event-id': id } })).next()).value as SeenEvent;
    assert.deepEqual([first.event, first.id], ['state', known.id], id);
  }
});
