import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { after, test } from 'node:test';
import { makePlanetsMedia, PLANETS_MEDIA } from '../../examples/planets/media.ts';
import { BEAT_SECONDS } from '../../examples/planets/rhythm.ts';
import { DEFAULT_MEDIA_LIMITS } from '../../src/engine/input/media-limits.ts';
import { probe } from '../../src/engine/probe/probe-media.ts';
import { facts, picture, plan, sound } from '../request-builder.ts';

const { media, ...documents } = JSON.parse(
  await readFile(join(import.meta.dirname, '..', '..', 'examples', 'planets', 'project.json'), 'utf8'),
);
const { rows, items } = documents.tier_list as {
  rows: { item_ids: string[] }[];
  items: { id: string; file_field: string }[];
};
const tiles = documents.timeline_data.tier_tiles as { tier_item_id: string; position: number; to_row?: string }[];
const folder = await mkdtemp(join(tmpdir(), 'tiercut-example-'));
after(() => rm(folder, { recursive: true }));

/** The media as they will be when made in full. */
const declared = Object.fromEntries(
  Object.entries(media as Record<string, string>).map(([field, path]) => {
    const file = PLANETS_MEDIA.find(({ name }) => name === basename(path));
    assert(file !== undefined, `${path} is made by makePlanetsMedia`);
    if (file.seconds === 0) return [field, picture(field, file.width, file.height)];
    if (file.width === 0) return [field, sound(field, file.seconds)];
    return [field, facts(field, { duration: file.seconds, width: file.width, height: file.height })];
  }),
);

for (const preset of ['landscape', 'portrait', 'square']) {
  test(`[C5, C16] the planets plan without a warning as ${preset}`, () => {
    const { warnings, totalFrames } = plan(documents, declared, preset);
    assert.deepEqual(warnings, []);
    assert.equal(totalFrames, 900);
  });
}

test('[C22] every planet is in one row and is revealed once, on a beat, while a board shows', () => {
  const ids = items.map(({ id }) => id).sort();
  assert.deepEqual(rows.flatMap(({ item_ids }) => item_ids).sort(), ids);
  const reveals = tiles.filter(({ to_row }) => to_row === undefined);
  assert.deepEqual(reveals.map(({ tier_item_id }) => tier_item_id).sort(), ids);
  const blocks = documents.timeline_data.tier_blocks as { start: number; duration: number }[];
  for (const { tier_item_id, position } of tiles) {
    const beats = position / BEAT_SECONDS;
    assert(Math.abs(beats - Math.round(beats)) < 1e-9, `${tier_item_id} comes at beat ${beats}`);
    assert(
      blocks.some(({ start, duration }) => start <= position && position + 1.2 <= start + duration),
      `${tier_item_id} is seen coming`,
    );
  }
});

test('every media file is generated once, completely, and is of the kind that the project expects', async () => {
  const reported: number[] = [];
  await makePlanetsMedia(folder, { size: 'sample', onProgress: (done) => reported.push(done) });
  assert.deepEqual(
    reported,
    reported.toSorted((a, b) => a - b),
  );
  assert.equal(reported.at(-1), 1);
  const names = PLANETS_MEDIA.map(({ name }) => name);
  assert.deepEqual((await readdir(folder)).sort(), [...names, 'made-from.txt'].sort());
  for (const { name, seconds, width, sound: sounds } of PLANETS_MEDIA) {
    const { facts: found } = await probe(join(folder, name), DEFAULT_MEDIA_LIMITS);
    const kind = seconds === 0 ? 'still' : width === 0 ? 'audio' : 'video';
    assert.deepEqual([name, found.kind, found.width, found.sound], [name, kind, width / 8, sounds]);
    if (kind !== 'still') assert(Math.abs(found.duration - 0.5) < 0.03, `${name} lasts ${found.duration} s`);
  }

  const made = await madeAt(names);
  await makePlanetsMedia(folder, { size: 'sample', onProgress: () => assert.fail('there is nothing to be made') });
  assert.deepEqual(await madeAt(names), made);
  await rm(join(folder, 'robot-host.mp4'));
  await makePlanetsMedia(folder, { size: 'sample' });
  const again = await madeAt(names);
  assert.deepEqual(
    names.filter((_, n) => made[n] !== again[n]),
    ['robot-host.mp4'],
  );
});

test('generating media can be aborted; no partial file stays', async () => {
  const stop = new AbortController();
  const ended = join(folder, 'ended');
  const making = makePlanetsMedia(ended, {
    size: 'sample',
    signal: stop.signal,
    onProgress: (_, file) => {
      if (file === 'star-flight.mp4') stop.abort();
    },
  });
  await assert.rejects(making, { name: 'AbortError' });
  const left = await readdir(ended);
  assert(left.includes('music.wav'));
  assert.deepEqual(
    left.filter((name) => name.endsWith('.part') || name.endsWith('.mp4')),
    [],
  );
});

async function madeAt(names: readonly string[]): Promise<bigint[]> {
  return Promise.all(names.map(async (name) => (await stat(join(folder, name), { bigint: true })).mtimeNs));
}
