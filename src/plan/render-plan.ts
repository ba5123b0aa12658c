import type { Issue } from '../errors.ts';
import type { FrameRate, Frames, Micros, Range, Samples } from '../time.ts';
import type {
  ChosenSound,
  ClipTransitionName,
  HighlightName,
  ThemeName,
  TitleKind,
  TransitionName,
} from '../timeline/choices.ts';
import type { Camera } from '../timeline/request/places.ts';
import type { BoardScene } from './board-scene.ts';
import type { Voice } from './font/shipped-fonts.ts';

/** Made sounds: those that a request can choose, and the stamp's own. (C45, R29) */
export type MadeSound = ChosenSound | 'stamp';

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

/** Whole pixels; may be partly outside its surface. */
export interface Rect {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** A video clip, an animation or a still, drawn on the canvas. */
export interface ClipLayer {
  readonly id: string;
  /** JSON Pointer of the entry, for messages. */
  readonly path: string;
  readonly source: number;
  readonly kind: 'video' | 'animation' | 'still';
  readonly shows: Range<Frames>;
  /** Source time: frame `shows.start + lead` shows `start`; nothing at or after `end` is ever shown. (R5, C16) */
  readonly window: Range<Micros>;
  /** Frames of a transition that are shown before the in-point is due. (C58) */
  readonly lead: Frames;
  /** Source seconds a second, in millionths. */
  readonly speed: number;
  /** Animations start over at the end of the window; everything else holds its last frame. */
  readonly loop: boolean;
  /** The crop of the upright, square-pixelled source picture. */
  readonly crop: Rect;
  /** The place of the crop on the canvas, scaled to fit exactly. */
  readonly dest: Rect;
  /** How a view moves within the cut; null: all of it is shown. (C59) */
  readonly motion: Motion | null;
  /** A blurred copy behind the picture (`fit: blur`), or null. */
  readonly backdrop: { readonly crop: Rect; readonly dest: Rect } | null;
  /** The rectangle that shows only the background beside the picture. */
  readonly matte: Rect | null;
  /** It is a background clip with this much blur (from 0 to 1); absent: it is an ordinary layer. (C61) */
  readonly ground?: { readonly blur: number };
  /** Whether the source is transparent. */
  readonly alpha: boolean;
  /** Whether it is in front of boards. (C54) */
  readonly isAboveBoard: boolean;
  readonly fadeIn: Frames;
  readonly fadeOut: Frames;
  /** How a picture-in-picture is cut out and framed; null: it is a plain rectangle. (C48) */
  readonly look: ClipLook | null;
  readonly enter: Transition | null;
  readonly exit: Transition | null;
  /** How it takes over from the clip before it, in its first frames. (C58) */
  readonly takesOver: TakeOver | null;
  /** Its last frames, in which the next clip takes over. */
  readonly givesWay: Frames;
}

/** A view that moves within a clip's cut. Centres are in pixels of the upright source. (C59) */
export interface Motion {
  readonly over: Range<Frames>;
  readonly from: Camera;
  readonly to: Camera;
  readonly ease: 'linear' | 'ease_in_out';
  /** The part of the view on the canvas, relative to its centre, at a `scale` of 1. */
  readonly part: Rect;
}

/** A transition from one clip to the next, over as many frames. (C58) */
export interface TakeOver {
  readonly kind: ClipTransitionName;
  readonly frames: Frames;
  /** Index into `RenderPlan.clips`; null: the transition starts from the layers below. */
  readonly from: number | null;
}

/** The outline of a picture-in-picture, and its decoration. */
export interface ClipLook {
  /** The box of the outline; unlike the drawn picture, it may extend beyond the canvas. */
  readonly rect: Rect;
  /** Of the corners; half of a side: a circle. */
  readonly radiusPx: number;
  readonly border: { readonly color: string; readonly widthPx: number } | null;
  readonly shadow: boolean;
}

/** An entrance or exit: over this many frames, from the first one on or up to the last one. (C48, R20) */
export interface Transition {
  readonly kind: Exclude<TransitionName, 'none'>;
  readonly frames: Frames;
}

/** A theme with all changes to it; colours are `#rrggbb`. (C47) */
export interface Theme {
  /** The theme it is based on, which decides how the colours are used. */
  readonly name: ThemeName;
  readonly panel: string;
  readonly lane: string;
  /** Of edges. */
  readonly line: string;
  readonly text: string;
  /** Behind names and transparent pictures. */
  readonly card: string;
  /** From 0 to 1. */
  readonly panelOpacity: number;
  /** How round corners are, from 0 to 1. */
  readonly corner: number;
  /** Whether the picture under the panel is blurred. */
  readonly glass: boolean;
  /** null: the default font. */
  readonly font: PlanFont | null;
}

/** A font that is searched first for every glyph. (C47, C63) */
export interface PlanFont {
  /** Index into `RenderPlan.sources` of an upload; null: it ships. */
  readonly source: number | null;
  /** The name that the letters of each voice are registered under. It identifies them: an upload's has its hash. */
  readonly families: Readonly<Record<Voice, string>>;
  /** The height of capitals, in ems. */
  readonly capEm: number;
}

/** The common fields of painted layers; `plan/painted` has everything else about a kind. */
interface Painted {
  readonly id: string;
  /** JSON Pointer of its entry, for messages. */
  readonly path: string;
  readonly shows: Range<Frames>;
  readonly rect: Rect;
  readonly enter: Transition | null;
  readonly exit: Transition | null;
}

/** A tier block: where the board is seen, and when. */
export interface BoardWindow extends Painted {}

/** A title: an opening card, a lower third, a label. (C60) */
export interface TitleLayer extends Painted {
  readonly kind: TitleKind;
  readonly text: string;
  /** Empty: not shown. */
  readonly subtext: string;
  /** The box of the text; a card's `rect` is the whole canvas. */
  readonly textRect: Rect;
  readonly sizePx: number;
  readonly align: 'left' | 'center' | 'right';
  readonly color: string;
  /** `alpha` from 0 to 1. */
  readonly background: { readonly color: string; readonly alpha: number };
  readonly font: PlanFont | null;
}

/** A subtitle, or one page of it. (C62) */
export interface SubtitleLayer extends Painted {
  readonly text: string;
  /** The captions file's entry: the first page has the whole subtitle, the others null. */
  readonly caption: { readonly text: string; readonly shows: Range<Frames> } | null;
  /** The letters; null: those of the theme, as subtitles have them. */
  readonly letters: { readonly font: PlanFont | null; readonly voice: Voice } | null;
  /** null: the plain look. (C23) */
  readonly look: CaptionLook | null;
  /** Type size in output pixels, already scaled to the canvas. (C23) */
  readonly sizePx: number;
  readonly align: 'left' | 'center' | 'right';
  readonly color: string;
  /** `alpha` from 0 to 1. */
  readonly background: { readonly color: string; readonly alpha: number } | null;
  /** Parts of the text that light up, each from its frame on; empty: the whole text is shown at once. (C43) */
  readonly words: readonly { readonly from: number; readonly to: number; readonly at: Frames }[];
}

/** The effect of a caption style on the letters. (C62) */
export interface CaptionLook {
  readonly outline: { readonly color: string; readonly em: number };
  /** How the word that is being spoken is highlighted. */
  readonly highlight: HighlightName;
  readonly highlightColor: string;
  /** How many frames a word takes to reach its size, where words grow. */
  readonly growFrames: Frames;
}

/** The line that fills from the left with the progress of the video, and is full in its last frame. (C52) */
export interface ProgressBar extends Painted {}

/** A layer of each kind that is painted rather than decoded. */
export interface PaintedTypes {
  readonly board: BoardWindow;
  readonly title: TitleLayer;
  readonly subtitle: SubtitleLayer;
  readonly progress: ProgressBar;
}

export type PaintedKind = keyof PaintedTypes;
export type PaintedLayers = { readonly [Kind in PaintedKind]: readonly PaintedTypes[Kind][] };

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

/** A part of the video that is rendered, stored and reused separately. */
export interface Chunk extends Range<Frames> {
  /** Hash of everything that decides its bytes, and of nothing else. */
  readonly key: string;
}

export interface AudioPlan {
  readonly totalSamples: Samples;
  readonly bitrateKbps: number;
  /** LUFS target, or null: leave the level alone. */
  readonly loudness: number | null;
  /** By how many decibels the voice bus ducks the music bus; 0: not at all. (C57) */
  readonly duckDb: number;
  readonly clips: readonly AudioClip[];
  /** Hash of everything that decides the sound's bytes, and of nothing else. */
  readonly key: string;
  /** The sources whose voice may duck music. */
  readonly voices: readonly VoiceKey[];
}

/** Identifies the voice in the played parts of a source, by a hash of everything that decides it. (R28) */
export interface VoiceKey {
  /** An index into `RenderPlan.sources`. */
  readonly source: number;
  readonly key: string;
}

/**
 * The bus of a sound in the mix, in this order: voice ducks music, tiles duck music and plain sounds. (C57) Without
 * ducking, everything is plain.
 */
export const SOUND_BUSES = ['music', 'plain', 'voice', 'tile'] as const;
export type SoundBus = (typeof SOUND_BUSES)[number];

/** A sound in its slot. Where the window is shorter than the slot needs, the rest is silent unless it loops. */
export interface AudioClip {
  readonly id: string;
  readonly path: string;
  readonly lane: 'videos' | 'audios' | 'soundtracks' | 'tier_tiles';
  readonly bus: SoundBus;
  /** An index into `RenderPlan.sources`, or a made sound. */
  readonly source: number | MadeSound;
  readonly slot: Range<Samples>;
  readonly window: Range<Micros>;
  readonly speed: number;
  readonly gain: number;
  /** Multiplies the gain, by the sample from the slot's start, ascending; empty: 1. (C80) */
  readonly volumePoints: readonly { readonly at: Samples; readonly gain: number }[];
  /** Whether steady noise is reduced, as learnt from the window. (C80) */
  readonly denoise: boolean;
  readonly loop: boolean;
  /** Requested fades; the 5 ms at each edge are in addition. (R15) */
  readonly fadeIn: Samples;
  readonly fadeOut: Samples;
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
