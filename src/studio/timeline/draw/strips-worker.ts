import { ALL_FORMATS, AudioSampleSink, BlobSource, CanvasSink, Input } from 'mediabunny';
import { workerScope } from '../../kit/worker-scope.ts';
import { playedPart } from '../../media/played-part.ts';
import { PEAKS_PER_SECOND, peaksOf } from './peaks.ts';

/** An order: small frames of a clip at given times, or the peaks of a sound. */
export type StripOrder =
  | {
      readonly kind: 'film';
      readonly hash: string;
      readonly file: Blob;
      readonly times: readonly number[];
      readonly height: number;
    }
  | { readonly kind: 'peaks'; readonly hash: string; readonly file: Blob };

/** A partial result. */
export type StripReply =
  | { readonly kind: 'film'; readonly hash: string; readonly time: number; readonly bitmap: ImageBitmap | null }
  | { readonly kind: 'peaks'; readonly hash: string; readonly from: number; readonly peaks: Uint8Array };

/** Files are processed one after the other, the newest order first, since it is for what is visible now. */
const waiting: StripOrder[] = [];
let isBusy = false;

workerScope.onmessage = ({ data }: MessageEvent<StripOrder>) => {
  waiting.push(data);
  if (!isBusy) void work();
};

async function work(): Promise<void> {
  isBusy = true;
  for (let order = next(); order !== undefined; order = next()) {
    try {
      await (order.kind === 'film' ? film(order) : peaks(order));
    } catch {
      if (order.kind === 'film')
        for (const time of order.times) reply({ kind: 'film', hash: order.hash, time, bitmap: null });
    }
  }
  isBusy = false;
}

/** Frames before waveforms: they are faster and more visible. */
function next(): StripOrder | undefined {
  const at = waiting.findLastIndex(({ kind }) => kind === 'film');
  return at === -1 ? waiting.pop() : waiting.splice(at, 1)[0];
}

async function film({ hash, file, times, height }: StripOrder & { kind: 'film' }): Promise<void> {
  using input = new Input({ source: new BlobSource(file), formats: ALL_FORMATS });
  const track = await input.getPrimaryVideoTrack();
  if (track === null || !(await track.canDecode())) throw new Error('nothing to show');
  const { origin } = await playedPart(input, file);
  const sink = new CanvasSink(track, { height, poolSize: 1 });
  let index = 0;
  // Before its first frame, a clip shows its first frame.
  const first = await track.getFirstTimestamp();
  for await (const shown of sink.canvasesAtTimestamps(times.map((time) => Math.max(first, origin + time)))) {
    const bitmap = shown === null ? null : await createImageBitmap(shown.canvas as OffscreenCanvas);
    reply({ kind: 'film', hash, time: times[index]!, bitmap }, bitmap === null ? [] : [bitmap]);
    index += 1;
  }
}

async function peaks({ hash, file }: StripOrder & { kind: 'peaks' }): Promise<void> {
  using input = new Input({ source: new BlobSource(file), formats: ALL_FORMATS });
  const track = await input.getPrimaryAudioTrack();
  if (track === null || !(await track.canDecode())) return;
  const { origin } = await playedPart(input, file);
  let gathered: number[] = [];
  let from = 0;
  const hand = () => {
    const bytes = Uint8Array.from(gathered);
    reply({ kind: 'peaks', hash, from, peaks: bytes }, [bytes.buffer]);
    from += gathered.length;
    gathered = [];
  };
  for await (const sample of new AudioSampleSink(track).samples()) {
    using held = sample;
    const at = Math.round((held.timestamp - origin) * PEAKS_PER_SECOND);
    // A gap in the file is silence in the waveform.
    while (from + gathered.length < at) gathered.push(0);
    const channel = new Float32Array(held.numberOfFrames);
    held.copyTo(channel, { planeIndex: 0, format: 'f32-planar' });
    const until = Math.round((held.timestamp + held.duration - origin) * PEAKS_PER_SECOND);
    gathered.push(...peaksOf(channel, until - (from + gathered.length)));
    if (gathered.length >= 20 * PEAKS_PER_SECOND) hand();
  }
  hand();
}

function reply(message: StripReply, transfer: Transferable[] = []): void {
  workerScope.postMessage(message, transfer);
}
