import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ExportMetadata } from '../../../src/http/replies/export-replies.ts';
import { createAsync, metadataOf, post } from '../export-client.ts';
import { longRequest } from '../sample-request.ts';
import { ServiceFixture } from '../service-fixture.ts';

/** One at a time, so that what is begun first has to be finished first. */
const SETTINGS = { TIERCUT_PRERENDER: 'selected', TIERCUT_RENDERS_AT_ONCE: '1' };
const KEYS = { greedy: 'greedy-0123456789abcdef', modest: 'modest-0123456789abcdef' };

/** By default exports are kept for a day. */
const KEPT_MS = 24 * 3600 * 1000;

/** When it was completed: a day before it is removed. */
function completedAtMs({ state, expires_at }: ExportMetadata): number {
  assert.equal(state, 'completed');
  return Date.parse(expires_at!) - KEPT_MS;
}

/** Waits for the video as a client does that has not waited for its create. */
async function completed(
  service: ServiceFixture,
  { export_id, download_url }: ExportMetadata,
  key = '',
): Promise<number> {
  await fetch(`${service.base}${download_url}`, { method: 'HEAD' });
  const headers = key === '' ? undefined : { authorization: `Bearer ${key}` };
  const reply = await fetch(`${service.base}/video/exports/${export_id}`, { headers: headers ?? {} });
  return completedAtMs(await metadataOf(reply, 200));
}

test('[C8] later exports with a waiting client do not overtake earlier ones without', async () => {
  await using service = await ServiceFixture.start(SETTINGS);
  const first: ExportMetadata[] = [];
  for (const n of [1, 2, 3]) first.push(await createAsync(service, longRequest(12, { label: `async ${n}` })));
  const later = await Promise.all(
    [1, 2, 3].map(async (n) => {
      const reply = await post(service, longRequest(12, { label: `sync ${n}` }));
      return completedAtMs(await metadataOf(reply, 201));
    }),
  );
  const ended = await Promise.all(first.map((made) => completed(service, made)));
  assert.ok(Math.max(...ended) < Math.min(...later), `${ended} before ${later}`);
});

test('[C91] a tenant with a full queue delays another by one turn at a time', async (t) => {
  const keys = Object.entries(KEYS).map(([tenant, key]) => `${tenant}:${key}`);
  await using service = await ServiceFixture.start({
    ...SETTINGS,
    TIERCUT_API_KEYS: keys.join(','),
    TIERCUT_MAX_WAITING: '5',
  });
  const as = (tenant: keyof typeof KEYS) => ({ authorization: `Bearer ${KEYS[tenant]}` });
  const many: ExportMetadata[] = [];
  let refused = 0;
  for (let n = 0; refused === 0 && n < 40; n += 1) {
    const request = longRequest(24, { label: `many ${n}` });
    const reply = await post(service, request, { ...as('greedy'), prefer: 'respond-async' });
    if (reply.status === 202) many.push(await metadataOf(reply, 202));
    else {
      refused = reply.status;
      await reply.text();
    }
  }
  assert.equal(refused, 429);
  const one = await createAsync(service, longRequest(12, { label: 'one' }), as('modest'));
  const modestMs = await completed(service, one, KEYS.modest);
  const greedy = await Promise.all(many.map((made) => completed(service, made, KEYS.greedy)));
  const createdMs = Date.parse(one.created_at);
  const between = greedy.filter((endedMs) => endedMs > createdMs && endedMs < modestMs).length;
  const after = greedy.filter((endedMs) => endedMs > modestMs).length;
  t.diagnostic(`${between} of ${greedy.length} were finished while it waited, ${after} later`);
  // Its chunks, its sound and its assembly each wait for one job, and an export of the other's takes as many.
  assert.ok(between <= 2 && after >= 3);
});
