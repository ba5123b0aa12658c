import type { Issue } from '../../errors.ts';
import type { FrameRate, Frames, Range } from '../../time.ts';
import type { AudioPlan } from './audio-plan.ts';
import type { BoardScene } from './board-scene.ts';
import type { Canvas } from './canvas.ts';
import type { ClipLayer } from './clip-layer.ts';
import type { PaintedKind, PaintedLayers } from './painted-layers.ts';
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

/** A run of frames with the same set of layers, back to front. (R6, R9) */
export interface Span extends Range<Frames> {
  readonly layers: readonly LayerRef[];
}

export type LayerRef = ClipRef | PaintedRef;

interface ClipRef {
  readonly kind: 'clip';
  /** Of `RenderPlan.clips`. */
  readonly index: number;
}

export interface PaintedRef {
  readonly kind: PaintedKind;
  /** Of `RenderPlan.painted[kind]`. */
  readonly index: number;
  /** How many of its events have begun, and how many of the first are over; those between are moving. */
  readonly started: number;
  readonly settled: number;
  /** Whether it may look different at every frame of the span. */
  readonly changes: boolean;
}
