import type { AssembleOptions } from '../../engine/encode/assemble.ts';
import type { ChunkJob } from '../../engine/encode/chunk-encoding.ts';
import type { MediaLimits } from '../../engine/input/media-limits.ts';
import type { ProbedMedia } from '../../engine/probe/probed-media.ts';
import type { AudioPlan } from '../../plan/model/audio-plan.ts';
import type { RenderPlan } from '../../plan/model/render-plan.ts';
import type { ThumbnailPlan } from '../../plan/thumbnail-plan.ts';
import type { FoundSpeech } from '../../speech/find-pauses.ts';
import type { SpeechModel } from '../../speech/models/caption-models.ts';
import type { Frames } from '../../time.ts';
import type { SelfTestParams, SelfTestRow } from '../jail/self-test.ts';

/** A plan that is lent as a JSON file: only the child that needs a long plan reads it. */
export interface LentPlan {
  readonly file: string;
}

/**
 * A plan and the absolute paths of its uploads, which are all inputs of the child, by index into the plan's `sources`.
 */
export interface RenderParams<Plan = RenderPlan | LentPlan> {
  readonly plan: Plan;
  readonly files: readonly (readonly [source: number, path: string])[];
  readonly limits: MediaLimits;
}

/** The voice of a timeline, and the paths of its uploads. */
interface HeardMix extends Pick<RenderParams, 'files'> {
  readonly audio: Pick<AudioPlan, 'clips' | 'totalSamples'>;
}

/** The formats of a single frame. */
export type StillFormat = 'png' | 'jpeg' | 'webp';

/** The formats of a thumbnail: those that platforms take. */
type ThumbnailFormat = 'png' | 'jpeg';

/** One finished chunk. */
export interface ChunkResult {
  readonly frames: number;
  readonly bytes: number;
}

/**
 * The operations of the render child. To add one, name its types here; the compiler then requires its contract in
 * render-child.ts (parent) and its implementation in child-main.ts (child). Every `out` is an absolute path directly
 * in the child's work folder.
 */
export interface RenderOperations {
  /** Attempts, from inside, everything that the jail must refuse. */
  readonly self_test: { readonly params: SelfTestParams; readonly result: readonly SelfTestRow[] };
  /** Loads the code that nearly every export needs, or all code that a frame can need, without running it. */
  readonly warm_up: { readonly params: { readonly for: 'render' | 'frame' }; readonly result: null };
  readonly probe: {
    readonly params: { readonly file: string; readonly limits: MediaLimits };
    readonly result: ProbedMedia;
  };
  /** When there is speech in a file, in seconds. (C78) */
  readonly find_speech: {
    readonly params: { readonly file: string; readonly limits: MediaLimits };
    readonly result: FoundSpeech;
  };
  /** The transcript, with the time of each word, as JSON: a `Transcript`. (C77) */
  readonly transcribe: {
    readonly params: {
      readonly heard: { readonly file: string } | HeardMix;
      readonly model: SpeechModel;
      readonly limits: MediaLimits;
      readonly out: string;
    };
    readonly result: null;
  };
  /**
   * Chunks of one or more presets of one video. Several in one request share readers and painted pictures, and one's end
   * overlaps the next one's beginning; media are decoded once for all presets. The results are in the same order.
   */
  readonly render_chunks: {
    readonly params: {
      readonly presets: readonly (Omit<RenderParams, 'limits'> & { readonly jobs: readonly ChunkJob[] })[];
      readonly limits: MediaLimits;
    };
    readonly result: readonly ChunkResult[];
  };
  /** Chunks and sound, each an input of the child or made by it, become the video. (R17) */
  readonly assemble: {
    readonly params: Omit<AssembleOptions, 'signal'>;
    readonly result: { readonly bytes: number };
  };
  /** When there is voice in the parts of one source that the plan plays, as a file for `render_sound`. (R28) */
  readonly find_voice: {
    readonly params: RenderParams & { readonly source: number; readonly out: string };
    readonly result: null;
  };
  /**
   * The sound of the whole timeline; progress is in thousandths. (R15) `voice` has the files of `find_voice`, by source; voice in
   * other sources is looked for.
   */
  readonly render_sound: {
    readonly params: RenderParams & {
      readonly voice?: readonly (readonly [source: number, path: string])[];
      readonly out: string;
    };
    readonly result: { readonly samples: number; readonly peakDb: number; readonly loudness?: number | undefined };
  };
  /**
   * One output frame as a picture file. (R4) For a named plan, the paintings are reused for the next frame of the plan
   * with that name; its pictures and sources must be the same, its spans need only hold the frame.
   */
  readonly render_still: {
    readonly params: RenderParams & {
      readonly frame: Frames;
      readonly out: string;
      readonly format: StillFormat;
      readonly planName?: string | undefined;
    };
    readonly result: { readonly width: number; readonly height: number };
  };
  /** A thumbnail as a picture file of less than 2 MB. (R39) */
  readonly paint_thumbnail: {
    readonly params: RenderParams<ThumbnailPlan> & { readonly out: string; readonly format: ThumbnailFormat };
    readonly result: { readonly width: number; readonly height: number };
  };
}
