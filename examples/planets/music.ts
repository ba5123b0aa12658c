import { addEcho, addRoom } from '../making/room.ts';
import { play, type Stereo, silence, toPeak, warm } from '../making/stereo.ts';
import { bass, bell, kick, pad, pluck, shaker, snap } from './instruments.ts';
import { BAR_SECONDS, BEAT_SECONDS } from './rhythm.ts';

/** Twelve bars and the last chord's fading. */
export const MUSIC_SECONDS = 30;

/** A bar's chord, as MIDI notes from low to high. */
interface Bar {
  readonly root: number;
  readonly chord: readonly [number, number, number, number];
  /** How much goes on, from 0 (pads alone) to 3 (everything, twice as fast). */
  readonly energy: 0 | 1 | 2 | 3;
}

const D = { root: 38, chord: [57, 62, 66, 73] } as const;
const B_MINOR = { root: 35, chord: [57, 62, 66, 71] } as const;
const G = { root: 43, chord: [59, 62, 66, 69] } as const;
const A = { root: 45, chord: [57, 61, 64, 71] } as const;
const F_SHARP_MINOR = { root: 42, chord: [57, 61, 66, 69] } as const;

const BARS: readonly Bar[] = [
  { ...D, energy: 0 },
  { ...B_MINOR, energy: 1 },
  { ...G, energy: 1 },
  { ...A, energy: 2 },
  { ...D, energy: 2 },
  { ...F_SHARP_MINOR, energy: 2 },
  { ...G, energy: 2 },
  { ...A, energy: 2 },
  // The jump: everything holds its breath.
  { ...B_MINOR, energy: 0 },
  { ...G, energy: 3 },
  { ...A, energy: 3 },
  { ...D, energy: 0 },
];

/** Steps through a chord and the octave above it. */
const ARPEGGIO = [0, 2, 1, 3, 4, 2, 5, 3];

/** When a bar's low tones begin and how long they are, in beats. */
const CALM_BASS = [[0, 3.6]] as const;
const LIVELY_BASS = [
  [0, 1.4],
  [1.5, 0.45],
  [2, 1.4],
  [3.5, 0.45],
] as const;

/** The soundtrack: pads, a plucked arpeggio with echoes, a bass and a small beat. */
export function composeMusic(seconds = MUSIC_SECONDS): Stereo {
  const music = silence(seconds);
  const plucks = silence(seconds);
  const beat = silence(seconds);
  BARS.forEach((bar, index) => {
    const start = index * BAR_SECONDS;
    if (start >= seconds) return;
    const last = index === BARS.length - 1;
    bar.chord.forEach((note, voice) => {
      const pan = (voice - 1.5) * 0.45;
      play(music, pad(note, last ? 2.4 : BAR_SECONDS), start, last ? 0.28 : 0.2, pan);
    });
    playArpeggio(plucks, bar, start);
    if (bar.energy >= 1) playBass(music, bar, start);
    if (bar.energy >= 2) playBeat(beat, bar, start);
  });
  const end = (BARS.length - 1) * BAR_SECONDS;
  play(beat, kick(), end, 0.7);
  play(music, bass(D.root, 2.2), end, 0.26);
  [74, 78, 81, 86].forEach((note, n) => {
    play(plucks, bell(note, 2.2), end + n * 0.075, 0.3, (n - 1.5) * 0.4);
  });
  addEcho(plucks, 0.75 * BEAT_SECONDS, 0.34);
  addRoom(plucks, 0.3);
  addRoom(music, 0.3);
  addRoom(beat, 0.08);
  for (const layer of [plucks, beat]) {
    for (let n = 0; n < music.left.length; n++) {
      music.left[n]! += layer.left[n]!;
      music.right[n]! += layer.right[n]!;
    }
  }
  toPeak(music, 1);
  warm(music, 1.4);
  toPeak(music, 0.8);
  return music;
}

function playArpeggio(into: Stereo, { chord, energy }: Bar, start: number): void {
  const notes = [...chord.map((note) => note + 12), ...chord.map((note) => note + 24)];
  const step = energy === 3 ? BEAT_SECONDS / 4 : BEAT_SECONDS / 2;
  const count = Math.round(BAR_SECONDS / step);
  for (let n = 0; n < count; n++) {
    // Quiet bars leave every other tone out.
    if (energy === 0 && n % 2 === 1) continue;
    const note = notes[ARPEGGIO[n % ARPEGGIO.length]!]!;
    const accent = n % 4 === 0 ? 1 : 0.74;
    const level = energy === 0 ? 0.22 : energy === 3 ? 0.24 : 0.28;
    play(into, pluck(note, 0.5 + energy * 0.18), start + n * step, level * accent, n % 2 === 0 ? -0.4 : 0.4);
  }
}

function playBass(into: Stereo, { root, energy }: Bar, start: number): void {
  for (const [beats, length] of energy === 1 ? CALM_BASS : LIVELY_BASS) {
    play(into, bass(root, length * BEAT_SECONDS), start + beats * BEAT_SECONDS, 0.24);
  }
}

function playBeat(into: Stereo, { energy }: Bar, start: number): void {
  const at = (beats: number) => start + beats * BEAT_SECONDS;
  for (const beats of energy === 3 ? [0, 1, 2, 3] : [0, 2]) play(into, kick(), at(beats), 0.62);
  for (const beats of [1, 3]) play(into, snap(), at(beats), 0.75, 0.1);
  const grain = energy === 3 ? 0.25 : 0.5;
  for (let beats = 0; beats < 4; beats += grain) {
    const off = beats % 1 === 0.5;
    play(into, shaker(off ? 0.16 : 0.09), at(beats), off ? 0.3 : 0.14, 0.25);
  }
}
