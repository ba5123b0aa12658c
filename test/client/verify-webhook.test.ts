import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import { verifyWebhook } from '../../packages/client/src/client.ts';
import { type WebhookMessage, webhookHeaders } from '../../src/exports/deliver/send-webhook.ts';

const MESSAGE: WebhookMessage = { id: 'msg.completed', body: '{"type":"export.completed","data":{"name":"Größe"}}' };
const [OLD, NEW, OTHER] = ['old', 'new', 'other'].map(
  (text) => `whsec_${Buffer.from(text.padEnd(24, '.')).toString('base64')}`,
) as [string, string, string];

interface Case {
  readonly name: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly secret: string | readonly string[];
  /** The code of the failure; null: it is genuine. */
  readonly code: string | null;
}

const NOW = Date.now();
const signed = webhookHeaders(MESSAGE, [OLD, NEW], NOW);
const genuine = { headers: signed, body: MESSAGE.body, secret: NEW, code: null };
const without = (name: string) => Object.fromEntries(Object.entries(signed).filter(([key]) => key !== name));
const CASES: readonly Case[] = [
  { ...genuine, name: 'signed with the new secret' },
  { ...genuine, name: 'signed with the old secret', secret: OLD },
  { ...genuine, name: 'one of several secrets', secret: [OTHER, OLD] },
  { ...genuine, name: 'headers in capitals', headers: capitals(signed) },
  { ...genuine, name: 'another secret', secret: OTHER, code: 'client.signature' },
  { ...genuine, name: 'another body', body: MESSAGE.body.replace('export', 'Export'), code: 'client.signature' },
  { ...genuine, name: 'too old', headers: webhookHeaders(MESSAGE, [NEW], NOW - 400_000), code: 'client.signature' },
  {
    ...genuine,
    name: 'of the future',
    headers: webhookHeaders(MESSAGE, [NEW], NOW + 400_000),
    code: 'client.signature',
  },
  { ...genuine, name: 'another id', headers: { ...signed, 'webhook-id': 'msg_2' }, code: 'client.signature' },
  ...['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) => {
    return { ...genuine, name: `no ${name}`, headers: without(name), code: 'client.signature' };
  }),
  { ...genuine, name: 'no time', headers: { ...signed, 'webhook-timestamp': 'soon' }, code: 'client.signature' },
  {
    ...genuine,
    name: 'not base64',
    headers: { ...signed, 'webhook-signature': 'v1,%%% v1, v2,x' },
    code: 'client.signature',
  },
  { ...genuine, name: 'a raw secret', secret: 'any text', code: 'client.usage' },
  { ...genuine, name: 'an empty secret', secret: 'whsec_', code: 'client.usage' },
];

function capitals(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value]));
}

for (const { name, headers, body, secret, code } of CASES) {
  test(`[C37] verifyWebhook: ${name}`, async () => {
    const verified = verifyWebhook(headers, body, secret);
    if (code !== null) await assert.rejects(verified, { name: 'TiercutError', code });
    else assert.deepEqual(await verified, JSON.parse(body));
  });
}

test('[C37] verifyWebhook takes the headers of fetch and bytes', async () => {
  const { type } = await verifyWebhook(new Headers(signed), new TextEncoder().encode(MESSAGE.body), NEW);
  assert.equal(type, 'export.completed');
});

const python = spawnSync('python3', ['-c', 'import sys; assert sys.version_info >= (3, 11)']);
const skip = python.status !== 0 && 'there is no Python 3.11 here';

test('[C37] verify_webhook of Python decides as verifyWebhook does', { skip }, () => {
  const program = `
import json, sys
from tiercut import TiercutError, verify_webhook
for case in json.load(sys.stdin):
    try:
        verify_webhook(case["headers"], case["body"].encode(), case["secret"])
        print("None")
    except TiercutError as error:
        print(error.code)
`;
  const PYTHONPATH = join(import.meta.dirname, '..', '..', 'packages', 'python');
  const env = { ...process.env, PYTHONPATH, PYTHONIOENCODING: 'utf-8' };
  const { stdout, stderr } = spawnSync('python3', ['-c', program], {
    input: JSON.stringify(CASES),
    encoding: 'utf8',
    env,
  });
  assert.deepEqual(
    stdout.trim().split('\n'),
    CASES.map(({ code }) => String(code === null ? 'None' : code)),
    stderr,
  );
});
