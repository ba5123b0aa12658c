import {
  AudioSample,
  AudioSampleSource,
  getFirstEncodableAudioCodec,
  getFirstEncodableVideoCodec,
  Mp4OutputFormat,
  Output,
  StreamTarget,
  VideoSample,
  VideoSampleSource,
} from 'mediabunny';
import { isDiskFull } from '../../media/media-folders.ts';
import type { Planes } from './held-sound.ts';
import type { RecorderFault } from './recorder.ts';
import { EncoderQueue, type PartWriter } from './take-parts.ts';
import { TakeFile } from './takes-folder.ts';

const KEY_FRAME_SECONDS = 2;
const FRAGMENT_SECONDS = 1;
const AUDIO_BITRATE = 128_000;

/** The size of the first picture, and the rates of the sound. */
interface TakeFormat {
  readonly picture: { readonly width: number; readonly height: number } | null;
  /** The scale of the written pictures. */
  readonly scale: number;
  readonly sound: { readonly sampleRate: number; readonly channels: number } | null;
  readonly videoBitrate: number;
}

interface Sources {
  readonly video: VideoSampleSource | null;
  readonly audio: AudioSampleSource | null;
}

/** Writes a fragmented MP4. However it ends, all whole fragments can be played. */
export class TakeWriter implements PartWriter<VideoFrame> {
  readonly #file: TakeFile;
  readonly #output: Output;
  readonly #sources: Sources;
  readonly #sampleRate: number;
  readonly #failed: (error: unknown) => void;
  readonly #queue = new EncoderQueue();

  private constructor(
    file: TakeFile,
    output: Output,
    sources: Sources,
    sampleRate: number,
    failed: (error: unknown) => void,
  ) {
    this.#file = file;
    this.#output = output;
    this.#sources = sources;
    this.#sampleRate = sampleRate;
    this.#failed = failed;
  }

  static async open(
    name: string,
    { picture, scale, sound, videoBitrate }: TakeFormat,
    failed: (error: unknown) => void,
  ): Promise<TakeWriter | RecorderFault> {
    const bitrate = Math.round(videoBitrate * scale);
    const size = picture && { width: even(picture.width * scale), height: even(picture.height * scale) };
    const isResized = size?.width !== picture?.width || size?.height !== picture?.height;
    const videoCodec = size && (await getFirstEncodableVideoCodec(['avc', 'vp9'], { ...size, bitrate }));
    const audioCodec =
      sound &&
      (await getFirstEncodableAudioCodec(['opus', 'aac'], {
        numberOfChannels: sound.channels,
        sampleRate: sound.sampleRate,
        bitrate: AUDIO_BITRATE,
      }));
    if ((size !== null && videoCodec === null) || (sound !== null && audioCodec === null)) return 'no_encoder';
    const file = await TakeFile.create(name).catch((error) => (isDiskFull(error) ? 'disk_full' : 'no_storage'));
    if (typeof file === 'string') return file;
    const output = new Output({
      format: new Mp4OutputFormat({ fastStart: 'fragmented', minimumFragmentDuration: FRAGMENT_SECONDS }),
      target: new StreamTarget(
        new WritableStream({
          write: ({ data, position }: { data: Uint8Array; position: number }) => file.write(data, position),
        }),
      ),
    });
    const video =
      videoCodec &&
      new VideoSampleSource({
        codec: videoCodec,
        bitrate,
        keyFrameInterval: KEY_FRAME_SECONDS,
        latencyMode: 'realtime',
        // A rotated camera or a resized window keeps the first size.
        sizeChangeBehavior: 'contain',
        ...(isResized && { transform: size! }),
      });
    const audio = audioCodec && new AudioSampleSource({ codec: audioCodec, bitrate: AUDIO_BITRATE });
    if (video) output.addVideoTrack(video);
    if (audio) output.addAudioTrack(audio);
    await output.start();
    return new TakeWriter(file, output, { video, audio }, sound?.sampleRate ?? 0, failed);
  }

  get name(): string {
    return this.#file.name;
  }

  get bytes(): number {
    return this.#file.bytes;
  }

  get isBehind(): boolean {
    return this.#queue.isBehind(performance.now());
  }

  addPicture(frame: VideoFrame, seconds: number): boolean {
    if (!this.#queue.add(performance.now())) {
      frame.close();
      return false;
    }
    const sample = new VideoSample(frame, { timestamp: seconds });
    this.#sources
      .video!.add(sample)
      .catch(this.#failed)
      .finally(() => {
        this.#queue.done();
        sample.close();
      });
    return true;
  }

  async addSound({ planes, channels }: Planes, seconds: number): Promise<void> {
    using sample = new AudioSample({
      data: planes,
      format: 'f32-planar',
      numberOfChannels: channels,
      sampleRate: this.#sampleRate,
      timestamp: seconds,
    });
    await this.#sources.audio!.add(sample);
  }

  async finish(): Promise<void> {
    await this.#output.finalize();
    this.#file.close();
  }

  close(): void {
    this.#file.close();
  }

  discard(): Promise<void> {
    return this.#file.remove();
  }
}

/** H.264 needs even sides. */
function even(px: number): number {
  return Math.max(2, Math.round(px / 2) * 2);
}
