import { type FrameRate, type Frames, type Range, sourceElapsed } from '../../time.ts';
import type { PictureEnvelope } from '../envelope/picture-envelope.ts';
import type { AudioPlan, Chunk, ClipLayer, LayerRef, RenderPlan, SubtitleLayer } from '../render-plan.ts';
import { BoardKeys } from './board-key.ts';
import type { Digest } from './digest.ts';
import { haveManySizes } from './window-sizes.ts';

/** The parts of a plan that decide a chunk's bytes. */
type KeyedPlan = Pick<
  RenderPlan,
  | 'canvas'
  | 'rate'
  | 'totalFrames'
  | 'encoder'
  | 'sources'
  | 'clips'
  | 'theme'
  | 'board'
  | 'windows'
  | 'subtitles'
  | 'spans'
>;

/**
 * Gives each chunk its key: a hash of all that decides its bytes, told relative to the chunk's own start, and of nothing
 * else. No id, no field name, no absolute time goes in, and of a clip that reaches beyond the chunk only what is played
 * inside: so moving a passage, renaming things or editing elsewhere leaves the key alone.
 */
export function keyChunks(
  plan: KeyedPlan,
  chunks: readonly Range<Frames>[],
  engineVersion: string,
  digest: Digest,
): Chunk[] {
  const keys = new LayerKeys(plan, digest);
  const { canvas, rate, encoder, spans } = plan;
  const always = [engineVersion, canvas.width, canvas.height, canvas.background, rate.num, rate.den, encoder];
  let first = 0;
  return chunks.map((chunk) => {
    while (spans[first]!.end <= chunk.start) first += 1;
    const pieces: unknown[] = [];
    for (let i = first; i < spans.length && spans[i]!.start < chunk.end; i += 1) {
      const span = spans[i]!;
      const piece = { start: max(span.start, chunk.start), end: min(span.end, chunk.end) };
      pieces.push([
        piece.start - chunk.start,
        piece.end - chunk.start,
        span.layers.map((ref) => keys.layer(ref, piece)),
      ]);
    }
    return { ...chunk, key: digest([always, pieces]) };
  });
}

/** The key of the sound, which all presets share. */
export function audioKey(
  audio: Omit<AudioPlan, 'key'>,
  sources: RenderPlan['sources'],
  engineVersion: string,
  digest: Digest,
): string {
  const clips = audio.clips.map(({ lane, source, slot, window, speed, gain, loop, fadeIn, fadeOut }) => [
    typeof source === 'number' ? sources[source]!.hash : source,
    lane === 'tier_tiles',
    [slot.start, slot.end],
    [window.start, window.end],
    [speed, gain, loop, fadeIn, fadeOut],
  ]);
  return digest([engineVersion, audio.totalSamples, audio.bitrateKbps, audio.loudness, clips]);
}

/** What each layer adds to a key, relative to the piece it is seen in. */
class LayerKeys {
  readonly #plan: KeyedPlan;
  readonly #digest: Digest;
  readonly #board: BoardKeys | null;
  readonly #manySizes: boolean;
  readonly #theme: string;
  readonly #font: string | null;
  readonly #subtitles = new Map<number, string>();

  constructor(plan: KeyedPlan, digest: Digest) {
    this.#plan = plan;
    this.#digest = digest;
    this.#board = plan.board === null ? null : new BoardKeys(plan.board, plan.sources, digest);
    this.#manySizes = haveManySizes(plan.windows);
    const { font, ...look } = plan.theme;
    this.#font = font === null ? null : plan.sources[font]!.hash;
    this.#theme = digest([Object.entries(look).sort(([a], [b]) => (a < b ? -1 : 1)), this.#font]);
  }

  layer(ref: LayerRef, piece: Range<Frames>): unknown {
    if (ref.kind === 'clip') return this.#clip(this.#plan.clips[ref.clip]!, piece);
    const { windows, subtitles, totalFrames } = this.#plan;
    if (ref.kind === 'progress') return ['progress', totalFrames, piece.start];
    if (ref.kind === 'subtitle') {
      const subtitle = subtitles[ref.subtitle]!;
      return [this.#subtitle(ref.subtitle), litWords(subtitle, piece), passing(subtitle, piece)];
    }
    const window = windows[ref.window]!;
    return [
      this.#manySizes ? 'board, pictures by way of a copy' : 'board',
      rect(window.rect),
      this.#theme,
      this.#board!.settled(ref.settled),
      this.#board!.moving(ref.settled, ref.started, piece.start),
      passing(window, piece),
    ];
  }

  #clip(clip: ClipLayer, piece: Range<Frames>): unknown {
    const { rate, sources } = this.#plan;
    const { kind, crop, dest, backdrop, matte, alpha, look } = clip;
    const place = [
      rect(crop),
      rect(dest),
      backdrop && [rect(backdrop.crop), rect(backdrop.dest)],
      matte && rect(matte),
    ];
    const framed = look && [
      rect(look.rect),
      look.radiusPx,
      look.border && [look.border.color, look.border.widthPx],
      look.shadow,
    ];
    const times = [playedTimes(clip, piece, rate), fades(clip, piece), passing(clip, piece)];
    return ['clip', sources[clip.source]!.hash, kind, place, alpha, framed, times];
  }

  #subtitle(index: number): string {
    let key = this.#subtitles.get(index);
    if (key === undefined) {
      const { text, rect: box, sizePx, align, color, background } = this.#plan.subtitles[index]!;
      const plate = background && [background.color, background.alpha];
      key = this.#digest([text, rect(box), sizePx, align, color, plate, this.#font]);
      this.#subtitles.set(index, key);
    }
    return key;
  }
}

/**
 * Which source times a piece asks for. Frame `j` of it wants ⌊(base + j·den·speed) / num⌋ µs, so `base` says it all, unless
 * the window's end is reached or the source starts over.
 */
function playedTimes(clip: ClipLayer, piece: Range<Frames>, rate: FrameRate): unknown {
  const { window, speed, loop, shows, kind } = clip;
  if (kind === 'still') return null;
  const before = (piece.start - shows.start) as Frames;
  if (loop) return [window.start, window.end, speed, before];
  const base = BigInt(window.start) * BigInt(rate.num) + BigInt(before) * BigInt(rate.den) * BigInt(speed);
  const last = window.start + sourceElapsed((piece.end - 1 - shows.start) as Frames, rate, speed);
  return [String(base), speed, last < window.end ? null : window.end];
}

/** The fades that touch the piece, and how far they have come at its start. */
function fades({ shows, fadeIn, fadeOut }: ClipLayer, piece: Range<Frames>): unknown {
  const fadesIn = piece.start < shows.start + fadeIn;
  const fadesOut = piece.end > shows.end - fadeOut;
  return [fadesIn ? [fadeIn, piece.start - shows.start] : null, fadesOut ? [fadeOut, shows.end - piece.start] : null];
}

/** The coming and going that touches the piece, and how far it has come at its start. */
function passing({ shows, enter, exit }: PictureEnvelope, piece: Range<Frames>): unknown {
  const comes = enter !== null && piece.start < shows.start + enter.frames;
  const goes = exit !== null && piece.end > shows.end - exit.frames;
  return [
    comes ? [enter.kind, enter.frames, piece.start - shows.start] : null,
    goes ? [exit.kind, exit.frames, shows.end - piece.start] : null,
  ];
}

/** Words and when they light up, as far as the piece can tell. */
function litWords({ words }: SubtitleLayer, piece: Range<Frames>): unknown {
  return words.map(({ from, to, at }) => [from, to, Math.min(Math.max(at, piece.start), piece.end) - piece.start]);
}

function rect({ x, y, width, height }: { x: number; y: number; width: number; height: number }): number[] {
  return [x, y, width, height];
}

function max(a: Frames, b: Frames): Frames {
  return a > b ? a : b;
}

function min(a: Frames, b: Frames): Frames {
  return a < b ? a : b;
}
