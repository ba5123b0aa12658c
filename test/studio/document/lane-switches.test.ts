import assert from 'node:assert/strict';
import { test } from 'node:test';
import { produce } from 'immer';
import { heardTimeline, keepLocked, readSwitches, switchLane } from '../../../src/studio/document/lane-switches.ts';
import { removeMedia } from '../../../src/studio/document/media-commands.ts';
import { moveEntries, rippleRemove } from '../../../src/studio/document/move-entries.ts';
import { clearBox, setBox } from '../../../src/studio/document/place-commands.ts';
import { EMPTY_PROJECT, type Project } from '../../../src/studio/document/project.ts';
import { recordTaps, revealAtSecond } from '../../../src/studio/document/reveals.ts';
import { videoRequest } from '../../../src/studio/document/service-requests.ts';
import { editTimeline, putTimeline } from '../../../src/studio/session/edit-timeline.ts';
import { decided, edit, openProject } from '../../../src/studio/session/session.ts';
import { frameRate, frames } from '../../../src/time.ts';
import { DEFAULT_PRESETS } from '../../../src/timeline/presets.ts';
import { timelineOf } from '../timeline/timeline-of.ts';

const PROJECT: Project = {
  ...EMPTY_PROJECT,
  timeline_data: timelineOf({
    videos: [{ id: 'v', file_field: 'a', start: 0, duration: 4, volume: 2 }],
    soundtracks: [
      { id: 't', file_field: 'b', start: 0, duration: 4, role: 'voice' },
      { id: 'm', file_field: 'c', start: 0, duration: 9, role: 'music', volume: 0.5 },
    ],
    tier_tiles: [{ id: 'r', tier_item_id: 'x', position: 1 }],
  }),
};

/** The project with switches pressed: `soundtracks.music muted`. */
function pressed(...switches: readonly string[]): Project {
  return produce(PROJECT, (draft) => {
    for (const each of switches) {
      const [key, which] = each.split(' ') as [string, 'muted'];
      switchLane(draft, key, which);
    }
  });
}

const volumes = (project: Project) => {
  const { videos, soundtracks, tier_tiles } = heardTimeline(project);
  return [...[...videos, ...soundtracks].map(({ volume }) => volume), tier_tiles[0]!.sound_volume];
};

test('[C17] a muted lane is sent with a volume of 0 and keeps its time; the edited document does not change', () => {
  assert.equal(heardTimeline(PROJECT), PROJECT.timeline_data);
  assert.deepEqual(volumes(pressed('soundtracks.music muted')), [2, undefined, 0, undefined]);
  assert.deepEqual(volumes(pressed('videos muted', 'soundtracks.music muted')), [0, undefined, 0, undefined]);
  assert.deepEqual(volumes(pressed('soundtracks.voice solo')), [0, undefined, 0, 0]);
  assert.deepEqual(volumes(pressed('soundtracks.voice solo', 'soundtracks.voice muted')), [0, 0, 0, 0]);
  assert.deepEqual(volumes(pressed('videos solo', 'videos solo')), volumes(PROJECT));
  const muted = pressed('soundtracks.music muted');
  assert.deepEqual(muted.timeline_data, PROJECT.timeline_data);
  const sent = videoRequest(muted).timeline_data.soundtracks[1]!;
  assert.deepEqual([sent.volume, sent.start, sent.duration], [0, 0, 9]);
  // Entries that stay the same are the same objects: what is planned of them is not planned again.
  assert.equal(heardTimeline(muted).soundtracks[1], heardTimeline(muted).soundtracks[1]);
  assert.equal(heardTimeline(muted).videos, PROJECT.timeline_data.videos);
});

test('[C17] a solo lane without entries silences nothing', () => {
  assert.deepEqual(volumes(pressed('audios solo')), volumes(PROJECT));
  const solo = pressed('soundtracks.voice solo');
  const [, music] = solo.timeline_data.soundtracks;
  const without = { ...solo, timeline_data: { ...solo.timeline_data, soundtracks: [music!] } };
  assert.deepEqual(volumes(without), [2, 0.5, undefined]);
});

test('locked entries are not moved, cut or removed, whatever else is', () => {
  const rules = { rate: frameRate(30), trimEndAs: 'out_point', sourceLength: () => null } as const;
  const { timeline_data: before } = PROJECT;
  const { lanes } = pressed('soundtracks.voice locked').studio;
  const all = [{ lane: 'videos', index: 0 } as const, { lane: 'soundtracks', index: 0 } as const];
  const moved = keepLocked(before, moveEntries(before, all, 30, rules), lanes);
  assert.deepEqual([moved.videos[0]!.start, moved.soundtracks[0]!.start], [1, 0]);
  const other = [{ lane: 'soundtracks', index: 1 } as const];
  assert.equal(keepLocked(before, moveEntries(before, other, 30, rules), lanes).soundtracks[1]!.start, 1);
  assert.equal(keepLocked(before, rippleRemove(before, all, rules), lanes).soundtracks, before.soundtracks);
  assert.equal(keepLocked(before, moved, undefined), moved);
});

test('a locked entry keeps its file, its place and its reveal, for every panel', () => {
  const locked = pressed('videos locked', 'tier_tiles locked');
  const withFiles = (project: Project): Project => ({ ...project, media: { a: 'media/a.mp4', c: 'media/c.mp3' } });
  const removed = (project: Project, field: string) =>
    produce(withFiles(project), (draft) => removeMedia(draft, field));
  assert.deepEqual(removed(locked, 'a'), withFiles(locked));
  assert.equal(removed(PROJECT, 'a').timeline_data.videos.length, 0);
  assert.deepEqual(
    removed(locked, 'c').timeline_data.soundtracks.map(({ id }) => id),
    ['t'],
  );

  const [preset] = DEFAULT_PRESETS;
  const ref = { lane: 'videos', id: 'v' } as const;
  const put = (project: Project) =>
    produce(project, (draft) => setBox(draft, ref, { x: 1, y: 2, width: 3, height: 4 }, preset, 'all'));
  assert.equal(put(locked), locked);
  const placed = put(PROJECT);
  assert.equal(placed.timeline_data.videos[0]!.x_percent, 1);
  const placedLocked = { ...placed, studio: locked.studio };
  assert.equal(
    produce(placedLocked, (draft) => clearBox(draft, ref, preset, 'all')),
    placedLocked,
  );

  openProject(locked);
  editTimeline('Move reveal', (data) => revealAtSecond(data, 'x', 3));
  assert.equal(decided.value.timeline_data, locked.timeline_data);
  // What is recorded, or dropped onto the timeline.
  const rules = { rate: frameRate(30), trimEndAs: 'out_point', sourceLength: () => null } as const;
  const { timeline_data: before } = locked;
  const after = recordTaps(before, ['x'], [frames(90)], rules);
  assert.notEqual(after.tier_tiles, before.tier_tiles);
  edit('Record 1 reveals', (draft) => putTimeline(draft, before, after));
  assert.equal(decided.value.timeline_data, before);
});

test('switches are read from a file only if they are valid', () => {
  assert.deepEqual(readSwitches({ videos: { muted: true, solo: 1 }, nobody: { locked: true }, audios: 'x' }), {
    videos: { muted: true },
  });
  assert.deepEqual(readSwitches({ 'soundtracks.music': { locked: true } }), { 'soundtracks.music': { locked: true } });
  for (const nothing of [undefined, null, 3, [], { videos: null }]) assert.equal(readSwitches(nothing), undefined);
});
