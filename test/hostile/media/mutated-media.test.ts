import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { ExportError } from '../../../src/errors.ts';
import { mutate } from '../mutate.ts';
import { Random } from '../random.ts';
import { acceptedClips } from './accepted-clips.ts';
import { JailedLane, type Outcome } from './jailed-lane.ts';

/** `HOSTILE_CASES=100000 HOSTILE_SEED=7` looks further. */
const CASES = Number(process.env.HOSTILE_CASES ?? 400);
const SEED = Number(process.env.HOSTILE_SEED ?? 1);
const BATCH = 200;
const LANES = 2;
const MAX_RSS_BYTES = 700 * 2 ** 20;

test('every accepted format renders before it is damaged', async () => {
  using folder = new CaseFolder();
  await using lane = new JailedLane();
  const clips = [...(await acceptedClips())];
  const outcomes = await lane.run(clips.map(([, bytes], n) => folder.write(n, bytes)));
  const results = outcomes.map(({ result }, n) => `${clips[n]![0]}: ${nameOf(result)}`);
  assert.deepEqual(
    results,
    clips.map(([name]) => `${name}: rendered`),
  );
});

test(`[H13] ${CASES} damaged files of every format are rendered or refused, without unexpected errors or hangs`, async (t) => {
  using folder = new CaseFolder();
  const clips = [...(await acceptedClips())];
  const random = new Random(SEED);
  const cases = Array.from({ length: CASES }, (_, n) => {
    const [name, bytes] = clips[n % clips.length]!;
    return { name, bytes: mutate(bytes, random, random.of(clips)[1]) };
  });
  const starts = Array.from({ length: Math.ceil(CASES / BATCH) }, (_, batch) => batch * BATCH);
  const lanes = Array.from({ length: LANES }, () => new JailedLane());
  await using stack = new AsyncDisposableStack();
  for (const lane of lanes) stack.use(lane);

  const outcomes: Outcome[] = [];
  const faults: string[] = [];
  await Promise.all(
    lanes.map(async (lane) => {
      for (let start = starts.shift(); start !== undefined; start = starts.shift()) {
        const files = cases.slice(start, start + BATCH).map(({ bytes }, i) => folder.write(start! + i, bytes));
        const done = await lane.run(files);
        outcomes.push(...done);
        for (const [i, { result }] of done.entries()) {
          if (!isProper(result)) faults.push(`case ${start + i} (${cases[start + i]!.name}): ${described(result)}`);
        }
        folder.clear(files);
      }
    }),
  );
  for (const [result, count] of tally(outcomes)) t.diagnostic(`${count} ${result}`);
  const peakRssBytes = Math.max(...lanes.map((lane) => lane.peakRssBytes));
  t.diagnostic(`children lost: ${lanes.reduce((sum, { childrenLost }) => sum + childrenLost, 0)}`);
  t.diagnostic(`peak memory of a child: ${Math.round(peakRssBytes / 2 ** 20)} MB`);
  assert.equal(outcomes.length, CASES);
  assert.deepEqual(faults, [], `seed ${SEED}`);
  assert.ok(peakRssBytes < MAX_RSS_BYTES, `${peakRssBytes} bytes`);
});

/** A crash is contained and reported; an unexpected error inside the child is a bug, and so is a hang. */
function isProper(result: Outcome['result']): boolean {
  if (!(result instanceof ExportError)) return true;
  if (result.code === 'render.crashed') return true;
  return result.kind !== 'internal' && result.code !== 'render.stalled';
}

function nameOf(result: Outcome['result']): string {
  return result instanceof ExportError ? result.code : result;
}

function described(result: Outcome['result']): string {
  if (!(result instanceof ExportError)) return result;
  return `${result.code} ${result.message} ${(result.cause as Error | undefined)?.message ?? ''}`;
}

function tally(outcomes: readonly Outcome[]): [string, number][] {
  const counts = new Map<string, number>();
  for (const { result } of outcomes) counts.set(nameOf(result), (counts.get(nameOf(result)) ?? 0) + 1);
  return [...counts].sort(([, a], [, b]) => b - a);
}

/** Files for the children to read; gone afterwards. */
class CaseFolder implements Disposable {
  readonly #path = mkdtempSync(join(tmpdir(), 'tiercut-cases-'));

  write(n: number, bytes: Buffer): string {
    const file = join(this.#path, `${n}`);
    writeFileSync(file, bytes);
    return file;
  }

  clear(files: readonly string[]): void {
    for (const file of files) rmSync(file);
  }

  [Symbol.dispose](): void {
    rmSync(this.#path, { recursive: true, force: true });
  }
}
