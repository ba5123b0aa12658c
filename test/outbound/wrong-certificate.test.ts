import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { fetchFile } from '../../src/outbound/fetch-file.ts';
import { sendFile } from '../../src/outbound/send-file.ts';
import { sha256 } from '../../src/platform/sha256.ts';
import { tempFolder } from '../store/temp-folder.ts';
import { uncancelled } from '../uncancelled.ts';

const skip = spawnSync('openssl', ['version']).status !== 0 && 'there is no openssl to make a certificate with';

test('[C66, C69] a server with an invalid certificate gets no request, and the code gives the reason', {
  skip,
}, async (t) => {
  const folder = tempFolder(t);
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  const self = [
    'req',
    '-x509',
    '-newkey',
    'rsa:2048',
    '-nodes',
    '-subj',
    '/CN=example.com',
    '-keyout',
    key,
    '-out',
    cert,
  ];
  assert.equal(spawnSync('openssl', self).status, 0);
  let asked = 0;
  const server = createServer({ key: readFileSync(key), cert: readFileSync(cert) }, (_, response) => {
    asked += 1;
    response.end();
  }).listen(0, '127.0.0.1');
  t.after(() => server.close());
  await once(server, 'listening');
  const url = new URL(`https://127.0.0.1:${(server.address() as AddressInfo).port}/file`);
  const rules = { allowPrivate: true, idleMs: 5_000, totalMs: 10_000 };
  await assert.rejects(fetchFile(url, join(folder, 'fetched'), null, rules, uncancelled), {
    code: 'fetch.certificate',
    message:
      'The file could not be fetched from "127.0.0.1": its certificate is not trusted (DEPTH_ZERO_SELF_SIGNED_CERT).',
  });
  const file = { contentType: 'video/mp4', bytes: 1, sha256: sha256('a'), stream: async () => Readable.from(['a']) };
  assert.deepEqual(await sendFile({ url, headers: {} }, file, rules, uncancelled), {
    sent: false,
    code: 'destination.certificate',
    reason: 'its certificate is not trusted (DEPTH_ZERO_SELF_SIGNED_CERT)',
    final: false,
  });
  assert.equal(asked, 0);
});
