import assert from 'node:assert/strict';
import { test } from 'node:test';
import { exampleParts, postForm, serve } from '../serve.ts';
import { DescribedReplies } from './described.ts';

const ANN = { authorization: 'Bearer key-of-ann' };

test('[C31] responses match the document: status, type, headers, body', async (t) => {
  const service = await serve(t, { apiKeys: [{ tenant: 'ann', key: 'key-of-ann' }] });
  const described = await DescribedReplies.of(service);
  const ask = async (operation: string, path: string, headers: Record<string, string> = ANN) =>
    described.check(
      operation,
      await fetch(`${service.base}${path}`, { method: operation.split(' ')[0]!, headers, redirect: 'manual' }),
    );
  const post = async (parts = exampleParts(), headers: Record<string, string> = {}, path = '/video/exports') =>
    described.check(`POST ${path}`, await postForm(service, parts, { ...ANN, ...headers }, path));

  const made = (await post(exampleParts(), { prefer: 'respond-async' })) as { export_id: string };
  await post(exampleParts({ settings: { quality: 'best', fps: 1000 } }));
  await post(exampleParts(), { accept: 'image/png' });
  await post(exampleParts(), { accept: 'text/html' });
  await post(exampleParts(), { authorization: 'Bearer x' });
  await post(exampleParts(), { origin: 'https://elsewhere.example' });
  await post(exampleParts(), {}, '/video/exports/validate');
  await described.check(
    'POST /video/exports',
    await fetch(`${service.base}/video/exports`, { method: 'POST', headers: ANN, body: 'x' }),
  );
  service.exports.limit({ maxWaiting: 0 });
  await post();
  service.exports.limit({ maxWaiting: 100 });

  const at = `/video/exports/${made.export_id}`;
  const one = '/video/exports/{id}';
  const never = '/video/exports/6f1c9a52-1f0b-4b6e-9d0a-3a5c2e7f8b10';
  const download = `${one}/download/{preset}`;
  await ask(`GET ${one}`, at);
  await ask(`GET ${one}`, at, {});
  await ask(`GET ${one}`, never);
  await ask(`GET ${one}`, at, { ...ANN, accept: 'image/png' });
  await ask(`GET ${one}`, at, { accept: 'text/html' });
  await ask(`GET ${one}/chapters`, `${at}/chapters`);
  await ask(`GET ${download}`, `${at}/download/preset_one`, { prefer: 'wait=0' });
  await ask(`GET ${one}/poster`, `${at}/poster`, { prefer: 'wait=0' });
  await ask(`GET ${one}/hls/{preset}/index.m3u8`, `${at}/hls/preset_one/index.m3u8`, { prefer: 'wait=0' });
  await ask(`GET ${one}/deliveries`, `${at}/deliveries`);
  await ask(`POST ${one}/deliveries`, `${at}/deliveries`);
  await service.exports.complete(made.export_id, 'preset_one', Buffer.from('a video'));
  await ask(`GET ${one}`, at);
  await ask(`GET ${one}/poster`, `${at}/poster`);
  await ask(`GET ${one}/chapters`, `${at}/chapters`);
  await ask(`GET ${download}`, `${at}/download/preset_one`, { range: 'bytes=0-1' });
  await ask(`GET ${download}`, `${at}/download/preset_one`, { range: 'bytes=99-' });
  await ask(`GET ${download}`, `${at}/download/preset_one`, { 'if-match': '"x"' });
  await ask(`HEAD ${download}`, `${at}/download/preset_one`);
  const stream = `${one}/hls/{preset}`;
  await ask(`GET ${stream}/index.m3u8`, `${at}/hls/preset_one/index.m3u8`);
  await ask(`HEAD ${stream}/index.m3u8`, `${at}/hls/preset_one/index.m3u8`);
  await ask(`GET ${stream}/{track}/index.m3u8`, `${at}/hls/preset_one/audio/index.m3u8`);
  await ask(`GET ${stream}/{track}/{segment}`, `${at}/hls/preset_one/audio/0-000000000000.m4s`);
  await ask(`DELETE ${one}`, at);
  await ask(`DELETE ${one}`, at);
  for (const path of [
    '/limits',
    '/presets',
    '/fonts',
    '/healthz',
    '/readyz',
    '/readyz/intake',
    '/openapi.json',
    '/docs',
    '/docs/errors',
    '/',
  ]) {
    await ask(`GET ${path}`, path, {});
  }
  await ask('GET /usage', '/usage');
  await ask('GET /usage', '/usage?from=x');
  await ask('GET /metrics', '/metrics');
  await ask('POST /session', '/session');
  await ask('POST /session', '/session', { 'x-api-key': 'wrong' });
  await ask('POST /session', '/session', { ...ANN, accept: 'text/html' });
  await ask('DELETE /session', '/session', {});
});

test('[C31] every route is described', async (t) => {
  const service = await serve(t);
  const { operations } = await DescribedReplies.of(service);
  const known = new Set(operations.map((operation) => operation.replaceAll(/\{(\w+)\}/g, ':$1')));
  const steps: string[] = [];
  const missing: string[] = [];
  for (const line of service.app.printRoutes({ commonPrefix: false }).split('\n')) {
    const [, indent, step, methods = ''] = /^([│ ]*)[├└]── (\S+)(?: \(([A-Z, ]+)\))?/.exec(line) ?? [];
    if (indent === undefined || step === undefined) continue;
    steps.length = indent.length / 4;
    steps.push(step);
    const path = steps.join('').replace(/(?<=.)\/$/, '');
    // Agents learn of `/mcp` by its own protocol.
    if (path.startsWith('/assets') || path === '/docs*' || path === '/mcp') continue;
    for (const method of methods.split(', ').filter((name) => name !== '' && name !== 'HEAD')) {
      if (!known.has(`${method} ${path}`)) missing.push(`${method} ${path}`);
    }
  }
  assert.ok(steps.length > 0);
  assert.deepEqual(missing, []);
});
