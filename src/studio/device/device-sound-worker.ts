import { messageOf } from '../../errors.ts';
import { AAC_FRAME_SAMPLES } from '../../iso/mp4/sample-entries.ts';
import type { PacketIndex } from '../../iso/mp4/sample-table.ts';
import type { AudioPlan } from '../../plan/model/audio-plan.ts';
import type { RenderPlan } from '../../plan/model/render-plan.ts';
import { LoudnessMeter } from '../../sound/dsp/loudness-meter.ts';
import { PlainOversampler } from '../../sound/dsp/oversampler.ts';
import type { Stereo } from '../../sound/dsp/stereo.ts';
import { TruePeakLimiter } from '../../sound/true-peak-limiter.ts';
import { voiceSlots } from '../../sound/voice-gate.ts';
import { SAMPLE_RATE } from '../../time.ts';
import { DeviceError, type DeviceFault, type ToDeviceSound } from '../export/device-messages.ts';
import { reportRejections, workerScope } from '../kit/worker-scope.ts';
import { PcmSource, voiceOf } from '../preview/sound/pcm-source.ts';
import { PreviewMixer } from '../preview/sound/preview-mixer.ts';
import { unpacked } from '../session/packed-plan.ts';
import { KeptParts, offsetsOf } from './kept-parts.ts';
import { soundKey } from './part-keys.ts';
import type { SoundDone } from './sound-done.ts';
import { WasmAac } from './wasm-aac.ts';

reportRejections();

/** Samples that are mixed at once. */
const BLOCK = 9600;
/** Packets that are kept as one blob, which a browser can move out of memory. */
const PACKETS_KEPT = 2000;

/** A plan that was checked. */
let ready: { readonly plan: RenderPlan; readonly fileOf: (source: number) => Blob } | null = null;

workerScope.onmessage = async ({ data }: MessageEvent<ToDeviceSound>) => {
  if (data.kind === 'render') {
    data.out.postMessage(await rendered(ready!));
    return;
  }
  const plan = unpacked(data.plan);
  ready = { plan, fileOf: (index) => data.files.get(plan.sources[index]!.hash)! };
  workerScope.postMessage(await faultsOf(ready));
};

/** What this browser cannot make heard: each file once. */
async function faultsOf({ plan: { audio }, fileOf }: NonNullable<typeof ready>): Promise<readonly DeviceFault[]> {
  const faults: DeviceFault[] = [];
  const noisy = audio.clips.find(({ denoise }) => denoise);
  if (noisy !== undefined) faults.push({ reason: 'denoise', path: noisy.path });
  const opened = new Set<number>();
  for (const { source, path } of audio.clips) {
    if (typeof source === 'string' || opened.has(source)) continue;
    opened.add(source);
    const sound = await PcmSource.open(fileOf(source));
    if (sound === null) faults.push({ reason: 'sound', path });
    sound?.end();
  }
  return faults;
}

async function rendered({ plan, fileOf }: NonNullable<typeof ready>): Promise<SoundDone> {
  try {
    const parts = await KeptParts.open();
    return { sound: await parts.part(soundKey(plan, location.pathname), () => render(plan.audio, fileOf)) };
  } catch (error) {
    return { fault: error instanceof DeviceError ? error.fault : { reason: 'sound', detail: messageOf(error) } };
  }
}

/** The sound of a plan as the service renders it: normalized, limited, encoded. (R15, R16) */
async function render(audio: AudioPlan, fileOf: (source: number) => Blob): Promise<PacketIndex<Blob>> {
  const voice = await voiceSlots(audio, (part) => voiceOf(fileOf(part.source), part));
  const gain = audio.loudness === null ? 1 : await gainTo(audio.loudness, audio, fileOf, voice);
  const encoder = await WasmAac.open(audio.bitrateKbps);
  using limiter = new TruePeakLimiter(() => new PlainOversampler());
  const sizes: number[] = [];
  const kept: Blob[] = [];
  let fresh: Uint8Array<ArrayBuffer>[] = [];
  const keep = (packets: readonly Uint8Array<ArrayBuffer>[]) => {
    fresh.push(...packets);
    sizes.push(...packets.map(({ length }) => length));
    if (fresh.length < PACKETS_KEPT) return;
    kept.push(new Blob(fresh));
    fresh = [];
  };
  await eachBlock(audio, fileOf, voice, (block) => {
    if (gain !== 1) amplify(block, gain);
    keep(encoder.encode(limiter.process(block)));
  });
  keep(encoder.encode(limiter.flush()));
  keep(encoder.finish());
  return soundIndex(audio, encoder.config, new Blob([...kept, ...fresh]), sizes);
}

/** Packets of 1024 samples. The first is before 0, and those after the end are silence. */
function soundIndex(audio: AudioPlan, config: Uint8Array, file: Blob, all: readonly number[]): PacketIndex<Blob> {
  const sizes = Uint32Array.from(all.slice(0, Math.ceil(audio.totalSamples / AAC_FRAME_SAMPLES) + 1));
  return {
    ...{ file, sizes, config },
    offsets: offsetsOf(sizes),
    times: Float64Array.from(sizes, (_, nth) => (nth - 1) * AAC_FRAME_SAMPLES),
    keys: new Uint8Array(sizes.length).fill(1),
    ticksASecond: SAMPLE_RATE,
  };
}

/** How far the mix has to be raised or lowered. Silence stays silence. */
async function gainTo(
  target: number,
  audio: AudioPlan,
  fileOf: (source: number) => Blob,
  voice: Parameters<typeof eachBlock>[2],
): Promise<number> {
  const meter = new LoudnessMeter();
  await eachBlock(audio, fileOf, voice, (block) => meter.push(block));
  const loudness = meter.integrated();
  return loudness === null ? 1 : 10 ** ((target - loudness) / 20);
}

/** Mixes the whole plan, block by block. */
async function eachBlock(
  audio: AudioPlan,
  fileOf: (source: number) => Blob,
  voice: Awaited<ReturnType<typeof voiceSlots>>,
  use: (block: Stereo) => void,
): Promise<void> {
  const open = new Map<number, Promise<PcmSource>>();
  const sourceOf = (index: number) => {
    const source = open.get(index) ?? opened(audio, index, fileOf(index));
    open.set(index, source);
    return source;
  };
  const mixer = new PreviewMixer(audio, 0, sourceOf, Promise.resolve(voice));
  try {
    for (let at = 0; at < audio.totalSamples; at += BLOCK) {
      use(await mixer.next(Math.min(BLOCK, audio.totalSamples - at)));
    }
  } finally {
    for (const source of open.values()) void source.then((found) => found.end()).catch(() => {});
  }
}

async function opened({ clips }: AudioPlan, index: number, file: Blob): Promise<PcmSource> {
  const source = await PcmSource.open(file);
  if (source !== null) return source;
  throw new DeviceError({ reason: 'sound', path: clips.find(({ source: used }) => used === index)!.path });
}

function amplify({ left, right }: Stereo, gain: number): void {
  for (let n = 0; n < left.length; n += 1) {
    left[n]! *= gain;
    right[n]! *= gain;
  }
}
