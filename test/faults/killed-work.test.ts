import assert from 'node:assert/strict';
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type ClientRequest, type RequestListener, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import type { ExportMetadata } from '../../src/http/replies/export-replies.ts';
import { MODEL_FILES } from '../../src/speech/models/caption-models.ts';
import { modelFolder } from '../../src/speech/models/installed-models.ts';
import { fileServer } from '../outbound/file-server.ts';
import { createAsync, ended, reached, seen, statusOf } from '../service/export-client.ts';
import { CLIP, longRequest } from '../service/sample-request.ts';
import { ServiceFixture } from '../service/service-fixture.ts';

/** More than the tries of any work that fails. */
const KILLS = 7;
/** Eight starts take minutes on a busy machine. */
const TIMEOUT_MS = 600_000;
const UPLOAD = randomBytes(4 * 2 ** 20);
const UPLOAD_PATH = `/media/${createHash('sha256').update(UPLOAD).digest('hex')}`;
const DRAFT_PATH = `/video/drafts/${randomUUID()}`;
const TIMELINE = { videos: [{ file_field: 'clip', duration: 1 }] };

/** Work that is under way at each kill. */
interface Work {
  /** Resolves when a process has begun it once more. */
  begun(): Promise<unknown>;
  /** What must hold once the service is left alone. */
  done(): Promise<void>;
}

/** A server that leaves requests without a response until `free` is called. */
async function silentServer(answer: RequestListener) {
  let isFree = false;
  const server = await fileServer((incoming, response) => {
    if (isFree) answer(incoming, response);
    else incoming.resume();
  });
  let before = 0;
  return Object.assign(server, {
    /** Resolves at the next request. @throws if `state` is `failed` before. */
    next: async (state: () => Promise<string>) => {
      await reached('a request', async () => server.asked.length > before || (await state()) === 'failed');
      assert.ok(server.asked.length > before, `it has failed after ${before} requests`);
      before = server.asked.length;
    },
    free: () => {
      isFree = true;
    },
  });
}
type SilentServer = Awaited<ReturnType<typeof silentServer>>;

function taken(...[incoming, response]: Parameters<RequestListener>): void {
  incoming.resume().once('end', () => response.end());
}

async function putClip({ base }: ServiceFixture): Promise<string> {
  const bytes = readFileSync(CLIP.file);
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  const { status } = await fetch(`${base}/media/${sha256}`, { method: 'PUT', body: bytes });
  assert.equal(status, 201);
  return sha256;
}

async function json<T>(reply: Response): Promise<T> {
  const text = await reply.text();
  assert.ok(reply.ok, text);
  return JSON.parse(text);
}

function sendJson({ base }: ServiceFixture, method: string, path: string, body: object): Promise<Response> {
  const headers = { 'content-type': 'application/json', prefer: 'respond-async' };
  return fetch(`${base}${path}`, { method, headers, body: JSON.stringify(body) });
}

async function aFetch(service: ServiceFixture, server: SilentServer): Promise<Work> {
  const media_urls = { clip: `${server.base}/clip.mp4` };
  const { export_id } = await createAsync(service, {
    documents: { tier_list: { title: 'fetched' }, timeline_data: TIMELINE, media_urls },
  });
  return {
    begun: () => server.next(async () => (await statusOf(service, export_id)).state),
    done: async () => {
      const metadata = await ended(service, export_id);
      assert.equal(metadata.state, 'completed', JSON.stringify(metadata));
    },
  };
}

interface EventList {
  readonly events: readonly {
    readonly type: string;
    readonly preset?: string;
    readonly deliveries: readonly {
      readonly webhook: string | null;
      readonly state: string;
      readonly attempts: number;
    }[];
  }[];
}

/** An export that is completed but for its destination, its webhook and a registered one. */
async function aSend(
  service: ServiceFixture,
  destination: SilentServer,
  receiver: SilentServer,
  shop: SilentServer,
): Promise<{ readonly send: Work; readonly webhook: Work; readonly 'a registered webhook': Work }> {
  const registered = { url: `${shop.base}/`, events: ['destination.sent', 'output.completed'] };
  await json(await sendJson(service, 'PUT', '/webhooks/shop', registered));
  const { documents, files } = longRequest(1, { label: 'sent' });
  const destinations = { landscape: `${destination.base}/video.mp4` };
  const { export_id: id } = await createAsync(service, {
    documents: { ...documents, destinations, callback_url: `${receiver.base}/` },
    files: files!,
  });
  const deliveries = async () =>
    json<{ callback_state: string }>(await fetch(`${service.base}/video/exports/${id}/deliveries`));
  /** What the registered webhook gets of the selected preset, oldest first. */
  const toShop = async () => {
    const list = await fetch(`${service.base}/video/exports/${id}/events?format=list`);
    const { events } = await json<EventList>(list);
    const of = events.filter(({ preset }) => preset === 'preset_one').toReversed();
    return of.flatMap(({ type, deliveries: all }) =>
      all.filter(({ webhook }) => webhook === 'shop').map(({ state, attempts }) => ({ type, state, attempts })),
    );
  };
  const output = async (): Promise<ExportMetadata['outputs'][string]> =>
    (await statusOf(service, id)).outputs.preset_one!;
  return {
    send: {
      begun: () => destination.next(async () => (await output()).destination!.state),
      done: async () => {
        await reached('the end of the send', async () => /sent|failed/.test((await output()).destination!.state));
        assert.deepEqual((await output()).destination, { state: 'sent', attempts: 1 });
      },
    },
    'a registered webhook': {
      begun: () => shop.next(async () => (await toShop())[0]?.state ?? 'pending'),
      done: async () => {
        // Both events, once, in order.
        await reached('the events of the registered webhook', async () => {
          const all = await toShop();
          return all.length === 2 && all.every(({ state }) => state !== 'pending');
        });
        assert.deepEqual(await toShop(), [
          { type: 'output.completed', state: 'delivered', attempts: 1 },
          { type: 'destination.sent', state: 'delivered', attempts: 1 },
        ]);
      },
    },
    webhook: {
      begun: () => receiver.next(async () => (await deliveries()).callback_state),
      done: async () => {
        await reached('the end of the delivery', async () => (await deliveries()).callback_state !== 'pending');
        assert.equal((await deliveries()).callback_state, 'delivered');
      },
    },
  };
}

/** Their model never opens: a process that makes captions does so until it is killed. */
async function someCaptions(service: ServiceFixture, clip: string): Promise<Work> {
  const path = '/video/captions';
  const { captions_id } = await json<{ captions_id: string }>(
    await sendJson(service, 'POST', path, { media_ref: clip }),
  );
  const state = async () => (await json<{ state: string }>(await fetch(`${service.base}${path}/${captions_id}`))).state;
  const begun = async () => {
    await reached('captions being made', async () => (await state()) !== 'queued');
    assert.equal(await state(), 'running');
  };
  return { begun, done: begun };
}

/** Edited in each life of the service, so that there is always something to render. */
function aDraft(service: ServiceFixture, clip: string): Work {
  let edits = 0;
  const draft = async () => json<{ state: string; ready: number }>(await fetch(`${service.base}${DRAFT_PATH}`));
  return {
    begun: async () => {
      edits += 1;
      const { documents } = longRequest(60, { label: `edit ${edits}` });
      const put = await sendJson(service, 'PUT', DRAFT_PATH, { ...documents, media_refs: { clip } });
      assert.equal(put.status, 204, await put.text());
      await seen('a rendered chunk', async () => (await draft()).ready > 0);
    },
    done: async () => {
      await reached('the end of the draft', async () => (await draft()).state !== 'rendering', 120);
      assert.equal((await draft()).state, 'ready');
    },
  };
}

/** Sends a little more of the file in each life of the service. */
function anUpload(service: ServiceFixture): Work {
  const received = async () => {
    const reply = await fetch(`${service.base}${UPLOAD_PATH}`, { method: 'HEAD' });
    return Number(reply.headers.get('upload-offset') ?? 0);
  };
  const send = (from: number): ClientRequest => {
    const range = `bytes ${from}-${UPLOAD.length - 1}/${UPLOAD.length}`;
    const headers = { 'content-range': range, 'content-length': UPLOAD.length - from };
    const sent = request(`${service.base}${UPLOAD_PATH}`, { method: 'PUT', headers });
    return sent.on('error', () => {});
  };
  let before = 0;
  return {
    begun: async () => {
      const from = await received();
      assert.ok(from >= before, `${from} of ${before} bytes are kept`);
      before = from;
      send(from).write(UPLOAD.subarray(from, from + 300_000));
      await reached('more bytes', () => service.files('unfinished').length > 0);
    },
    done: async () => {
      const from = await received();
      const reply = Promise.withResolvers<number>();
      send(from)
        .once('response', ({ statusCode }) => reply.resolve(statusCode!))
        .end(UPLOAD.subarray(from));
      assert.equal(await reply.promise, 201);
    },
  };
}

/** A model whose runtime loads forever. */
function silentModel(): string {
  const folder = mkdtempSync(join(tmpdir(), 'tiercut-models-'));
  const model = modelFolder(folder, 'tiny');
  mkdirSync(model);
  writeFileSync(join(model, MODEL_FILES.decoder), '');
  writeFileSync(join(model, MODEL_FILES.runtime), 'await new Promise(() => setInterval(() => {}, 1000));');
  return folder;
}

test('[C35, C96, H23] seven kills in a row use up no try of any work: fetches, sends, captions, webhooks, drafts, uploads', {
  timeout: TIMEOUT_MS,
}, async (t) => {
  const models = silentModel();
  t.after(() => rmSync(models, { recursive: true }));
  await using source = await silentServer((_, response) => response.end(readFileSync(CLIP.file)));
  await using destination = await silentServer(taken);
  await using receiver = await silentServer(taken);
  await using shop = await silentServer(taken);
  await using service = await ServiceFixture.start({
    TIERCUT_PRIVATE_ADDRESSES: 'on',
    TIERCUT_PRERENDER: 'selected',
    TIERCUT_MODELS_DIR: models,
    TIERCUT_MAX_DRAFTS: '10',
  });
  const clip = await putClip(service);
  const works: Record<string, Work> = {
    'a fetch': await aFetch(service, source),
    ...(await aSend(service, destination, receiver, shop)),
    captions: await someCaptions(service, clip),
    'an upload': anUpload(service),
    'a draft': aDraft(service, clip),
  };
  const lost = new Map<string, unknown>();
  for (let kill = 0; kill < KILLS; kill += 1) {
    const whole = Object.entries(works).filter(([name]) => !lost.has(name));
    await Promise.all(whole.map(([name, work]) => work.begun().catch((error: unknown) => lost.set(name, error))));
    await service.killTree();
    await service.start();
  }
  for (const server of [source, destination, receiver, shop]) server.free();
  for (const [name, work] of Object.entries(works))
    await t.test(name, () => (lost.has(name) ? Promise.reject(lost.get(name)) : work.done()));
});
