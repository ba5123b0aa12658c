import { workerScope } from '../../kit/worker-scope.ts';
import { isDiskFull } from '../../media/media-folders.ts';
import { cut, HeldSound, type Planes } from './held-sound.ts';
import type { FromRecorder, ToRecorder } from './open-recorder.ts';
import type { RecorderFault, RecorderState } from './recorder.ts';
import { PictureClock } from './stream-clock.ts';
import { partName, TakeParts } from './take-parts.ts';
import { TakeSpans, type TakeTimes } from './take-times.ts';
import { TakeWriter } from './take-writer.ts';

const STATE_MS = 250;

let recorder: TakeRecorder | null = null;

function post(message: FromRecorder): void {
  workerScope.postMessage(message);
}

workerScope.onmessage = ({ data }: MessageEvent<ToRecorder>) => {
  switch (data.kind) {
    case 'open':
      recorder = new TakeRecorder(data, post);
      setInterval(() => {
        if (recorder?.isRecording) post({ kind: 'state', state: recorder.state() });
      }, STATE_MS);
      return;
    case 'go':
      void recorder?.go(data.at);
      return;
    case 'pause':
      recorder?.pause(data.at);
      return;
    case 'stop':
      recorder?.stop(data.at);
      return;
    case 'close':
      recorder?.close();
  }
};

type Opening = Extract<ToRecorder, { kind: 'open' }>;

/** A device without a picture for this long has failed. */
const NO_PICTURE_MS = 5000;
/** After this time without a picture the last one is written again: fragments end with pictures, and a shared screen may not change. */
const STILL_SECONDS = 1;
/** How long after a stop to wait for what was captured before it. */
const LAST_SAMPLES_MS = 1500;
const LAST_PICTURE_MS = 100;
/** Without sound the page's clock is the master, in milliseconds. */
const PAGE_TICKS = 1000;

/**
 * Records a camera and a microphone, with one clock for both and for the page. Sound is the master: its time is its sample count. The
 * time of a picture is its capture time on the clock of the sound. The file starts with the first picture, or with the last one before if the screen does not change.
 */
class TakeRecorder {
  readonly #opening: Opening;
  readonly #post: (message: FromRecorder) => void;
  readonly #sound = new HeldSound();
  readonly #spans = new TakeSpans();
  readonly #pictures = new PictureClock();
  #rate = PAGE_TICKS;
  #channels = 1;
  #size: { readonly width: number; readonly height: number } | null = null;
  /** The first file. It is opened before the recording starts, because a busy machine takes a second for that. */
  #first: Promise<TakeWriter | RecorderFault> | null = null;
  #firstFormat = '';
  #parts: TakeParts<VideoFrame> | null = null;
  /** When the recording was requested. */
  #goAt: number | null = null;
  #lastPlace = -1;
  #lastPicture: VideoFrame | null = null;
  #stopTick: number | null = null;
  #writing = Promise.resolve();
  #isOver = false;
  #isReady = false;

  constructor(opening: Opening, post: (message: FromRecorder) => void) {
    this.#opening = opening;
    this.#post = post;
    if (opening.sound !== null) void this.#hear(opening.sound.getReader());
    if (opening.picture !== null) void this.#watch(opening.picture.getReader());
  }

  async go(at: number): Promise<void> {
    if (this.#parts !== null) {
      this.#goOn(at);
      return;
    }
    const { picture, maxBytes } = this.#opening;
    const open = async (number: number, scale: number) => {
      const opened = await this.#open(number, scale).catch(() => null);
      return typeof opened === 'string' ? null : opened;
    };
    const failed = (error: unknown) => this.#failed(error);
    const first = await this.#openFirst();
    if (this.#isOver) return;
    if (typeof first === 'string') {
      this.#fail(first);
      return;
    }
    this.#parts = new TakeParts(first, { rate: this.#rate, hasPicture: picture !== null, maxBytes, open, failed });
    this.#goAt = at;
    if (picture === null) this.#goOn(at);
    else {
      setTimeout(() => this.#startStill(at), STILL_SECONDS * 1000);
      setTimeout(() => {
        if (this.#spans.spans.length === 0) this.#fail('no_picture');
      }, NO_PICTURE_MS);
    }
  }

  /** A shared screen that does not change sends no picture: the recording starts with its last one. */
  #startStill(at: number): void {
    if (this.#isOver || this.#stopTick !== null || this.#spans.spans.length > 0 || this.#lastPicture === null) return;
    this.#goOn(at);
    this.#writePicture(this.#lastPicture.clone(), 0);
  }

  #goOn(at: number): void {
    this.#spans.go(Math.max(Math.round(this.#tickAt(at)), this.#writtenTick()));
  }

  /** Opens the first file, and again if a device has changed its format since: a shared window can be resized. */
  #openFirst(): Promise<TakeWriter | RecorderFault> {
    const format = JSON.stringify(this.#format(1));
    if (this.#first === null || this.#firstFormat !== format) {
      this.#firstFormat = format;
      this.#first = discard(this.#first)
        .then(() => this.#open(1, 1))
        .catch(faultOf);
    }
    return this.#first;
  }

  #open(number: number, scale: number): Promise<TakeWriter | RecorderFault> {
    const name = partName(this.#opening.name, number);
    return TakeWriter.open(name, this.#format(scale), (error) => this.#failed(error));
  }

  #format(scale: number) {
    const { picture, sound, videoBitrate } = this.#opening;
    return {
      picture: picture && this.#size,
      scale,
      sound: sound && { sampleRate: this.#rate, channels: this.#channels },
      videoBitrate,
    };
  }

  pause(at: number): void {
    // Written samples stay: the message may arrive later than the samples.
    this.#spans.pause(Math.max(Math.round(this.#tickAt(at)), this.#writtenTick()));
  }

  stop(at: number): void {
    this.pause(at);
    this.#stopTick = this.#spans.spans.at(-1)?.to ?? 0;
    setTimeout(() => void this.#finish(), this.#opening.sound === null ? LAST_PICTURE_MS : LAST_SAMPLES_MS);
  }

  close(): void {
    this.#isOver = true;
    this.#release();
  }

  state(): RecorderState {
    const times = this.#times();
    const seconds = times.spans.reduce((sum, { from, to }) => sum + (to ?? Math.max(from, this.#nowTick())) - from, 0);
    const { files = [], isBehind = false, dropped = 0, isReduced = false } = this.#parts ?? {};
    return { times, seconds: seconds / this.#rate, files, isBehind, dropped, isReduced };
  }

  get isRecording(): boolean {
    return !this.#isOver && this.#spans.spans.length > 0;
  }

  #times(): TakeTimes {
    const { sound, delays } = this.#opening;
    const line = sound === null ? { rate: 1, offset: 0 } : this.#sound.line;
    const delayMs = sound === null ? 0 : delays.sound;
    return { line, ticksPerSecond: this.#rate, delayMs, spans: this.#spans.spans };
  }

  /** The page's `performance.now()`, in this thread. */
  #now(): number {
    return performance.now() + performance.timeOrigin - this.#opening.origin;
  }

  /** The tick of the master at a page time. */
  #tickAt(page: number): number {
    const { line, delayMs, ticksPerSecond } = this.#times();
    return ((page + delayMs - line.offset) / line.rate / 1000) * ticksPerSecond;
  }

  #nowTick(): number {
    return this.#opening.sound === null ? this.#now() : this.#sound.end;
  }

  #writtenTick(): number {
    return this.#opening.sound === null ? 0 : this.#sound.start;
  }

  async #hear(reader: ReadableStreamDefaultReader<AudioData>): Promise<void> {
    for (;;) {
      const { value: data, done } = await reader.read();
      if (this.#isOver) {
        data?.close();
        await reader.cancel();
        return;
      }
      if (done) {
        this.#fail('sound_ended');
        return;
      }
      const { sampleRate } = data;
      this.#rate = sampleRate;
      this.#channels = data.numberOfChannels;
      const sound = planesOf(data);
      data.close();
      this.#sound.add(sound, sampleRate, this.#now());
      // Before the first picture everything is kept: the recording may start with any of it.
      const isStarting = this.#goAt !== null && this.#spans.spans.length === 0;
      if (!isStarting) await this.#writeSound(this.#sound.release()).catch((error) => this.#failed(error));
      this.#ready();
      this.#repeatPicture();
      if (this.#stopTick !== null && this.#sound.end >= this.#stopTick) await this.#finish();
    }
  }

  /** Writes buffers after all earlier ones; rejects if one of them could not be written. */
  #writeSound(buffers: ReturnType<HeldSound['release']>): Promise<void> {
    this.#writing = this.#writing.then(async () => {
      for (const { sound, start } of buffers) {
        for (const { skip, length, at } of this.#spans.partsOf(start, sound.length)) {
          await this.#parts?.addSound(cut(sound, skip, length), at);
        }
      }
    });
    return this.#writing;
  }

  async #watch(reader: ReadableStreamDefaultReader<VideoFrame>): Promise<void> {
    for (;;) {
      const { value: frame, done } = await reader.read();
      if (this.#isOver) {
        frame?.close();
        await reader.cancel();
        return;
      }
      if (done) {
        this.#fail('picture_ended');
        return;
      }
      this.#see(frame);
      this.#ready();
    }
  }

  #see(frame: VideoFrame): void {
    this.#size = { width: frame.displayWidth, height: frame.displayHeight };
    const captured = this.#pictures.captured(frame.timestamp / 1000, this.#now()) - this.#opening.delays.picture;
    const tick = this.#tickAt(captured);
    if (this.#goAt !== null && this.#spans.spans.length === 0 && captured >= this.#goAt)
      this.#spans.go(Math.round(tick));
    const place = this.#spans.placeOf(Math.round(tick));
    this.#keep(frame);
    if (place === null) frame.close();
    else this.#writePicture(frame, place);
  }

  #writePicture(frame: VideoFrame, place: number): void {
    if (place <= this.#lastPlace) {
      frame.close();
      return;
    }
    if (this.#parts!.addPicture(frame, place)) this.#lastPlace = place;
  }

  #keep(frame: VideoFrame): void {
    this.#lastPicture?.close();
    this.#lastPicture = frame.clone();
  }

  #repeatPicture(): void {
    const place = this.#spans.placeOf(this.#sound.end);
    if (place === null || this.#lastPicture === null) return;
    if (place - this.#lastPlace > STILL_SECONDS * this.#rate) this.#writePicture(this.#lastPicture.clone(), place);
  }

  #ready(): void {
    const { sound, picture } = this.#opening;
    if (this.#isReady || (sound !== null && this.#sound.end === 0) || (picture !== null && this.#size === null)) return;
    this.#isReady = true;
    void this.#openFirst().then(() => this.#post({ kind: 'ready' }));
  }

  async #finish(): Promise<void> {
    if (this.#isOver) return;
    this.#isOver = true;
    try {
      await this.#writeSound(this.#sound.releaseAll());
      await this.#parts?.finish();
      const state = this.state();
      this.#release();
      this.#post({ kind: 'done', state });
    } catch (error) {
      this.#isOver = false;
      this.#failed(error);
    }
  }

  #failed(error: unknown): void {
    this.#fail(faultOf(error));
  }

  /** Ends the recording. If a device ended, the files are completed; otherwise they end with their last whole fragment. */
  #fail(fault: RecorderFault): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#spans.pause(this.#nowTick());
    const end = () => {
      const state = this.state();
      this.#release();
      this.#post({ kind: 'fault', fault, state });
    };
    const isWritable = fault === 'picture_ended' || fault === 'sound_ended';
    if (isWritable && this.#parts !== null) {
      this.#writeSound(this.#sound.releaseAll())
        .then(() => this.#parts!.finish())
        .then(end, end);
    } else end();
  }

  #release(): void {
    this.#lastPicture?.close();
    this.#lastPicture = null;
    if (this.#parts !== null) this.#parts.close();
    else void discard(this.#first);
  }
}

async function discard(opening: Promise<TakeWriter | RecorderFault> | null): Promise<void> {
  const opened = await opening;
  if (opened !== null && typeof opened !== 'string') await opened.discard();
}

function faultOf(error: unknown): RecorderFault {
  return isDiskFull(error) ? 'disk_full' : 'failed';
}

function planesOf(data: AudioData): Planes {
  const { numberOfFrames: length, numberOfChannels: channels } = data;
  const planes = new Float32Array(length * channels);
  for (let planeIndex = 0; planeIndex < channels; planeIndex += 1) {
    data.copyTo(planes.subarray(planeIndex * length, (planeIndex + 1) * length), { planeIndex, format: 'f32-planar' });
  }
  return { planes, channels, length };
}
