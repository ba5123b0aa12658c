import assert from 'node:assert/strict';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, copyFileSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, before, test } from 'node:test';
import { BUILT } from '../../src/platform/program-files.ts';
import { CLIP, PICTURE } from '../service/sample-request.ts';
import { ServiceFixture, SMALL_PRESETS } from '../service/service-fixture.ts';
import { within } from '../within.ts';
import { blocks, isRun } from './code-blocks.ts';
import { ROOT } from './repository-texts.ts';

const KEY = 'the-key-of-the-docs';
const SECRET = `whsec_${Buffer.from('the secret of the docs').toString('base64')}`;
/** The page whose examples send the key themselves. */
const API_PAGE = 'docs/reference/api.md';
/** All examples of a page in a language; `go run` compiles them first. */
const LIMIT_SECONDS = 240;

let service: ServiceFixture;
let folder: string;
before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tiercut-docs-'));
  copyFileSync(CLIP.file, join(folder, 'clip.mp4'));
  copyFileSync(PICTURE.file, join(folder, 'picture.png'));
  for (const name of ['snacks', 'cookbook']) {
    cpSync(join(ROOT, 'examples', name), join(folder, 'examples', name), { recursive: true });
  }
  mkdirSync(join(folder, 'bin'));
  const command = join(folder, 'bin/tiercut');
  writeFileSync(command, `#!/bin/sh\nexec "${process.execPath}" "${join(BUILT, 'main.js')}" "$@"\n`);
  chmodSync(command, 0o755);
  // curl reads its options from here. The pages leave the key out, as a fresh installation has none.
  writeFileSync(join(folder, '.curlrc'), `header = "X-Api-Key: ${KEY}"\n`);
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

/** All blocks of a page in a language, in order: one program. */
function programOf(page: string, language: string): string {
  const own = blocks.filter((block) => block.page === page && block.language === language && isRun(block));
  return own
    .map(({ code }) => code)
    .join('\n')
    .replaceAll('http://127.0.0.1:8080', service.base)
    .replaceAll('npm run tiercut --', 'tiercut');
}

/** A shell does not end with it what it has started. */
function endAll({ pid, exitCode }: ChildProcess): void {
  if (exitCode === null) process.kill(-pid!, 'SIGKILL');
}

async function run(page: string, command: string, ...args: string[]): Promise<string> {
  const { TIERCUT_DATA_DIR: _, ...inherited } = process.env;
  const env = {
    ...inherited,
    ...(page === API_PAGE ? {} : { CURL_HOME: folder }),
    PATH: `${join(folder, 'bin')}:${process.env.PATH}`,
    TIERCUT: service.base,
    KEY,
    WEBHOOK_SECRET: SECRET,
    TIERCUT_PRESETS: JSON.stringify(SMALL_PRESETS),
  };
  const program = spawn(command, args, { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
  const ended = Promise.all([text(program.stdout), text(program.stderr), once(program, 'exit')]);
  const [out, errors, [code]] = await within(`the examples of ${page}`, ended, LIMIT_SECONDS).finally(() =>
    endAll(program),
  );
  assert.equal(code, 0, `${page}: ${out}\n${errors}`);
  return out;
}

function assertVideos(...names: readonly string[]): void {
  for (const name of names) assert.equal(readFileSync(join(folder, name)).toString('latin1', 4, 8), 'ftyp', name);
}

function isMissing(command: string, ...args: string[]): string | false {
  return spawnSync(command, args).status === 0 ? false : `${command} is not on this machine`;
}

const PYTHON_CHECK = `
signed = b"1." + str(int(time.time())).encode() + b".{}"
headers = {"webhook-id": "1", "webhook-timestamp": signed.split(b".")[1].decode()}
headers["webhook-signature"] = "v1,AAAA v1," + base64.b64encode(hmac.new(b"the secret of the docs", signed, hashlib.sha256).digest()).decode()
assert is_genuine(os.environ["WEBHOOK_SECRET"], headers, b"{}")
assert not is_genuine(os.environ["WEBHOOK_SECRET"], headers, b"{ }")
assert not is_genuine(os.environ["WEBHOOK_SECRET"], {**headers, "webhook-timestamp": "1"}, b"{}")
`;

/** How a language is run. */
const RUN: Readonly<Record<string, { missing: string | false; run(page: string, program: string): Promise<string> }>> =
  {
    sh: {
      missing: isMissing('curl', '--version'),
      run: (page, program) => run(page, 'bash', '-euo', 'pipefail', '-c', program),
    },
    js: {
      missing: false,
      run(page, program) {
        writeFileSync(join(folder, 'program.mjs'), program);
        return run(page, process.execPath, 'program.mjs');
      },
    },
    python: {
      missing: isMissing('python3', '--version'),
      run(page, program) {
        writeFileSync(join(folder, 'program.py'), program + PYTHON_CHECK);
        return run(page, 'python3', 'program.py');
      },
    },
    go: {
      missing: isMissing('go', 'version'),
      run(page, program) {
        writeFileSync(join(folder, 'main.go'), program);
        return run(page, 'go', 'run', 'main.go');
      },
    },
  };

/** The files that a page leaves, beside exit code 0. */
const CHECKS: Readonly<Record<string, (out: string) => void>> = {
  'README.md sh': () => assertVideos('snacks.mp4'),
  'docs/start/api.md sh': () => assertVideos('snacks.mp4', 'portrait.mp4'),
  'docs/start/cli.md sh'(out) {
    assertVideos('snacks.mp4');
    assert.match(out, /--preset/);
  },
  'docs/guides/shorts.md sh': () => assertVideos('short-1.mp4', 'snacks-short-1.mp4'),
  'docs/guides/automation.md sh': () => assertVideos('weekly.mp4', 'week.mp4'),
  'docs/guides/cookbook.md sh': () => assertVideos('words.mp4'),
  'docs/guides/publish.md sh': () => assertVideos('landscape.mp4'),
  'docs/guides/webhooks.md js': (out) => assert.match(out, /^export\.completed [0-9a-f-]{36}$/m),
  [`${API_PAGE} sh`](out) {
    assertVideos('video.mp4', 'short.mp4');
    assert.match(out, /^304$/m, 'a status that is known');
    assert.match(out, /#EXTM3U/);
    assert.match(out, /"code":"field\.range"/);
    const read = (name: string) => readFileSync(join(folder, name));
    assert.equal(JSON.parse(String(read('status.json'))).state, 'completed');
    assert.match(String(read('events.txt')), /^event: state$/m);
    assert.equal(read('frame.png').subarray(1, 4).toString(), 'PNG');
    assert.ok(JSON.parse(String(read('by-cookie.json'))).exports.length >= 2);
  },
  [`${API_PAGE} js`](out) {
    assertVideos('node.mp4');
    assert.match(out, /Two, ranked completed/);
    assert.match(out, /export\.completed [0-9a-f-]{36} completed/);
    assert.equal(out.match(/delivered 204/g)?.length, 2);
  },
  [`${API_PAGE} python`](out) {
    assertVideos('python.mp4');
    assert.match(out, /Two, ranked completed/);
  },
  [`${API_PAGE} go`]: () => assertVideos('go.mp4'),
};

const programs = new Set(
  blocks.filter((block) => isRun(block) && block.language in RUN).map(({ page, language }) => `${page} ${language}`),
);

for (const name of programs) {
  const [page, language] = name.split(' ') as [string, string];
  const { missing, run } = RUN[language]!;
  test(`[C37 to C41, C49, C51, C64] the examples of ${page} in ${language} do what the page says`, {
    skip: missing,
  }, async () => {
    const out = await run(page, programOf(page, language));
    CHECKS[name]?.(out);
  });
}

test('every check belongs to a page', () => {
  assert.deepEqual(
    Object.keys(CHECKS).filter((name) => !programs.has(name)),
    [],
  );
});
