import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { produce } from 'immer';
import { composeMusic } from '../../../examples/planets/music.ts';
import { addFiles } from '../../../src/studio/document/add-files.ts';
import { EMPTY_PROJECT, type MediaEntry, type Project } from '../../../src/studio/document/project.ts';
import { placeSound, setRole, soundWords, waitingMusic } from '../../../src/studio/document/sound-commands.ts';
import { splitEntry } from '../../../src/studio/document/split-entry.ts';
import { RoleGuess } from '../../../src/studio/media/guess-role.ts';
import { linesOf } from '../../../src/studio/timeline/view/lines.ts';
import { type Frames, frameRate } from '../../../src/time.ts';
import { picture } from './project-builder.ts';

function sound(name: string, duration: number, role?: 'voice' | 'music'): MediaEntry {
  const hash = createHash('sha256').update(name).digest('hex');
  return { ...picture(name), hash, kind: 'audio', duration, sound: true, ...(role && { role }) };
}

/** A picture of 30 s, and what is dropped onto the page. */
function dropped(...entries: readonly MediaEntry[]): Project {
  const clip: MediaEntry = { ...sound('clip.mp4', 30), kind: 'video', width: 16, height: 9 };
  return produce(EMPTY_PROJECT, (draft) => {
    addFiles(draft, [clip]);
    addFiles(draft, entries);
  });
}

const slots = ({ timeline_data }: Project) =>
  timeline_data.soundtracks.map(({ file_field, role, start, duration, fade_out }) => [
    file_field,
    ...[role, start, duration, fade_out],
  ]);

test('[C57] voice and music dropped together start together; music ends with the picture, and fades', () => {
  const project = dropped(sound('song.mp3', 42, 'music'), sound('talk.m4a', 28, 'voice'));
  assert.deepEqual(slots(project), [
    ['talk', 'voice', 0, 28, undefined],
    ['song', 'music', 0, 30, 1.5],
  ]);
  // A voice that lasts longer than the picture is heard to its end, and the music with it.
  assert.deepEqual(slots(dropped(sound('song.mp3', 42, 'music'), sound('talk.m4a', 40, 'voice')))[1], [
    ...['song', 'music', 0, 40, 1.5],
  ]);
  // Takes follow each other, and so do songs, as far as the picture goes.
  const more = dropped(sound('a.mp3', 20, 'music'), sound('b.mp3', 20, 'music'), sound('c.mp3', 20, 'music'));
  assert.deepEqual(slots(more), [
    ['a', 'music', 0, 20, undefined],
    ['b', 'music', 20, 10, 1.5],
  ]);
  assert.ok('c' in more.media);
  // Music alone is heard in full.
  const alone = produce(EMPTY_PROJECT, (draft) => void addFiles(draft, [sound('song.mp3', 42, 'music')]));
  assert.deepEqual(slots(alone), [['song', 'music', 0, 42, undefined]]);
});

test('[C57] after a take, music that is not on the timeline is offered, and placed under all of it', () => {
  const shelf = {
    voice: { ...sound('Take 1.mp4', 8, 'voice'), recorded: true },
    talk: sound('talk.m4a', 5, 'voice'),
    song: sound('song.mp3', 42, 'music'),
  };
  const project = produce(dropped(), (draft) => void Object.assign(draft.studio.media, shelf));
  const offer = waitingMusic(project)!;
  assert.deepEqual(offer, { field: 'song', name: 'song.mp3', duration: 42 });
  const placed = produce(project, (draft) => placeSound(draft, offer.field, { ...offer, role: 'music' }));
  assert.deepEqual(slots(placed), [['song', 'music', 0, 30, 1.5]]);
  // Another sound is offered next, a recording never.
  assert.equal(waitingMusic(placed)?.field, 'talk');
  const all = produce(placed, (draft) => placeSound(draft, 'talk', shelf.talk));
  assert.equal(waitingMusic(all), null);
});

test('[C57] music without room and sounds that extend the video are reported; nothing else is', () => {
  const came = (...entries: readonly MediaEntry[]) => soundWords(dropped(), dropped(...entries));
  assert.equal(came(sound('song.mp3', 42, 'music'), sound('talk.m4a', 28, 'voice')), null);
  const songs = [sound('a.mp3', 20, 'music'), sound('b.mp3', 20, 'music'), sound('c.mp3', 20, 'music')];
  assert.match(came(...songs)!, /^The music is already as long as the video, so c\.mp3 was added to the media only\./);
  const takes = [sound('one.m4a', 28, 'voice'), sound('two.m4a', 56, 'voice')];
  assert.match(came(...takes)!, /^The video is now 1:24 long instead of 0:30, /);
});

test('[C57] a wrong guess is corrected by the role alone, and entries edited by hand stay', () => {
  const project = dropped(sound('song.mp3', 42, 'voice'));
  assert.deepEqual(slots(project), [['song', 'voice', 0, 42, undefined]]);
  const music = produce(project, (draft) => setRole(draft, 'song', 'music'));
  assert.deepEqual(slots(music), [['song', 'music', 0, 30, 1.5]]);
  assert.deepEqual(slots(produce(music, (draft) => setRole(draft, 'song', 'voice'))), slots(project));
  assert.deepEqual(slots(produce(music, (draft) => setRole(draft, 'song', null)))[0]!.slice(1, 4), [undefined, 0, 42]);
  const cut = produce(music, (draft) => {
    Object.assign(draft.timeline_data.soundtracks[0]!, { start: 3, trim_start: 2, duration: 9 });
  });
  assert.deepEqual(slots(produce(cut, (draft) => setRole(draft, 'song', 'voice'))), [['song', 'voice', 3, 9, 1.5]]);
});

test('[C57] a sound that was shortened, split, moved or faded keeps its times when its role changes', () => {
  const rules = { rate: frameRate(30), trimEndAs: 'out_point', sourceLength: () => 42 } as const;
  for (const [from, to] of [
    ['voice', 'music'],
    ['music', 'voice'],
  ] as const) {
    const project = dropped(sound('song.mp3', 42, from));
    const times = ({ timeline_data }: Project) =>
      timeline_data.soundtracks.map(({ start, duration, trim_start, fade_out }) => [
        ...[start, duration, trim_start, fade_out],
      ]);
    const staysAs = (changed: Project) => {
      const turned = changed.timeline_data.soundtracks.reduce(
        (all, { id }) => produce(all, (draft) => setRole(draft, id, to)),
        changed,
      );
      assert.deepEqual(times(turned), times(changed));
      assert.ok(turned.timeline_data.soundtracks.every(({ role }) => role === to));
    };
    for (const by of [{ duration: 9 }, { start: 5 }, { fade_out: 0.5 }]) {
      staysAs(produce(project, (draft) => void Object.assign(draft.timeline_data.soundtracks[0]!, by)));
    }
    const halves = splitEntry(project.timeline_data, { lane: 'soundtracks', index: 0 }, 300 as Frames, rules);
    assert.equal(halves.soundtracks.length, 2);
    staysAs({ ...project, timeline_data: halves });
  }
});

test('[C57] voice, music and other sounds have their own lines', () => {
  const { timeline_data } = dropped(
    ...[sound('song.mp3', 30, 'music'), sound('ding.wav', 1), sound('talk.m4a', 28, 'voice')],
  );
  const rules = { rate: frameRate(30), trimEndAs: 'out_point', sourceLength: () => null } as const;
  const lines = linesOf(timeline_data, rules).filter(({ lane }) => lane === 'soundtracks');
  assert.deepEqual(
    lines.map(({ role, placed }) => [role, placed.map(({ entry }) => entry.file_field)]),
    [
      ['voice', ['talk']],
      ['music', ['song']],
      [undefined, ['ding']],
    ],
  );
});

test('[C57] music is distinguished from syllables with pauses; a sound that is too short is neither', () => {
  const guess = (samples: Float32Array, duration: number, rate = 48_000) => {
    const meter = new RoleGuess();
    for (let at = 0; at < samples.length; at += 1000) meter.push(samples.subarray(at, at + 1000), rate);
    return meter.role(duration);
  };
  const music = composeMusic(8).left;
  assert.equal(guess(music, 8), 'music');
  assert.equal(guess(music, 2), null);
  assert.equal(guess(new Float32Array(0), 60), null);
  // Four syllables a second, each followed by a silence, like speech.
  const syllables = Float32Array.from({ length: 16_000 * 8 }, (_, n) => (n % 4000 < 2200 ? Math.sin(n / 9) / 3 : 0));
  assert.equal(guess(syllables, 8, 16_000), 'voice');
});
