import type { Issue } from '../errors.ts';
import type { FrameRate, Frames, Range } from '../time.ts';
import type { AudioPlan } from './audio/audio-plan.ts';
import type { BoardScene } from './board-scene.ts';
import type { ClipLayer } from './layers/clip-layer.ts';
import type { PaintedLayers } from './layers/painted-layers.ts';
import type { Span } from './layers/span.ts';
import type { Theme } from './theme.ts';

/**
 * Everything that decides an export's picture and sound, for one output preset. Plain data: it goes through JSON
 * unchanged, and output frame `n` is a pure function of it and `n`. (R4)
 */
export interface RenderPlan {
  /** The preset's name on the wire. */
  readonly preset: string;
  readonly title: string;
  readonly canvas: Canvas;
  readonly rate: FrameRate;
  readonly totalFrames: Frames;
  readonly encoder: EncoderSettings;
  /** Every upload that the picture or the sound uses, once each; layers refer to them by index. */
  readonly sources: readonly PlanSource[];
  /** Clips that are seen in at least one span. (R8) */
  readonly clips: readonly ClipLayer[];
  /** How the board looks, and the letters of all texts. (C47) */
  readonly theme: Theme;
  /** The tier list that the windows show; null if no window is ever seen. */
  readonly board: BoardScene | null;
  readonly painted: PaintedLayers;
  /** Cover `0 … totalFrames` without gap or overlap, in order. (R9) */
  readonly spans: readonly Span[];
  /** Cover `0 … totalFrames` without gap or overlap, in order. */
  readonly chunks: readonly Chunk[];
  readonly audio: AudioPlan;
  /** Empty, or beginning at frame 0. */
  readonly chapters: readonly Chapter[];
  /** Whether the file carries the chapters too. (R34) */
  readonly chapterTrack: boolean;
  /** The shorts that can be cut from it, in order; empty unless this is the preset they are cut from. (C52) */
  readonly shorts: readonly Short[];
  readonly warnings: readonly Issue[];
}

/** The output picture: even sides, and the colour behind everything (`#rrggbb`). */
export interface Canvas {
  readonly width: number;
  readonly height: number;
  readonly background: string;
  /** What covers that colour: a gradient, or background clips (`ClipLayer.ground`). (C61) */
  readonly behind?: Gradient | 'clip';
}

/** Colours (`#rrggbb`) along a line. */
export interface Gradient {
  /** At even distances, two at least. */
  readonly colors: readonly string[];
  /** Where it goes, in degrees: 0 up, 90 to the right, 180 down. */
  readonly angle: number;
  readonly moving: boolean;
}

/** Settings of the video encoder. */
export interface EncoderSettings {
  readonly preset: string;
  readonly crf: number;
  /** Longest distance between two key frames. (R17) */
  readonly keyframeEvery: Frames;
}

/** One upload. `hash` is the SHA-256 of its bytes in hex. */
export interface PlanSource {
  readonly field: string;
  readonly hash: string;
}

/** A part of the video that is rendered, stored and reused separately. */
export interface Chunk extends Range<Frames> {
  /** Hash of everything that decides its bytes, and of nothing else. */
  readonly key: string;
}

/** A range of the video around a reveal, or around several that are close to each other. (C52) */
export interface Short extends Range<Frames> {
  /** The name of the revealed item. */
  readonly title: string;
  /** Cover it without gap or overlap, in order; counted from the beginning of the whole video. */
  readonly chunks: readonly Chunk[];
}

export interface Chapter extends Range<Frames> {
  readonly title: string;
}
