import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { ENGINE_VERSION } from '../../src/plan/keys/engine-version.ts';
import { VERSION_SAMPLES } from './version-samples.ts';

/** Hashes of the output of one engine version on one kind of processor. */
interface Kept {
  readonly engineVersion: string;
  readonly hashes: Readonly<Record<string, string>>;
}

const FOLDER = join(import.meta.dirname, '..', 'golden', 'engine');
const FILE = join(FOLDER, `${process.arch}.json`);
const UPDATES = process.env.UPDATE_GOLDEN === '1';

test('[R18] every golden file is of the current engine version', () => {
  if (UPDATES) return;
  for (const name of readdirSync(FOLDER)) {
    const { engineVersion } = read(join(FOLDER, name));
    const message = `test/golden/engine/${name} is of engine ${engineVersion}: \`npm run golden\` writes that of ${ENGINE_VERSION}`;
    assert.equal(engineVersion, ENGINE_VERSION, message);
  }
});

test("[R18] the engine's output changes only together with ENGINE_VERSION", async (t) => {
  const kept = existsSync(FILE) ? read(FILE) : null;
  if (kept === null && !UPDATES) {
    t.skip(`nothing is kept for ${process.arch}: \`npm run golden\` on such a machine keeps it`);
    return;
  }
  if (lacksAvx2()) {
    t.skip('the processor is not known to have AVX2');
    return;
  }
  const hashes: Record<string, string> = {};
  for (const [name, make] of Object.entries(VERSION_SAMPLES)) {
    hashes[name] = createHash('sha256')
      .update(await make())
      .digest('hex');
  }
  const isSame = kept?.engineVersion === ENGINE_VERSION;
  const changed = isSame
    ? Object.keys(hashes).filter((name) => (kept.hashes[name] ?? hashes[name]) !== hashes[name])
    : [];
  assert.deepEqual(
    changed,
    [],
    `The engine makes other bytes than engine ${ENGINE_VERSION} did, so chunks of both would be mixed. If that is meant, raise ` +
      `ENGINE_VERSION (src/plan/keys/engine-version.ts) and run \`npm run golden\`. If not, this change does more than it should.`,
  );
  if (UPDATES) keep({ engineVersion: ENGINE_VERSION, hashes });
  else assert.deepEqual(Object.keys(kept!.hashes), Object.keys(hashes), '`npm run golden` keeps what is new');
});

function read(file: string): Kept {
  return JSON.parse(readFileSync(file, 'utf8'));
}

/** Other kinds of processor have no stored hashes until this is run there. */
function keep(kept: Kept): void {
  mkdirSync(FOLDER, { recursive: true });
  for (const name of readdirSync(FOLDER)) {
    if (read(join(FOLDER, name)).engineVersion !== ENGINE_VERSION) rmSync(join(FOLDER, name));
  }
  writeFileSync(FILE, `${JSON.stringify(kept, null, 2)}\n`);
}

/** FFmpeg's sound rounds differently without AVX2. AVX-512 makes no difference. */
function lacksAvx2(): boolean {
  if (process.arch !== 'x64') return false;
  return !existsSync('/proc/cpuinfo') || !/\bavx2\b/.test(readFileSync('/proc/cpuinfo', 'utf8'));
}
