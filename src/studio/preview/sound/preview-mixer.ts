import { type AudioClip, type AudioPlan, type MadeSound, SOUND_BUSES } from '../../../plan/model/audio-plan.ts';
import { plainAdder } from '../../../sound/clip-envelope.ts';
import { ClipSound } from '../../../sound/clip-sound.ts';
import { type Stereo, silentStereo, stereoView } from '../../../sound/dsp/stereo.ts';
import type { SoundSource } from '../../../sound/dsp/time-stretch.ts';
import { duckings } from '../../../sound/ducking.ts';
import { KeptSound } from '../../../sound/kept-sound.ts';
import { madeSound } from '../../../sound/made-sounds.ts';
import type { Range } from '../../../time.ts';

/** The sound of a file at 48 kHz, decoded before it is read. */
export interface ReadySource extends SoundSource {
  /** Resolves when this range can be read. */
  ready(from: number, to: number): Promise<void>;
}

/**
 * Mixes a timeline from a position on, block by block. Trims, speeds, loops, levels, fades and time stretching are those of the engine.
 * Loudness normalization and the limiter are left out.
 */
export class PreviewMixer {
  readonly #clips: readonly AudioClip[];
  readonly #source: (index: number) => Promise<ReadySource | null>;
  readonly #sounds = new Map<AudioClip, ClipSound>();
  /** Resolves when the voice has been detected. */
  readonly #duckings: Promise<ReturnType<typeof duckings>>;
  #at: number;

  /**
   * @param at the first sample of the timeline to mix.
   * @param voice when there is voice on the timeline, in samples.
   */
  constructor(
    { clips, duckDb }: Pick<AudioPlan, 'clips' | 'duckDb'>,
    at: number,
    source: (index: number) => Promise<ReadySource | null>,
    voice: Promise<readonly Range<number>[]>,
  ) {
    this.#clips = clips;
    this.#at = at;
    this.#source = source;
    this.#duckings = voice.then((slots) => duckings(clips, slots, duckDb));
  }

  async next(count: number): Promise<Stereo> {
    const bus = silentStereo(count);
    const [from, to] = [this.#at, this.#at + count];
    const lowered = await this.#duckings;
    for (const name of SOUND_BUSES) {
      const clips = this.#clips.filter((clip) => clip.bus === name);
      await this.#add(bus, clips, from, to);
      lowered[name]?.lower(bus, from);
    }
    this.#at = to;
    return bus;
  }

  async #add(bus: Stereo, clips: readonly AudioClip[], from: number, to: number): Promise<void> {
    for (const clip of clips) {
      if (clip.slot.start >= to) break;
      const sound = this.#soundOf(clip);
      const [begin, end] = [Math.max(from, clip.slot.start), Math.min(to, sound.end)];
      if (end <= begin) {
        this.#sounds.delete(clip);
        continue;
      }
      const source = typeof clip.source === 'string' ? madeSource(clip.source) : await this.#source(clip.source);
      if (source === null) continue;
      for (let at = begin; at < end; ) {
        const need = sound.need(at, end);
        await source.ready(need.from, need.to);
        sound.addTo(stereoView(bus, at - from, need.until - from), at, source);
        at = need.until;
      }
    }
  }

  #soundOf(clip: AudioClip): ClipSound {
    let sound = this.#sounds.get(clip);
    if (sound === undefined) {
      sound = new ClipSound(clip, plainAdder(clip.gain));
      this.#sounds.set(clip, sound);
    }
    return sound;
  }
}

function madeSource(name: MadeSound): ReadySource {
  const kept = new KeptSound(madeSound(name));
  return { ready: async () => {}, read: (at, into) => kept.read(at, into) };
}
