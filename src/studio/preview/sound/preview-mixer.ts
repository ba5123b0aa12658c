import { type ClipPass, clipPass } from '../../../plan/clip-pass.ts';
import { clipLevel } from '../../../plan/envelope/sound-envelope.ts';
import type { AudioClip, MadeSound } from '../../../plan/render-plan.ts';
import { type Stereo, silentStereo, stereoView } from '../../../sound/dsp/stereo.ts';
import { type SoundSource, TimeStretch } from '../../../sound/dsp/time-stretch.ts';
import { Ducking } from '../../../sound/ducking.ts';
import { KeptSound } from '../../../sound/kept-sound.ts';
import { LoopSeam } from '../../../sound/loop-seam.ts';
import { madeSound } from '../../../sound/made-sounds.ts';

/** Sound of a file by place at 48 kHz, made ready before it is read. */
export interface ReadySource extends SoundSource {
  /** Settles when what lies from one place to another can be read. */
  ready(from: number, to: number): Promise<void>;
}

const NORMAL_SPEED = 1_000_000;
/** How much further than what is due a stretch may look. */
const STRETCH_AHEAD = 24_000;

/**
 * The mix of a timeline from some place on, block after block: windows, speeds, loops, levels and fades as the engine has them, and its own
 * way of stretching time. What is left out is what closes the bus: loudness and the limiter.
 */
export class PreviewMixer {
  readonly #clips: readonly AudioClip[];
  readonly #source: (index: number) => Promise<ReadySource | null>;
  readonly #voices = new Map<AudioClip, Voice>();
  readonly #ducking: Ducking;
  #at: number;

  /** @param at the sample of the timeline that comes first. */
  constructor(clips: readonly AudioClip[], at: number, source: (index: number) => Promise<ReadySource | null>) {
    this.#clips = clips;
    this.#at = at;
    this.#source = source;
    this.#ducking = new Ducking(clips.filter(isTile).map(({ slot }) => slot));
  }

  /** The next samples. */
  async next(count: number): Promise<Stereo> {
    const bus = silentStereo(count);
    const [from, to] = [this.#at, this.#at + count];
    await this.#add(
      bus,
      this.#clips.filter((clip) => !isTile(clip)),
      from,
      to,
    );
    this.#ducking.lower(bus, from);
    await this.#add(bus, this.#clips.filter(isTile), from, to);
    this.#at = to;
    return bus;
  }

  async #add(bus: Stereo, clips: readonly AudioClip[], from: number, to: number): Promise<void> {
    for (const clip of clips) {
      if (clip.slot.start >= to) break;
      const voice = this.#voice(clip);
      const [begin, end] = [Math.max(from, clip.slot.start), Math.min(to, clip.slot.start + voice.pass.heard)];
      if (end <= begin) {
        this.#voices.delete(clip);
        continue;
      }
      const source = typeof clip.source === 'string' ? madeSource(clip.source) : await this.#source(clip.source);
      if (source === null) continue;
      const sound = await voice.play(begin - clip.slot.start, end - begin, source);
      for (let i = 0; i < sound.left.length; i += 1) {
        const level = clipLevel(clip, voice.pass.heard, begin - clip.slot.start + i);
        bus.left[begin - from + i]! += level * sound.left[i]!;
        bus.right[begin - from + i]! += level * sound.right[i]!;
      }
    }
  }

  #voice(clip: AudioClip): Voice {
    let voice = this.#voices.get(clip);
    if (voice === undefined) {
      voice = new Voice(clip);
      this.#voices.set(clip, voice);
    }
    return voice;
  }
}

function isTile({ lane }: AudioClip): boolean {
  return lane === 'tier_tiles';
}

function madeSource(name: MadeSound): ReadySource {
  const kept = new KeptSound(madeSound(name));
  return { ready: async () => {}, read: (at, into) => kept.read(at, into) };
}

/** One clip, played in order from wherever it is entered. */
class Voice {
  readonly pass: ClipPass;
  readonly #clip: AudioClip;
  readonly #seam: LoopSeam | null;
  #stretch: TimeStretch | null = null;

  constructor(clip: AudioClip) {
    this.#clip = clip;
    this.pass = clipPass(clip);
    this.#seam = clip.loop ? new LoopSeam() : null;
  }

  async play(at: number, count: number, source: ReadySource): Promise<Stereo> {
    const sound = silentStereo(count);
    const { length } = this.pass;
    for (let done = 0; done < count; ) {
      const pass = Math.floor((at + done) / length);
      const place = (at + done) % length;
      const part = stereoView(sound, done, done + Math.min(count - done, length - place));
      await this.#playPass(part, place, source);
      this.#seam?.smooth(part, pass, place);
      done += part.left.length;
    }
    return sound;
  }

  async #playPass(part: Stereo, place: number, source: ReadySource): Promise<void> {
    const { from, to } = this.pass;
    const count = part.left.length;
    const { speed } = this.#clip;
    if (speed === NORMAL_SPEED) {
      await source.ready(from + place, from + place + count);
      source.read(from + place, part);
      return;
    }
    const share = speed / NORMAL_SPEED;
    const due = from + Math.round(place * share);
    // Entered in the middle, a stretch begins there: what it sounds like is the same, to the sample it is not.
    if (place === 0 || this.#stretch === null) this.#stretch = new TimeStretch(due, to, speed);
    await source.ready(
      Math.max(from, due - STRETCH_AHEAD),
      Math.min(to, due + Math.ceil(count * share) + STRETCH_AHEAD),
    );
    this.#stretch.read(source, part);
  }
}
