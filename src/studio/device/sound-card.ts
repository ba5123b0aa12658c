import { messageOf } from '../../errors.ts';
import { AAC_CHANNELS, AAC_FRAME_SAMPLES } from '../../iso/mp4/sample-entries.ts';
import { SAMPLE_RATE } from '../../time.ts';
import type { Found } from '../export/device-messages.ts';
import * as texts from '../texts/en/check.ts';
import { WasmAac } from './wasm-aac.ts';

const KBPS = 160;
/** A sweep: it fits itself at one place only. */
const LENGTH = SAMPLE_RATE / 2;
/** How far a sound may be from its place, and its level from what it was. */
const MAX_LATE = 2;
const MAX_DECIBELS = 0.5;
const SEARCHED = 1200;
const CODEC = 'mp4a.40.2';

/** Encodes a sound, decodes it, and compares its level and its place. */
export async function checkSound(): Promise<Found> {
  try {
    const sent = sweep();
    const encoder = await WasmAac.open(KBPS);
    const packets = [...encoder.encode({ left: sent, right: sent }), ...encoder.finish()];
    const heard = await decoded(packets, encoder.config);
    if (heard === null) return { ok: true, detail: texts.soundNotCompared };
    const late = latenessOf(sent, heard) - AAC_FRAME_SAMPLES;
    const decibels = 20 * Math.log10(levelOf(heard) / levelOf(sent));
    const ok = Math.abs(late) <= MAX_LATE && Math.abs(decibels) <= MAX_DECIBELS;
    return { ok, detail: texts.soundOffBy(late, decibels.toFixed(2)) };
  } catch (error) {
    return { ok: false, detail: messageOf(error) };
  }
}

function sweep(): Float32Array<ArrayBuffer> {
  return Float32Array.from({ length: LENGTH }, (_, n) => {
    const t = n / SAMPLE_RATE;
    return 0.25 * Math.sin(2 * Math.PI * (200 * t + 2000 * t * t));
  });
}

/** The left channel; null if the browser does not decode AAC. */
async function decoded(
  packets: readonly Uint8Array<ArrayBuffer>[],
  description: Uint8Array<ArrayBuffer>,
): Promise<Float32Array | null> {
  if (!('AudioDecoder' in globalThis)) return null;
  const config = { codec: CODEC, sampleRate: SAMPLE_RATE, numberOfChannels: AAC_CHANNELS, description };
  const { supported } = await AudioDecoder.isConfigSupported(config);
  if (!supported) return null;
  const blocks: Float32Array[] = [];
  let failure: unknown = null;
  const decoder = new AudioDecoder({
    output: (data) => {
      const block = new Float32Array(data.numberOfFrames);
      data.copyTo(block, { planeIndex: 0, format: 'f32-planar' });
      data.close();
      blocks.push(block);
    },
    error: (error) => {
      failure = error;
    },
  });
  decoder.configure(config);
  for (const [index, data] of packets.entries()) {
    const timestamp = Math.round((index * AAC_FRAME_SAMPLES * 1e6) / SAMPLE_RATE);
    decoder.decode(new EncodedAudioChunk({ type: 'key', timestamp, data }));
  }
  await decoder.flush();
  decoder.close();
  if (failure !== null) throw failure;
  const all = new Float32Array(blocks.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const block of blocks) {
    all.set(block, at);
    at += block.length;
  }
  return all;
}

/** How many samples later the sound is heard than it was sent. */
function latenessOf(sent: Float32Array, heard: Float32Array): number {
  let [best, most] = [0, Number.NEGATIVE_INFINITY];
  for (let late = 0; late <= SEARCHED; late += 1) {
    let sum = 0;
    for (let n = 0; n < sent.length; n += 1) sum += sent[n]! * (heard[n + late] ?? 0);
    if (sum > most) [best, most] = [late, sum];
  }
  return best;
}

function levelOf(sound: Float32Array): number {
  return Math.sqrt(sound.reduce((sum, value) => sum + value * value, 0));
}
