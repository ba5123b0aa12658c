import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DocumentMemory } from '../../../src/http/multipart/body-reader.ts';
import { exampleParts, postForm, serve } from '../serve.ts';

const code = (expected: string) => (error: { code?: string }) => error.code === expected;

test('[H60] one tenant gets half of the memory of documents, and what a request held is given back', () => {
  const memory = new DocumentMemory({ maxDocumentMemory: 100 });
  const [ann, bob, eve] = [memory.lease('ann'), memory.lease('bob'), memory.lease('eve')];
  ann.add(50);
  assert.throws(() => memory.lease('ann').add(1), code('document.too_many'));
  bob.add(40);
  assert.throws(() => eve.add(11), code('service.busy'));
  eve.add(10);
  ann[Symbol.dispose]();
  ann[Symbol.dispose]();
  memory.lease('ann').add(50);
});

test('[H60] a document beyond the memory gets 429 with Retry-After, in every form, and leaves nothing behind', async (t) => {
  const service = await serve(t, { maxDocumentMemory: 200_000 });
  const large = JSON.stringify({ tier_list: { title: 'x'.repeat(150_000) } });
  const headers = { 'content-type': 'application/json' };
  for (let round = 0; round < 3; round += 1) {
    const replies = [
      await fetch(`${service.base}/projects/${crypto.randomUUID()}`, { method: 'PUT', body: large, headers }),
      await fetch(`${service.base}/video/exports/validate`, { method: 'POST', body: large, headers }),
      await postForm(service, [{ name: 'tier_list', content: large }]),
    ];
    for (const reply of replies) {
      assert.equal(reply.status, 429);
      assert.ok(Number(reply.headers.get('retry-after')) > 0);
      assert.equal(((await reply.json()) as { code: string }).code, 'document.too_many');
    }
    const small = await postForm(service, exampleParts(), { prefer: 'respond-async' });
    assert.equal(small.status, 202);
    await small.text();
  }
});
