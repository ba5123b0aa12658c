/** Composes the music of `snacks/`, half a minute, and writes it: `node examples/snacks-music.ts`. */
import { join } from 'node:path';
import { MovieFile } from './making/movie-file.ts';
import { addEcho, addRoom } from './making/room.ts';
import { SoundEncoder } from './making/sound-encoder.ts';
import { play, type Stereo, silence, toPeak, warm } from './making/stereo.ts';
import { bass, bell, kick, pad, pluck, shaker, snap } from './planets/instruments.ts';

const BEAT_SECONDS = 60 / 112;
const BAR_SECONDS = 4 * BEAT_SECONDS;

const BARS = 14;

/** A bar's chord, as MIDI notes: its root, and three tones above it. */
const CHORDS = [
  [36, 60, 64, 67],
  [33, 60, 64, 69],
  [41, 60, 65, 69],
  [43, 59, 62, 67],
  [36, 60, 64, 67],
  [40, 59, 64, 67],
  [41, 60, 65, 69],
  [43, 62, 65, 71],
] as const;

/** Eighths of a bar at which the plucked tones are, and which tone of the chord each is; 3 is an octave above the first. */
const RIFF = [[0, 0], [1, 2], [2, 1], [3, 3], [5, 2], [6, 1], [7, 2]] as const; // biome-ignore format: a table
/** When the low tones begin, and how long they are, in beats. */
const BASS = [[0, 0.6], [1.5, 0.4], [2, 0.6], [3.5, 0.4]] as const; // biome-ignore format: a table
/** A melody for every other four bars: its bar, when in it, in beats, and its note. */
const MELODY = [
  [4, 0, 76], [4, 1.5, 79], [4, 3, 76],
  [5, 0, 74], [5, 1.5, 79], [5, 3, 74],
  [6, 0, 72], [6, 1.5, 77], [6, 3, 76],
  [7, 0, 74], [7, 1, 77], [7, 2, 79], [7, 3, 83],
] as const; // biome-ignore format: a table

const BIT_RATE = 80_000n;

function compose(): Stereo {
  const seconds = BARS * BAR_SECONDS;
  const music = silence(seconds);
  const plucks = silence(seconds);
  const beat = silence(seconds);
  for (let bar = 0; bar < BARS; bar += 1) {
    const at = (beats: number) => bar * BAR_SECONDS + beats * BEAT_SECONDS;
    const [root, ...chord] = CHORDS[bar % CHORDS.length]!;
    chord.forEach((note, voice) => {
      play(music, pad(note, BAR_SECONDS), at(0), 0.1, (voice - 1) * 0.5);
    });
    for (const [beats, length] of BASS) play(music, bass(root, length * BEAT_SECONDS), at(beats), 0.24);
    for (const [eighth, tone] of RIFF) {
      const note = tone === 3 ? chord[0]! + 12 : chord[tone]!;
      play(plucks, pluck(note + 12, 0.8), at(eighth / 2), eighth % 4 === 0 ? 0.3 : 0.22, eighth % 2 === 0 ? -0.4 : 0.4);
    }
    for (const [inBar, beats, note] of MELODY) {
      if (inBar === bar % CHORDS.length) play(plucks, bell(note, 1.2), at(beats), 0.34, 0.1);
    }
    for (const beats of [0, 2, 2.5]) play(beat, kick(), at(beats), 0.6);
    for (const beats of [1, 3]) play(beat, snap(), at(beats), 0.75, 0.1);
    for (let eighth = 0; eighth < 8; eighth += 1) {
      play(beat, shaker(0.1), at(eighth / 2), eighth % 2 === 1 ? 0.26 : 0.12, 0.25);
    }
  }
  addEcho(plucks, 0.75 * BEAT_SECONDS, 0.28);
  addRoom(plucks, 0.25);
  addRoom(music, 0.2);
  addRoom(beat, 0.06);
  for (const layer of [plucks, beat]) {
    for (let n = 0; n < music.left.length; n += 1) {
      music.left[n]! += layer.left[n]!;
      music.right[n]! += layer.right[n]!;
    }
  }
  toPeak(music, 1);
  warm(music, 1.4);
  toPeak(music, 0.8);
  return music;
}

using encoder = await SoundEncoder.open(compose(), BIT_RATE);
using file = await MovieFile.open(join(import.meta.dirname, 'snacks/music.m4a'), [encoder.context]);
await encoder.finish((packet) => file.write(0, packet));
await file.finish();
