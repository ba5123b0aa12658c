import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, before, test } from 'node:test';
import { CLIP, PICTURE } from '../service/sample-request.ts';
import { ServiceFixture } from '../service/service-fixture.ts';

const PAGE = readFileSync(join(import.meta.dirname, '../../docs/reference/api.md'), 'utf8');
const KEY = 'the-key-of-the-docs';
const SECRET = `whsec_${Buffer.from('the secret of the docs').toString('base64')}`;

let service: ServiceFixture;
let folder: string;
before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tiercut-docs-'));
  copyFileSync(CLIP.file, join(folder, 'clip.mp4'));
  copyFileSync(PICTURE.file, join(folder, 'picture.png'));
  service = await ServiceFixture.start({
    TIERCUT_API_KEYS: `docs:${KEY}`,
    TIERCUT_PRIVATE_ADDRESSES: 'on',
    TIERCUT_WEBHOOK_SECRET: SECRET,
    TIERCUT_PRERENDER: 'selected',
  });
});
after(async () => {
  await service[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true });
});

/** All that the page has in a language, in its order: one program. */
function programIn(language: string): string {
  const blocks = [...PAGE.matchAll(/^```(\w+)\n(.*?)^```$/gms)].filter(([, name]) => name === language);
  assert.ok(blocks.length > 0, `no example in ${language}`);
  return blocks.map(([, , code]) => code).join('\n');
}

async function run(command: string, ...args: string[]): Promise<string> {
  const env = { ...process.env, TIERCUT: service.base, KEY, WEBHOOK_SECRET: SECRET };
  const program = spawn(command, args, { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = new Promise<number | null>((resolve) => program.once('close', resolve));
  const [out, errors, code] = await Promise.all([text(program.stdout), text(program.stderr), ended]);
  assert.equal(code, 0, `${out}\n${errors}`);
  return out;
}

function assertVideo(name: string): void {
  assert.equal(readFileSync(join(folder, name)).subarray(4, 8).toString(), 'ftyp', name);
}

function isMissing(command: string, ...args: string[]): string | false {
  return spawnSync(command, args).status === 0 ? false : `${command} is not on this machine`;
}

const TOOLS = {
  curl: isMissing('curl', '--version'),
  python3: isMissing('python3', '--version'),
  go: isMissing('go', 'version'),
};

test('[C38 to C41, C49, C51] the examples in curl do what the page says', { skip: TOOLS.curl }, async () => {
  const out = await run('bash', '-euo', 'pipefail', '-c', programIn('sh'));
  assertVideo('video.mp4');
  assert.match(out, /^304$/m, 'a status that is known');
  assert.match(out, /#EXTM3U/);
  assert.match(out, /"code":"field\.range"/);
  const read = (name: string) => readFileSync(join(folder, name));
  assert.equal(JSON.parse(String(read('status.json'))).state, 'completed');
  assert.match(String(read('events.txt')), /^event: state$/m);
  assert.equal(read('frame.png').subarray(1, 4).toString(), 'PNG');
  assert.ok(JSON.parse(String(read('by-cookie.json'))).exports.length >= 2);
});

test('[C37 to C41] the examples in Node do what the page says', async () => {
  writeFileSync(join(folder, 'program.mjs'), programIn('js'));
  const out = await run(process.execPath, 'program.mjs');
  assertVideo('node.mp4');
  assert.match(out, /Two, ranked completed/);
  assert.match(out, /export\.completed [0-9a-f-]{36} completed/);
  assert.equal(out.match(/delivered 204/g)?.length, 2);
});

test('[C37 to C41] the examples in Python do what the page says', { skip: TOOLS.python3 }, async () => {
  const check = `
signed = b"1." + str(int(time.time())).encode() + b".{}"
headers = {"webhook-id": "1", "webhook-timestamp": signed.split(b".")[1].decode()}
headers["webhook-signature"] = "v1,AAAA v1," + base64.b64encode(hmac.new(b"the secret of the docs", signed, hashlib.sha256).digest()).decode()
assert is_genuine(os.environ["WEBHOOK_SECRET"], headers, b"{}")
assert not is_genuine(os.environ["WEBHOOK_SECRET"], headers, b"{ }")
assert not is_genuine(os.environ["WEBHOOK_SECRET"], {**headers, "webhook-timestamp": "1"}, b"{}")
`;
  writeFileSync(join(folder, 'program.py'), programIn('python') + check);
  const out = await run('python3', 'program.py');
  assertVideo('python.mp4');
  assert.match(out, /Two, ranked completed/);
});

test('[C38] the example in Go does what the page says', { skip: TOOLS.go }, async () => {
  writeFileSync(join(folder, 'main.go'), programIn('go'));
  await run('go', 'run', 'main.go');
  assertVideo('go.mp4');
});
