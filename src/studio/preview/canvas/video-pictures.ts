import { ALL_FORMATS, BlobSource, Input, type InputVideoTrack, type VideoSample, VideoSampleSink } from 'mediabunny';
import { playedPart } from '../../media/played-part.ts';
import * as texts from '../../texts/en/preview.ts';
import type { Drawable, SourcePictures } from './browser-surface.ts';

/** For a longer skip ahead, it is faster to start at the nearest key frame. */
const SKIP_AHEAD_SECONDS = 3;
/** Source times are rounded down to the microsecond. */
const ROUNDING_SECONDS = 1e-6;

/** Frames of a video file by time. Like the engine's reader, it returns the last frame that is due. (R5) */
export class VideoPictures implements SourcePictures {
  readonly close: string | null;
  readonly #input: Input;
  readonly #sink: VideoSampleSink;
  /** Source time 0 on the file's own clock, in seconds. */
  readonly #origin: number;
  #samples: AsyncGenerator<VideoSample, void, unknown> | null = null;
  #current: VideoSample | null = null;
  #upcoming: VideoSample | null = null;

  private constructor(input: Input, track: InputVideoTrack, origin: number, close: string | null) {
    this.#input = input;
    this.#sink = new VideoSampleSink(track);
    this.#origin = origin;
    this.close = close;
  }

  /** @returns null if this browser cannot decode the file. */
  static async open(file: Blob): Promise<VideoPictures | null> {
    const input = new Input({ source: new BlobSource(file), formats: ALL_FORMATS });
    try {
      const track = await input.getPrimaryVideoTrack();
      if (track === null || !(await track.canDecode())) throw new Error('no decoder');
      assumeOurColors(track);
      const { origin } = await playedPart(input, file);
      const hdr = await track.hasHighDynamicRange();
      return new VideoPictures(input, track, origin, hdr ? texts.hdrColours : null);
    } catch {
      input.dispose();
      return null;
    }
  }

  get last(): Drawable | null {
    return this.#current === null ? null : sampleDrawable(this.#current);
  }

  async at(micros: number): Promise<Drawable | null> {
    const wanted = this.#origin + micros / 1e6 + ROUNDING_SECONDS;
    if (this.#samples === null || !this.#isAhead(wanted)) await this.#restart(wanted);
    while (this.#upcoming !== null && this.#upcoming.timestamp <= wanted) {
      this.#current?.close();
      this.#current = this.#upcoming;
      this.#upcoming = await this.#next();
    }
    return this.last;
  }

  end(): void {
    void this.#samples?.return();
    this.#samples = null;
    this.#current?.close();
    this.#upcoming?.close();
    this.#current = null;
    this.#upcoming = null;
    this.#input.dispose();
  }

  /** Whether a time can be reached by reading on. */
  #isAhead(wanted: number): boolean {
    if (this.#current === null || wanted < this.#current.timestamp) return false;
    return this.#upcoming === null || wanted < this.#upcoming.timestamp + SKIP_AHEAD_SECONDS;
  }

  async #restart(at: number): Promise<void> {
    void this.#samples?.return();
    this.#upcoming?.close();
    this.#upcoming = null;
    this.#samples = this.#sink.samples(at);
    const first = await this.#next();
    if (first === null) return;
    this.#current?.close();
    this.#current = first;
    this.#upcoming = await this.#next();
  }

  async #next(): Promise<VideoSample | null> {
    const { value } = await this.#samples!.next();
    return value ?? null;
  }
}

/** Fills in missing colour metadata as the engine does, since browsers differ. */
function assumeOurColors(track: InputVideoTrack): void {
  const asked = track.getDecoderConfig.bind(track);
  track.getDecoderConfig = async () => {
    const config = await asked();
    if (config === null || config.colorSpace?.matrix) return config;
    const { codedWidth = 0, codedHeight = 0 } = config;
    const isHd = codedWidth >= 1280 || codedHeight > 576;
    const matrix: VideoMatrixCoefficients & VideoColorPrimaries = isHd ? 'bt709' : 'smpte170m';
    const said = config.colorSpace ?? {};
    const assumed = { matrix, primaries: matrix, transfer: 'bt709', fullRange: false } as const;
    const colorSpace = {
      matrix,
      primaries: said.primaries ?? assumed.primaries,
      transfer: said.transfer ?? assumed.transfer,
      fullRange: said.fullRange ?? assumed.fullRange,
    };
    return { ...config, colorSpace };
  };
}

function sampleDrawable(sample: VideoSample): Drawable {
  return {
    of: sample,
    film: sample,
    width: sample.displayWidth,
    height: sample.displayHeight,
    draw: (context, from, to) =>
      sample.draw(context, from.x, from.y, from.width, from.height, to.x, to.y, to.width, to.height),
  };
}
