import { effect } from '@preact/signals';
import { type Frames, SAMPLE_RATE, sampleAtFrame } from '../../../time.ts';
import { startWorker } from '../../kit/assets.ts';
import { mediaFile } from '../../media/media-store.ts';
import { unpacked } from '../../session/packed-plan.ts';
import { planned, rate, shownPresetName } from '../../session/session.ts';
import { heardLoudness, isMuted, type Sound } from '../../session/transport.ts';
import type { FromSound, ToSound } from './sound-worker.ts';

/** How much to mix ahead of playback, and how much before it starts. */
const AHEAD_SECONDS = 1.5;
const FIRST_SECONDS = 0.3;
/** After this time playback starts without sound. */
const PATIENCE_MS = 1500;

/** Plays the mix of the plan: a worker sends blocks, which are scheduled on the audio clock. */
export class SoundPlayer implements Sound {
  /** Started with the first playback. */
  #worker: Worker | null = null;
  #context: AudioContext | null = null;
  #loudness: GainNode | null = null;
  #number = 0;
  /** The first sample on the timeline, and its time on the audio clock; null before the start. */
  #from = 0;
  #begun: number | null = null;
  #blocks: (FromSound & { kind: 'block' })[] = [];
  #playing: AudioBufferSourceNode[] = [];
  /** The loudness of blocks that are not audible yet, in order. */
  #levels: Pick<FromSound & { kind: 'block' }, 'at' | 'loudness'>[] = [];
  #onBlock: (() => void) | null = null;

  constructor() {
    effect(() => {
      const level = isMuted.value ? 0 : 1;
      if (this.#loudness !== null) this.#loudness.gain.value = level;
    });
  }

  async start(frame: number): Promise<void> {
    this.stop();
    const { plans } = planned.value;
    const found = plans.get(shownPresetName.value) ?? plans.values().next().value;
    if (found === undefined || !found.hasSound) return;
    const context = await this.#running();
    if (context === null) return;
    this.#number += 1;
    const number = this.#number;
    this.#from = sampleAtFrame(frame as Frames, rate.value);
    const plan = unpacked(found);
    this.#send({
      kind: 'play',
      number,
      at: this.#from,
      audio: plan.audio,
      hashes: plan.sources.map(({ hash }) => hash),
    });
    this.#send({ kind: 'until', number, sample: this.#from + AHEAD_SECONDS * SAMPLE_RATE });
    await this.#heldAtLeast(FIRST_SECONDS * SAMPLE_RATE);
    if (number !== this.#number) return;
    this.#begun = context.currentTime + 0.03;
    for (const block of this.#blocks.splice(0)) this.#schedule(block);
  }

  stop(): void {
    this.#number += 1;
    this.#begun = null;
    this.#blocks = [];
    this.#levels = [];
    heardLoudness.value = null;
    this.#onBlock?.();
    for (const node of this.#playing) node.stop();
    this.#playing = [];
    this.#send({ kind: 'stop' });
  }

  elapsed(): number | null {
    if (this.#begun === null || this.#context === null) return null;
    const heard = this.#context.currentTime - this.#begun - (this.#context.outputLatency || 0);
    const until = this.#from + Math.round((Math.max(0, heard) + AHEAD_SECONDS) * SAMPLE_RATE);
    this.#send({ kind: 'until', number: this.#number, sample: until });
    this.#tellLoudness(this.#from + heard * SAMPLE_RATE);
    return Math.max(0, heard);
  }

  #tellLoudness(sample: number): void {
    while (this.#levels[0] !== undefined && this.#levels[0].at <= sample) {
      const { loudness } = this.#levels.shift()!;
      heardLoudness.value = loudness === null ? null : Math.round(loudness * 10);
    }
  }

  /** Null if the browser blocks audio. */
  async #running(): Promise<AudioContext | null> {
    if (this.#context === null) {
      this.#context = new AudioContext({ sampleRate: SAMPLE_RATE, latencyHint: 'interactive' });
      this.#loudness = this.#context.createGain();
      this.#loudness.gain.value = isMuted.value ? 0 : 1;
      this.#loudness.connect(this.#context.destination);
    }
    const context = this.#context;
    const waited = new Promise<void>((late) => setTimeout(late, 400));
    await Promise.race([context.resume().catch(() => {}), waited]);
    return context.state === 'running' ? context : null;
  }

  /** Resolves when enough is buffered, playback has stopped, or it takes too long. */
  #heldAtLeast(samples: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, PATIENCE_MS);
    const number = this.#number;
    this.#onBlock = () => {
      const held = this.#blocks.reduce((sum, block) => sum + block.left.length, 0);
      if (held >= samples || number !== this.#number) resolve();
    };
    return promise.finally(() => {
      clearTimeout(timer);
      this.#onBlock = null;
    });
  }

  async #take(message: FromSound): Promise<void> {
    if (message.kind === 'ask_file') {
      this.#send({ kind: 'file', hash: message.hash, file: await mediaFile(message.hash) });
      return;
    }
    if (message.number !== this.#number) return;
    this.#levels.push({ at: message.at, loudness: message.loudness });
    if (this.#begun !== null) {
      this.#schedule(message);
      return;
    }
    this.#blocks.push(message);
    this.#onBlock?.();
  }

  #schedule({ at, left, right }: FromSound & { kind: 'block' }): void {
    const context = this.#context!;
    const buffer = context.createBuffer(2, left.length, SAMPLE_RATE);
    buffer.copyToChannel(left, 0);
    buffer.copyToChannel(right, 1);
    const node = context.createBufferSource();
    node.buffer = buffer;
    node.connect(this.#loudness!);
    const due = this.#begun! + (at - this.#from) / SAMPLE_RATE;
    const late = Math.max(0, context.currentTime - due);
    // A block that is too late is not audible, and could not be stopped.
    if (late >= buffer.duration) return;
    node.start(due + late, late);
    this.#playing.push(node);
    node.onended = () => {
      this.#playing = this.#playing.filter((other) => other !== node);
    };
  }

  #send(message: ToSound): void {
    if (this.#worker === null) {
      if (message.kind === 'stop') return;
      this.#worker = startWorker('sound-worker');
      this.#worker.onmessage = ({ data }: MessageEvent<FromSound>) => void this.#take(data);
    }
    this.#worker.postMessage(message);
  }
}
