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
import type { TakeFile } from './take-file.ts';

/** So many pictures may wait for the encoder. */
const MOST_WAITING = 4;
const KEY_FRAME_SECONDS = 2;
const FRAGMENT_SECONDS = 1;
const AUDIO_BITRATE = 128_000;

/** The size of the first picture, and the rates of the sound. */
interface TakeFormat {
  readonly picture: { readonly width: number; readonly height: number } | null;
  readonly sound: { readonly sampleRate: number; readonly channels: number } | null;
  readonly videoBitrate: number;
}

/** A fragmented MP4 that grows as it is recorded: whatever ends it, all whole fragments can be played. */
export class TakeWriter {
  readonly #output: Output;
  readonly #video: VideoSampleSource | null;
  readonly #audio: AudioSampleSource | null;
  readonly #failed: (error: unknown) => void;
  #waiting = 0;

  private constructor(
    output: Output,
    sources: { readonly video: VideoSampleSource | null; readonly audio: AudioSampleSource | null },
    failed: (error: unknown) => void,
  ) {
    this.#output = output;
    this.#video = sources.video;
    this.#audio = sources.audio;
    this.#failed = failed;
  }

  /** Null where this browser has no encoder for it. */
  static async open(file: TakeFile, format: TakeFormat, failed: (error: unknown) => void): Promise<TakeWriter | null> {
    const { picture, sound, videoBitrate: bitrate } = format;
    const videoCodec = picture && (await getFirstEncodableVideoCodec(['avc', 'vp9'], { ...picture, bitrate }));
    const audioCodec =
      sound &&
      (await getFirstEncodableAudioCodec(['opus', 'aac'], {
        numberOfChannels: sound.channels,
        sampleRate: sound.sampleRate,
        bitrate: AUDIO_BITRATE,
      }));
    if ((picture !== null && videoCodec === null) || (sound !== null && audioCodec === null)) return null;
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
        // A camera that is turned, or a window that is resized, keeps the first size.
        sizeChangeBehavior: 'contain',
      });
    const audio = audioCodec && new AudioSampleSource({ codec: audioCodec, bitrate: AUDIO_BITRATE });
    if (video) output.addVideoTrack(video);
    if (audio) output.addAudioTrack(audio);
    await output.start();
    return new TakeWriter(output, { video, audio }, failed);
  }

  /** Adds a picture, which it closes. @returns whether it was taken: the encoder may be behind. */
  addPicture(frame: VideoFrame, seconds: number): boolean {
    if (this.#waiting > MOST_WAITING) {
      frame.close();
      return false;
    }
    const sample = new VideoSample(frame, { timestamp: seconds });
    this.#waiting += 1;
    this.#video!.add(sample)
      .catch(this.#failed)
      .finally(() => {
        this.#waiting -= 1;
        sample.close();
      });
    return true;
  }

  async addSound(
    planes: Float32Array<ArrayBuffer>,
    channels: number,
    sampleRate: number,
    seconds: number,
  ): Promise<void> {
    using sample = new AudioSample({
      data: planes,
      format: 'f32-planar',
      numberOfChannels: channels,
      sampleRate,
      timestamp: seconds,
    });
    await this.#audio!.add(sample);
  }

  finish(): Promise<void> {
    return this.#output.finalize();
  }
}
