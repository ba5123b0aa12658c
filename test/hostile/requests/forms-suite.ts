import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { BOUNDARY, FORM_TYPE, type FormPart, formBody, rawBody } from '../../http/form-body.ts';
import type { Deployment } from '../../service/service-fixture.ts';
import { AttackedService } from '../attacked-service.ts';
import { mutate } from '../mutate.ts';
import { Random } from '../random.ts';

const SEED = Number(process.env.HOSTILE_SEED ?? 1);
const VALIDATE = '/video/exports/validate';
const CREATE = '/video/exports';

const TIER_LIST: FormPart = { name: 'tier_list', content: '{"title":"t"}' };
const TIMELINE: FormPart = {
  name: 'timeline_data',
  content: '{"subtitles":[{"text":"x","start":0,"duration":0.1}]}',
};
/** Nothing refers to it: it is received, warned about and dropped, and no child is started for it. */
const FILE: FormPart = { name: 'clip', content: 'bytes of a file', fileName: 'c.mp4' };

interface Answer {
  readonly status: number;
  readonly text: string;
  readonly code: string;
  readonly paths: readonly string[];
}

/** Texts that are not JSON, or too much of it, as the timeline of a request. */
const TEXTS: Readonly<Record<string, readonly [text: () => string | Buffer, status: number, code: RegExp]>> = {
  'lists 100,000 deep': [() => '['.repeat(100_000), 400, /^json\.too_deep$/],
  'objects 100,000 deep': [() => '{"a":'.repeat(100_000), 400, /^json\.too_deep$/],
  '50 MB': [() => Buffer.alloc(50 * 2 ** 20, ' '), 413, /^multipart\.field_too_large$/],
  'half a million values': [() => `[${'0,'.repeat(500_000)}0]`, 400, /^json\.too_many_values$/],
  'a key twice': [() => '{"videos":[],"videos":[]}', 400, /^json\.duplicate_key$/],
  '__proto__ twice': [() => '{"__proto__":1,"__proto__":2}', 400, /^json\.duplicate_key$/],
  'half a surrogate pair, escaped': [() => '{"videos":"\\ud800"}', 400, /^json\.lone_surrogate$/],
  'half a surrogate pair, as bytes': [
    () => Buffer.from('{"a":"\xed\xa0\x80"}', 'latin1'),
    400,
    /^multipart\.field_not_text$/,
  ],
  NaN: [() => '{"videos":NaN}', 400, /^json\.syntax$/],
  Infinity: [() => '{"videos":-Infinity}', 400, /^json\.syntax$/],
  '1e999': [() => '{"videos":1e999}', 400, /^json\.number_too_large$/],
  'a number of a million digits': [() => `{"videos":${'9'.repeat(1_000_000)}}`, 400, /^json\.number_too_large$/],
  'an unended text of a megabyte': [() => `{"a":"${'\\u0041'.repeat(170_000)}`, 400, /^json\.syntax$/],
  'a key of 900 kB over 40,000 values': [() => `{"${'k'.repeat(900_000)}":[${'0,'.repeat(40_000)}0]}`, 422, /./],
  '49,000 wrong entries': [() => `{"videos":[${'7,'.repeat(49_000)}7]}`, 422, /./],
  '40,000 unknown fields': [() => `{${Array.from({ length: 40_000 }, (_, n) => `"u${n}":0`).join()}}`, 422, /./],
};

export interface FormsEffort {
  readonly damaged: number;
  /** Bodies are cut off at every n-th byte. */
  readonly cutEvery: number;
}

/** Responses to broken forms and JSON, on any deployment. */
export function formsSuite(start: () => Promise<Deployment>, { damaged, cutEvery }: FormsEffort): void {
  let service: AttackedService<Deployment>;
  before(async () => {
    service = new AttackedService(await start());
  });
  after(() => service[Symbol.asyncDispose]());

  async function send(body: Buffer, path = VALIDATE, type = FORM_TYPE): Promise<Answer> {
    const headers = { 'content-type': type, prefer: 'respond-async' };
    const reply = await fetch(`${service.base}${path}`, { method: 'POST', headers, body: new Uint8Array(body) });
    const text = await reply.text();
    const { code = '', errors = [] } = JSON.parse(text) as { code?: string; errors?: { path: string }[] };
    return { status: reply.status, text, code, paths: errors.map(({ path: place }) => place) };
  }

  async function assertNothingLeft(): Promise<void> {
    await service.assertUnharmed();
    service.assertNothingKept();
  }

  test('[C3][C4, H14] hostile names and broken parts get 4xx with the path, or are plain names', async () => {
    const refused: readonly [body: Buffer, code: string, path: string][] = [
      [formBody([FILE, FILE]), 'multipart.name_repeated', '/clip'],
      [formBody([{ ...FILE, name: 'n'.repeat(5000) }]), 'multipart.name_too_long', `/${'n'.repeat(128)}`],
      [formBody([{ ...FILE, fileName: 'f'.repeat(5000) }]), 'multipart.name_too_long', '/clip'],
      [formBody([{ ...FILE, name: 'a\0b' }]), 'multipart.header_invalid', ''],
      [formBody([{ ...FILE, name: 'a\r\nX-Injected: yes' }]), 'multipart.disposition_invalid', ''],
      [formBody([{ ...FILE, name: '' }]), 'multipart.name_missing', ''],
      [formBody([{ ...FILE, content: '' }]), 'multipart.file_empty', '/clip'],
      [rawBody(`--${BOUNDARY}`, '', 'x', `--${BOUNDARY}--`), 'multipart.disposition_missing', ''],
      [formBody([FILE]).subarray(0, -8), 'multipart.truncated', '/clip'],
    ];
    for (const path of [VALIDATE, CREATE]) {
      for (const [body, code, place] of refused) {
        const answer = await send(body, path);
        assert.deepEqual([answer.status, answer.code, answer.paths], [400, code, [place]], answer.text);
      }
      assert.equal((await send(formBody([FILE], 'another'), path)).code, 'multipart.boundary_missing');
      assert.equal((await send(formBody([FILE]), path, 'multipart/form-data')).status, 400);
      assert.equal((await send(formBody([FILE]), path, 'application/json')).status, 400);
      assert.equal((await send(formBody([FILE]), path, 'text/plain')).status, 415);
    }
    for (const name of ['__proto__', 'constructor', '../../x', 'toString', '/etc/passwd', '\u202eevil', 'a%00b']) {
      const answer = await send(formBody([TIER_LIST, TIMELINE, { ...FILE, name, fileName: '../../../x' }]));
      assert.equal(answer.status, 200, answer.text);
      const referred = { ...TIER_LIST, content: JSON.stringify({ items: [{ id: 'a', file_field: name }] }) };
      const missing = await send(formBody([referred, TIMELINE, FILE]), CREATE);
      assert.deepEqual([missing.status, missing.paths], [422, ['/tier_list/items/0/file_field']], missing.text);
    }
    await assertNothingLeft();
  });

  test('[C4, H14] a body cut off at any byte is 400 and leaves no files', async () => {
    const body = formBody([FILE, TIER_LIST, TIMELINE]);
    // The line break after the closing boundary may be missing, nothing else.
    for (let length = 0; length < body.length - 2; length += cutEvery) {
      const { status, code, text } = await send(body.subarray(0, length), CREATE);
      assert.equal(status, 400, `${length} bytes: ${text}`);
      assert.match(code, /^multipart\.(truncated|boundary_missing|boundary_invalid)$/);
    }
    await assertNothingLeft();
  });

  test(`[C4, H14] ${damaged} damaged bodies get a 4xx problem or a normal response; no files are left`, async (t) => {
    const random = new Random(SEED);
    const body = formBody([FILE, TIER_LIST, TIMELINE, { name: 'settings', content: '{"fps":30}' }]);
    const other = formBody([TIMELINE, TIER_LIST, { ...FILE, name: 'b' }]);
    const statuses = new Map<number, number>();
    for (let n = 0; n < damaged; n++) {
      const { status, text } = await send(mutate(body, random, other));
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      assert.ok(status === 200 || (status >= 400 && status < 500), `case ${n} of seed ${SEED}: ${status} ${text}`);
    }
    t.diagnostic([...statuses].map(([status, count]) => `${count} × ${status}`).join(', '));
    await assertNothingLeft();
  });

  test('[C33, H15] invalid or oversized JSON is refused in milliseconds, while other clients are served', async (t) => {
    for (const [what, [text, status, code]] of Object.entries(TEXTS)) {
      const body = formBody([TIER_LIST, { ...TIMELINE, content: text() }]);
      const cpuBefore = service.cpuSeconds();
      const [answer, meanwhile] = await Promise.all([send(body), fetch(`${service.base}/healthz`)]);
      const cpu = service.cpuSeconds() - cpuBefore;
      assert.equal(meanwhile.status, 200);
      assert.equal(answer.status, status, `${what}: ${answer.text.slice(0, 500)}`);
      assert.match(answer.code, code, what);
      assert.ok(answer.text.length < 300_000, `${what}: an answer of ${answer.text.length} characters`);
      t.diagnostic(`${what}: ${Math.round(cpu * 1000)} ms of processor time`);
      assert.ok(cpu < 1, `${what} took ${cpu} s`);
    }
    await assertNothingLeft();
  });
}
