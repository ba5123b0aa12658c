import { type FrameRate, type Frames, type Range, sourceMiddle } from '../../time.ts';
import { isGroundSeen } from '../frame/clip-at-frame.ts';
import { voiceClips } from '../frame/clip-pass.ts';
import { clipsOf } from '../frame/frame-runs.ts';
import { type KeyTools, PAINTED } from '../frame/painted-kinds.ts';
import { clipTransitionKey, enterExitKey, fadesKey } from '../frame/picture-envelope.ts';
import type { AudioPlan, VoiceKey } from '../model/audio-plan.ts';
import { gradientBehind, rectKey } from '../model/canvas.ts';
import type { ClipLayer, Motion } from '../model/clip-layer.ts';
import { fontKey } from '../model/fonts.ts';
import type { BoardWindow, PaintedKind } from '../model/painted-layers.ts';
import type { Chunk, LayerRef, PaintedRef, RenderPlan } from '../model/render-plan.ts';
import { BoardKeys } from './board-key.ts';
import type { Digest } from './digest.ts';

/** The parts of a plan that decide a chunk's bytes. */
type KeyedPlan = Pick<
  RenderPlan,
  'canvas' | 'rate' | 'totalFrames' | 'encoder' | 'sources' | 'clips' | 'theme' | 'board' | 'painted' | 'spans'
>;

/**
 * Gives each chunk its key: a hash of everything that decides its bytes, relative to the chunk's start, and of nothing
 * else. It contains no id, no field name and no absolute time, and of a clip only what plays inside the chunk: so
 * moving a passage, renaming things or editing elsewhere does not change the key.
 */
export function keyChunks(
  plan: KeyedPlan,
  chunks: readonly Range<Frames>[],
  engineVersion: string,
  digest: Digest,
): Chunk[] {
  const keys = new LayerKeys(plan, digest);
  const { canvas, rate, encoder, spans } = plan;
  const { behind } = canvas;
  const always: unknown[] = [
    engineVersion,
    canvas.width,
    canvas.height,
    canvas.background,
    rate.num,
    rate.den,
    encoder,
  ];
  if (behind !== undefined) always.push(behind);
  let first = 0;
  return chunks.map((chunk) => {
    while (spans[first]!.end <= chunk.start) first += 1;
    const ranges: unknown[] = [];
    let isMoved = false;
    for (let i = first; i < spans.length && spans[i]!.start < chunk.end; i += 1) {
      const span = spans[i]!;
      const range = { start: max(span.start, chunk.start), end: min(span.end, chunk.end) };
      isMoved ||= gradientBehind(canvas)?.moving === true && isGroundSeen(clipsOf(plan, span), range, canvas);
      ranges.push([
        range.start - chunk.start,
        range.end - chunk.start,
        span.layers.map((ref) => keys.layer(ref, range, span.layers)),
      ]);
    }
    // Layers that move with the time of the video look different elsewhere.
    return { ...chunk, key: digest([always, ranges, ...(isMoved ? [chunk.start] : [])]) };
  });
}

/** The key of the sound, which all presets share. */
export function audioKey(
  audio: Omit<AudioPlan, 'key' | 'voices'>,
  sources: RenderPlan['sources'],
  engineVersion: string,
  digest: Digest,
): string {
  const clips = audio.clips.map(
    ({ bus, source, slot, trim, speed, gain, volumePoints, denoise, loop, fadeIn, fadeOut }) => [
      typeof source === 'number' ? sources[source]!.hash : source,
      bus,
      [slot.start, slot.end],
      [trim.start, trim.end],
      [speed, gain, loop, denoise, fadeIn, fadeOut],
      volumePoints.map(({ at, gain: level }) => [at, level]),
    ],
  );
  return digest([engineVersion, audio.totalSamples, audio.bitrateKbps, audio.loudness, audio.duckDb, clips]);
}

/**
 * The keys of the voice that may duck music. They contain no place on the timeline: a clip that is moved has the same
 * voice.
 */
export function voiceKeys(
  audio: Pick<AudioPlan, 'clips' | 'duckDb'>,
  sources: RenderPlan['sources'],
  engineVersion: string,
  digest: Digest,
): VoiceKey[] {
  const parts = Map.groupBy(
    voiceClips(audio).map(({ part }) => part),
    ({ source }) => source,
  );
  return [...parts].map(([source, played]) => {
    const times = new Set(played.map(({ start, end }) => `${start} ${end}`));
    return { source, key: digest(['voice', engineVersion, sources[source]!.hash, [...times].sort()]) };
  });
}

/** What each layer adds to a key, relative to the range it is seen in. */
class LayerKeys {
  readonly #plan: KeyedPlan;
  readonly #tools: KeyTools;

  constructor(plan: KeyedPlan, digest: Digest) {
    this.#plan = plan;
    const { board, sources, painted } = plan;
    const { font: own, ...look } = plan.theme;
    const font = own && fontKey(own);
    const theme = digest([Object.entries(look).sort(([a], [b]) => (a < b ? -1 : 1)), font]);
    const known = new Map<object, string>();
    const once = (layer: object, make: () => string): string => {
      const key = known.get(layer) ?? make();
      known.set(layer, key);
      return key;
    };
    const boardKeys = board && new BoardKeys(board, sources, haveManySizes(painted.board), digest);
    this.#tools = { plan, digest, once, theme, font, board: boardKeys };
  }

  /** @param layers of the span, that one among them. */
  layer(ref: LayerRef, range: Range<Frames>, layers: readonly LayerRef[]): unknown {
    if (ref.kind === 'clip') return this.#clip(this.#plan.clips[ref.index]!, range, layers);
    return this.#painted(ref.kind, ref, range);
  }

  #painted<Kind extends PaintedKind>(kind: Kind, ref: PaintedRef, range: Range<Frames>): unknown {
    return PAINTED[kind].key(this.#plan.painted[kind][ref.index]!, ref, range, this.#tools);
  }

  #clip(clip: ClipLayer, range: Range<Frames>, layers: readonly LayerRef[]): unknown {
    const { rate, sources } = this.#plan;
    const { kind, crop, dest, backdrop, matte, alpha, look, ground } = clip;
    const place = [
      rectKey(crop),
      rectKey(dest),
      backdrop && [rectKey(backdrop.crop), rectKey(backdrop.dest)],
      matte && rectKey(matte),
    ];
    const framed = look && [
      rectKey(look.rect),
      look.radiusPx,
      look.border && [look.border.color, look.border.widthPx],
      look.shadow,
    ];
    const times = [playedTimes(clip, range, rate), fadesKey(clip, range), enterExitKey(clip, range)];
    const transition = clipTransitionKey(clip, range, layers);
    const behind = ground === undefined ? [] : [ground.blur];
    const own = ['clip', sources[clip.source]!.hash, kind, place, alpha, framed, times, ...behind];
    const moves = clip.motion && motionKey(clip.motion, range);
    return transition === null && moves === null ? own : [...own, transition, moves];
  }
}

/**
 * The source times that a range needs. Its frame `j` needs ⌊(base + (j + ½)·den·speed) / num⌋ µs, so `base` is enough,
 * unless the range reaches the end of the trim or the source starts over.
 */
function playedTimes(clip: ClipLayer, range: Range<Frames>, rate: FrameRate): unknown {
  const { trim, speed, loop, kind } = clip;
  const due = clip.shows.start + clip.lead;
  if (kind === 'still') return null;
  const before = (range.start - due) as Frames;
  if (loop) return [trim.start, trim.end, speed, before];
  const base = BigInt(trim.start) * BigInt(rate.num) + BigInt(before) * BigInt(rate.den) * BigInt(speed);
  const last = trim.start + sourceMiddle((range.end - 1 - due) as Frames, rate, speed);
  return [String(base), speed, last < trim.end ? null : trim.end];
}

/** The motion of a view, and its progress at the start of the range. (C59) */
function motionKey({ over, from, to, ease, part }: Motion, range: Range<Frames>): unknown {
  const cameras = [from, to].map(({ x, y, scale }) => [x, y, scale]);
  return [cameras, ease, rectKey(part), over.end - over.start, range.start - over.start];
}

function max(a: Frames, b: Frames): Frames {
  return a > b ? a : b;
}

function min(a: Frames, b: Frames): Frames {
  return a < b ? a : b;
}

/**
 * Up to this number of window sizes, every picture is scaled in advance, from its file. With more, pictures are scaled
 * when they are needed, from a smaller copy, and differ slightly: so the key contains which of the two applies. (R18)
 */
const MAX_SIZES = 16;

/** Whether there are too many window sizes to scale pictures for each in advance. */
export function haveManySizes(windows: readonly BoardWindow[]): boolean {
  return new Set(windows.map(({ rect }) => `${rect.width}x${rect.height}`)).size > MAX_SIZES;
}
