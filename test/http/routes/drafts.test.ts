import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { DescribedReplies } from '../openapi/described.ts';
import { serve } from '../serve.ts';

const DOCUMENTS = { tier_list: {}, timeline_data: { subtitles: [{ start: 0, duration: 4, text: 'Hello' }] } };

test('[C79] drafts over HTTP: sent as JSON or as a form, read, deleted, and refused with a reason', async (t) => {
  const service = await serve(t, {}, { maxDrafts: 1 });
  const described = await DescribedReplies.of(service);
  const ask = async (method: string, id: string, body?: string | FormData) => {
    const headers: Record<string, string> = typeof body === 'string' ? { 'content-type': 'application/json' } : {};
    const reply = await fetch(`${service.base}/video/drafts/${id}`, { method, headers, body: body ?? null });
    const shown = (await described.check(`${method} /video/drafts/{draft_id}`, reply)) as Record<string, unknown>;
    return { status: reply.status, shown, after: reply.headers.get('retry-after') };
  };
  const id = randomUUID();
  assert.equal((await ask('GET', id)).shown.code, 'draft.unknown');
  assert.equal((await ask('PUT', id, JSON.stringify(DOCUMENTS))).status, 204);
  assert.deepEqual((await ask('GET', id.toUpperCase())).shown, {
    ok: true,
    state: 'rendering',
    chunks: 1,
    ready: 0,
    ranges: [],
  });
  const form = new FormData();
  for (const [name, document] of Object.entries(DOCUMENTS)) form.set(name, JSON.stringify(document));
  assert.equal((await ask('PUT', id, form)).status, 204);
  form.set('clip', new Blob(['a file']), 'clip.mp4');
  assert.equal((await ask('PUT', id, form)).shown.code, 'draft.needs_references');
  const wrong = { ...DOCUMENTS, timeline_data: { subtitles: [{ start: -1, duration: 4, text: 'Hello' }] } };
  const refused = await ask('PUT', id, JSON.stringify(wrong));
  assert.deepEqual(
    [refused.status, (refused.shown.errors as { path: string }[])[0]!.path],
    [422, '/timeline_data/subtitles/0/start'],
  );
  assert.equal((await ask('GET', id)).status, 200, 'a refused draft leaves the earlier one');
  const full = await ask('PUT', randomUUID(), JSON.stringify(DOCUMENTS));
  assert.deepEqual([full.status, full.shown.code, full.after], [409, 'draft.too_many', null]);
  assert.equal((await ask('DELETE', id)).status, 204);
  assert.equal((await ask('DELETE', id)).status, 404);
  const misnamed = await ask('PUT', 'my-draft', JSON.stringify(DOCUMENTS));
  assert.deepEqual([misnamed.status, misnamed.shown.code], [400, 'draft.address']);
});
