import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { itemsIn } from '../../../src/studio/document/board-commands.ts';
import { copiedText, copyOf, isCopiedText, type Pasted, paste } from '../../../src/studio/document/copy-paste.ts';
import { type Entry, frameSlot, type TimeRules } from '../../../src/studio/document/entries.ts';
import { doStep, startHistory, undoStep } from '../../../src/studio/document/history.ts';
import { DRAWN_LANES } from '../../../src/studio/document/lane-looks.ts';
import { switchLane } from '../../../src/studio/document/lane-switches.ts';
import { EMPTY_PROJECT, type MediaEntry, type Project } from '../../../src/studio/document/project.ts';
import { readProjectText } from '../../../src/studio/document/project-text.ts';
import type { EntryRef, Selection } from '../../../src/studio/document/selection.ts';
import { type Frames, frameRate, frames } from '../../../src/time.ts';
import { DEFAULT_TIMELINE_LIMITS } from '../../../src/timeline/limits.ts';
import { parseRequest } from '../../../src/timeline/parse/parse-request.ts';
import { DEFAULT_PRESETS } from '../../../src/timeline/presets.ts';
import { picture, ranked } from './project-builder.ts';

const LIMITS = DEFAULT_TIMELINE_LIMITS;
const TIMES: TimeRules = { rate: frameRate(30), trimEndAs: 'out_point', sourceLength: () => 30 };
const AT: Parameters<typeof paste>[2] = { frame: frames(300), place: { row: null, index: 0 } };

const clip: MediaEntry = { ...picture('clip.mp4'), kind: 'video', duration: 30, type: 'video/mp4', sound: true };

/** Eight ranked items with their reveals, and entries of every kind. */
function full(): Project {
  const base = ranked(8);
  return {
    ...base,
    media: { ...base.media, clip: 'media/clip.mp4' },
    studio: { ...base.studio, media: { ...base.studio.media, clip } },
    timeline_data: {
      ...base.timeline_data,
      videos: [
        { id: 'a', file_field: 'clip', start: 0, duration: 4.2 },
        { id: 'b', file_field: 'clip', start: 5.01, duration: 3 },
      ],
      subtitles: [
        { id: 's', text: 'One', start: 1, duration: 1 },
        { id: 't', text: 'Two', start: 2.5, duration: 1 },
      ],
      titles: [{ id: 'u', text: 'Title', start: 0.4, duration: 2 }],
      soundtracks: [{ id: 'm', file_field: 'clip', start: 0, duration: 9, role: 'music' }],
      tier_tiles: base.timeline_data.tier_tiles.map((tile, i) => (i === 0 ? { ...tile, sound_field: 'ding' } : tile)),
    },
  };
}

function pasted(
  project: Project,
  copied: Project,
  at = AT,
  limits = LIMITS,
  isHere: (hash: string) => boolean = () => true,
): { readonly project: Project; readonly result: Pasted; readonly before: Project } {
  let result: Pasted | null = null;
  const start = startHistory(project);
  const after = doStep(start, 'Paste', (draft) => {
    result = paste(draft, copied, at, { times: TIMES, limits, isHere });
  });
  assert.deepEqual(undoStep(after).project, start.project);
  return { project: after.project, result: result!, before: project };
}

/** As it comes from the clipboard. */
function throughText(copied: Project): Project {
  const text = copiedText(copied);
  assert.ok(isCopiedText(text));
  return readProjectText(text, LIMITS).project;
}

function refsOf({ timeline_data }: Project): EntryRef[] {
  return DRAWN_LANES.flatMap((lane) => timeline_data[lane].map(({ id }) => ({ lane, id })));
}

function find(project: Project, { lane, id }: EntryRef): Entry {
  return project.timeline_data[lane].find((entry) => entry.id === id) as Entry;
}

function startOf(project: Project, ref: EntryRef): Frames {
  return frameSlot(find(project, ref), TIMES).start;
}

test('for any copy and paste, the project stays valid, ids are unique and distances stay', () => {
  const source = full();
  const refs = refsOf(source);
  const chosen = fc.subarray(refs, { minLength: 1 });
  const target = fc.constantFrom(source, EMPTY_PROJECT, ranked(3));
  fc.assert(
    fc.property(chosen, target, fc.nat(9000), (some, into, frame) => {
      const copied = throughText(copyOf(source, { kind: 'entries', refs: some })!);
      const { project, result } = pasted(into, copied, { ...AT, frame: frames(frame) });
      assert.equal(result.entries.length + result.left.length, some.length);
      for (const lane of DRAWN_LANES) {
        const ids = project.timeline_data[lane].map(({ id }) => id);
        assert.equal(new Set(ids).size, ids.length);
        assert.ok(into.timeline_data[lane].every((entry, i) => project.timeline_data[lane][i] === entry));
      }
      const uploads = new Set(Object.keys(project.media));
      if (result.entries.length > 0) parseRequest(project, { limits: LIMITS, presets: DEFAULT_PRESETS, uploads });
      // In each lane they keep the order in which they were copied.
      const earliest = Math.min(...some.map((ref) => startOf(source, ref)));
      for (const lane of DRAWN_LANES) {
        const wanted = some.filter((ref) => ref.lane === lane).map((ref) => startOf(source, ref) - earliest + frame);
        const found = result.entries.filter((ref) => ref.lane === lane).map((ref) => startOf(project, ref));
        if (found.length === wanted.length) assert.deepEqual(found.toSorted(), wanted.toSorted());
        else assert.ok(found.every((start) => wanted.includes(start)));
      }
    }),
    { numRuns: 60 },
  );
});

test('an item is revealed once, boards do not overlap, locked lanes stay: entries that break a rule are left out and named', () => {
  const source = full();
  const tile = source.timeline_data.tier_tiles[0]!;
  const copied = copyOf(source, { kind: 'entries', refs: [{ lane: 'tier_tiles', id: tile.id }] })!;
  assert.deepEqual(pasted(source, copied).result.left, ['revealed']);
  assert.deepEqual(pasted(EMPTY_PROJECT, copied).result.left, ['no_item']);
  // After a cut the reveal is gone, and comes back at the playhead with its sound.
  const cut = {
    ...source,
    timeline_data: { ...source.timeline_data, tier_tiles: source.timeline_data.tier_tiles.slice(1) },
  };
  const again = pasted(cut, copied);
  const back = find(again.project, again.result.entries[0]!);
  assert.deepEqual([back.position, back.sound_field], [10, 'ding']);

  const board = copyOf(source, {
    kind: 'entries',
    refs: [{ lane: 'tier_blocks', id: source.timeline_data.tier_blocks[0]!.id }],
  })!;
  assert.deepEqual(pasted(source, board, { ...AT, frame: frames(1) }).result.left, ['board_there']);
  assert.deepEqual(pasted(source, board, { ...AT, frame: frames(9000) }).result.left, []);

  const subtitle = copyOf(source, { kind: 'entries', refs: [{ lane: 'subtitles', id: 's' }] })!;
  const locked = doStep(startHistory(source), 'Lock', (draft) => switchLane(draft, 'subtitles', 'locked')).project;
  assert.deepEqual(pasted(locked, subtitle).result.left, ['locked']);
  assert.deepEqual(pasted(source, subtitle, AT, { ...LIMITS, maxEntriesPerLane: 2 }).result.left, ['too_many']);
  assert.deepEqual(pasted(source, subtitle, AT, { ...LIMITS, maxTimelineSeconds: 10 }).result.left, ['too_late']);
});

test('files are found by their content in another project; missing ones are named', () => {
  const copied = throughText(copyOf(full(), { kind: 'entries', refs: [{ lane: 'videos', id: 'a' }] })!);
  // It has a file called like that, with other content.
  const other: Project = {
    ...EMPTY_PROJECT,
    media: { clip: 'media/clip.mp4' },
    studio: { media: { clip: { ...clip, hash: 'e'.repeat(64) } } },
  };
  const here = pasted(other, copied);
  assert.equal(here.project.timeline_data.videos[0]!.file_field, 'clip-2');
  assert.deepEqual([here.project.media['clip-2'], here.project.studio.media['clip-2']], ['media/clip-2.mp4', clip]);
  assert.deepEqual(here.result.missing, []);
  const missed = pasted(other, copied, AT, LIMITS, () => false);
  assert.deepEqual(missed.result.missing, ['clip.mp4']);
  assert.ok('clip-2' in missed.project.media && !('clip-2' in missed.project.studio.media));
  const same: Project = { ...EMPTY_PROJECT, media: { film: 'media/film.mp4' }, studio: { media: { film: clip } } };
  assert.equal(pasted(same, copied).project.timeline_data.videos[0]!.file_field, 'film');
});

test('items are copied as they are, and pasted side by side at a position; reveals follow the board', () => {
  const source = full();
  const [first, second] = itemsIn(source, 's');
  const selection: Selection = { kind: 'items', ids: [second!.id, first!.id] };
  const copied = throughText(copyOf(source, selection)!);
  const { project, result } = pasted(source, copied, { ...AT, place: { row: 's', index: 1 } });
  assert.deepEqual(
    itemsIn(project, 's').map(({ id }) => id),
    [first!.id, `${first!.id}-2`, `${second!.id}-2`, second!.id],
  );
  assert.deepEqual(result.items, [`${first!.id}-2`, `${second!.id}-2`]);
  assert.equal(project.tier_list.items.at(-1)!.file_field, second!.file_field);
  assert.equal(project.timeline_data.tier_tiles.length, source.timeline_data.tier_tiles.length + 2);
  const tight = pasted(source, copied, AT, { ...LIMITS, maxItems: 9 });
  assert.deepEqual([tight.result.items.length, tight.result.left], [1, ['too_many']]);
  assert.equal(copyOf(source, { kind: 'settings' }), null);
});

test('text that only looks like a copy pastes nothing that a request would refuse', () => {
  const text = `{"tiercut_copied":1,"timeline_data":{"videos":[{"file_field":"no_such_file","start":0,"duration":1}],
    "tier_tiles":[{"tier_item_id":"nobody","position":-3}],"subtitles":[{"text":"Hi","start":0,"duration":1,"id":"s"}]},
    "media":{"tier_list":"../../etc/passwd"},"studio":{"media":{"tier_list":{"hash":"x"}}}}`;
  assert.ok(isCopiedText(text));
  const { project, result } = pasted(full(), readProjectText(text, LIMITS).project);
  assert.deepEqual(result.left, ['no_file']);
  assert.deepEqual(project.timeline_data.subtitles.at(-1), { id: 's-2', text: 'Hi', start: 10, duration: 1 });
  assert.equal(project.media['tier_list-2'], 'media/tier_list-2');
});
