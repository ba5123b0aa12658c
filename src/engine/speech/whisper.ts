import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { AV_BUFFERSRC_FLAG_PUSH, AV_CHANNEL_ORDER_NATIVE } from 'node-av/constants';
import { type ChannelLayout, Filter, type FilterContext, FilterGraph, Frame } from 'node-av/lib';
import type { CaptionWord } from '../../speech/captions/caption-words.ts';
import { SPEECH_RATE, type SpeechEngine } from '../../speech/captions/speech-engine.ts';
import type { Seconds } from '../../time.ts';
import { readSubtitleFile } from '../../timeline/subtitle-file/read-subtitle-file.ts';
import { mustSucceed } from '../libav/libav-call.ts';
import { planarFrame } from '../sound/planar-frame.ts';

/** The filter transcribes this much at once. It is longer than every chunk, and shorter than the 30 s that Whisper hears at a time. */
const WINDOW: Seconds = 24;
const MONO: ChannelLayout = { nbChannels: 1, order: AV_CHANNEL_ORDER_NATIVE, mask: 0x4n };

/**
 * Whisper, by FFmpeg's filter. Silence fills each sound up to one window: the filter transcribes a full window at once and keeps nothing
 * for the next. Its words are in a file, because metadata have no times.
 */
export class Whisper implements SpeechEngine {
  readonly #graph: FilterGraph;
  readonly #input: FilterContext;
  readonly #output: FilterContext;
  readonly #file: string;
  #windows = 0;
  #readBytes = 0;

  private constructor(graph: FilterGraph, input: FilterContext, output: FilterContext, file: string) {
    this.#graph = graph;
    this.#input = input;
    this.#output = output;
    this.#file = file;
  }

  /** @param model a file in the ggml format. @param language ISO 639-1, or `auto`. */
  static async open(model: string, language: string, workDir: string): Promise<Whisper> {
    const file = join(workDir, 'words.srt');
    const graph = new FilterGraph();
    graph.alloc();
    try {
      graph.nbThreads = 1;
      const added = (filter: string, options: Record<string, string | number>) => {
        const list = Object.entries(options).map(
          ([key, value]) => `${key}=${String(value).replace(/[\\':]/g, '\\$&')}`,
        );
        const context = graph.createFilter(Filter.getByName(filter)!, filter, list.join(':'));
        if (context === null) throw new Error(`the filter ${filter} cannot be opened`);
        return context;
      };
      const input = added('abuffer', {
        sample_rate: SPEECH_RATE,
        sample_fmt: 'fltp',
        channel_layout: 'mono',
        time_base: `1/${SPEECH_RATE}`,
      });
      // Segments of one character at the most: a word each.
      const whisper = added('whisper', {
        model,
        language,
        queue: WINDOW,
        use_gpu: 0,
        destination: file,
        format: 'srt',
        max_len: 1,
      });
      const output = added('abuffersink', {});
      mustSucceed(input.link(0, whisper, 0), 'avfilter_link');
      mustSucceed(whisper.link(0, output, 0), 'avfilter_link');
      mustSucceed(await graph.config(), 'avfilter_graph_config');
      return new Whisper(graph, input, output, file);
    } catch (error) {
      graph.free();
      throw error;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#graph.free();
  }

  async words(sound: Float32Array, signal: AbortSignal): Promise<CaptionWord[]> {
    signal.throwIfAborted();
    const length = WINDOW * SPEECH_RATE;
    const { frame, room } = planarFrame(MONO, SPEECH_RATE, length);
    using _frame = frame;
    room.left.fill(0);
    room.left.set(sound);
    frame.pts = BigInt(this.#windows * length);
    const added = await this.#input.buffersrcAddFrame(frame, AV_BUFFERSRC_FLAG_PUSH);
    mustSucceed(added, 'av_buffersrc_add_frame');
    using heard = new Frame();
    heard.alloc();
    mustSucceed(await this.#output.buffersinkGetFrame(heard), 'av_buffersink_get_frame');
    const origin = this.#windows++ * WINDOW;
    const { cues } = readSubtitleFile(await this.#newText());
    const longest = sound.length / SPEECH_RATE;
    return (
      cues
        .map(({ text, start, end }) => ({
          text: text.trim(),
          start: start - origin,
          end: Math.min(end - origin, longest),
        }))
        .filter(({ text, start }) => text !== '' && start < longest)
        // The filter does not return probabilities.
        .map((word) => ({ ...word, confidence: 1 }))
    );
  }

  /** The filter's output since the last call. */
  async #newText(): Promise<string> {
    const all = await readFile(this.#file);
    const text = all.toString('utf8', this.#readBytes);
    this.#readBytes = all.length;
    return text;
  }
}
