import type { FrameRate, Frames, Range } from '../../time.ts';
import type { BoardScene } from '../model/board-scene.ts';
import { rectKey } from '../model/canvas.ts';
import { fontKey } from '../model/fonts.ts';
import { formatEnterExit, formatRect, formatSpan, quote, section } from '../model/format-values.ts';
import type { PaintedKind, PaintedTypes, SubtitleLayer } from '../model/painted-layers.ts';
import type { PaintedRef, RenderPlan } from '../model/render-plan.ts';
import { boardEdges, eventsAt } from '../reveal/board-state.ts';
import { enterExitKey } from './picture-envelope.ts';

/** The events of a layer, as in a `PaintedRef`, without its entrance and exit. */
type PaintedState = Pick<PaintedRef, 'started' | 'settled' | 'changes'>;

/** A layer without events. */
const STILL: PaintedState = { started: 0, settled: 0, changes: false };

/** The tools for keys; each is computed once for all chunks of a plan. */
export interface KeyTools {
  readonly plan: Pick<RenderPlan, 'totalFrames'>;
  digest(content: unknown): string;
  /** The result of the first `make` for this object. */
  once(layer: object, make: () => string): string;
  /** Digest of the theme including its font. */
  readonly theme: string;
  /** Key of that font. */
  readonly font: string | null;
  /** null if no board is ever seen. */
  readonly board: {
    /** The still board in a part of a span, and its motion. */
    at(range: Range<Frames>): readonly unknown[];
    /** Whether pictures are scaled from a smaller copy. */
    readonly manySizes: boolean;
  } | null;
}

/** Everything about a kind of painted layer except its pixels: `paint/draw/layer/canvas-painter.ts` makes those. */
interface PaintedSpec<Kind extends PaintedKind> {
  /** Whether it is dimmed with everything below it. Layers that are not are in front of everything that boards hold up. (R19) */
  readonly isDimmed: boolean;
  /** Whether the picture under it is blurred in a theme of glass. (C47) */
  readonly isGlass: boolean;
  /** Whether it is an entry of the timeline, with a box that can be dragged. */
  readonly isEntry: boolean;
  /** Whether the video is cut into chunks where it changes. Texts are edited most, and such an edit must move no cut. */
  readonly dividesChunks: boolean;
  /** The frames of all events of the layers, except entrance and exit. */
  edges(layers: readonly PaintedTypes[Kind][], board: BoardScene | null): Iterable<Frames>;
  stateAt(layer: PaintedTypes[Kind], at: Frames, board: BoardScene | null): PaintedState;
  /**
   * Everything that decides the pixels in a range of a span, relative to the range's start, and nothing else; except
   * for the canvas, which is in every key. (R18)
   */
  key(layer: PaintedTypes[Kind], state: PaintedState, range: Range<Frames>, tools: KeyTools): unknown;
  /** All of its texts, anywhere in plain data. */
  written(layer: PaintedTypes[Kind], plan: Pick<RenderPlan, 'title' | 'board'>): unknown;
  /** Its part of a plan's text. */
  format(layers: readonly PaintedTypes[Kind][], rate: FrameRate): string[];
  formatRef(ref: PaintedRef): string;
}

/** A window onto the board, which all windows share. (C21) */
const BOARD_WINDOW: PaintedSpec<'board'> = {
  isDimmed: true,
  isGlass: true,
  isEntry: true,
  dividesChunks: true,
  *edges(windows, board) {
    if (windows.length > 0 && board !== null) yield* boardEdges(board);
  },
  stateAt(_, at, board) {
    const { started, settled, confetti } = eventsAt(board!, at);
    return { started, settled, changes: started > settled || confetti.length > 0 };
  },
  key(window, _, range, { board, theme }) {
    return [
      board!.manySizes ? 'board-scaled-on-demand' : 'board',
      rectKey(window.rect),
      theme,
      ...board!.at(range),
      enterExitKey(window, range),
    ];
  },
  written: (_, { title, board }) => [title, board],
  format: (windows, rate) =>
    section('windows', windows, (window, i) => {
      const place = `w${i} ${quote(window.id)} ${formatSpan(window.shows, rate)} at ${formatRect(window.rect)}`;
      return [place, ...formatEnterExit(window)].join(', ');
    }),
  formatRef({ index, started, settled, changes }) {
    const moving = started - settled;
    const changing = moving === 0 && changes ? ' changing' : '';
    return `w${index}(${settled}${moving > 0 ? `+${moving} moving` : ''}${changing})`;
  },
};

/** An opening card, a lower third, a label. (C60) */
const TITLE: PaintedSpec<'title'> = {
  isDimmed: false,
  isGlass: false,
  isEntry: true,
  dividesChunks: false,
  edges: () => [],
  stateAt: () => STILL,
  key(title, _, range, { digest, once, theme }) {
    const look = once(title, () => {
      const { kind, text, subtext, rect, textRect, sizePx, align, color, background, font } = title;
      const place = [rectKey(rect), rectKey(textRect), sizePx, align];
      const colors = [color, background.color, background.alpha];
      return digest(['title', kind, text, subtext, place, colors, font && fontKey(font), theme]);
    });
    return [look, enterExitKey(title, range)];
  },
  written: ({ text, subtext }) => [text, subtext],
  format: (titles, rate) =>
    section('titles', titles, (title, i) => {
      const { id, kind, shows, text, subtext, textRect, sizePx, align, color, background } = title;
      const words = [text, subtext].filter((part) => part !== '').map(quote);
      const opacity = background.alpha === null ? '' : ` ${Math.round(background.alpha * 100)} %`;
      const ground = `on ${background.color ?? 'theme'}${opacity}`;
      const head = `h${i} ${quote(id)} ${kind} ${formatSpan(shows, rate)} ${words.join(' over ')}`;
      const look = `${sizePx}px ${align} ${color ?? 'theme'}, ${ground}, in ${formatRect(textRect)}`;
      return [`${head} ${look}`, ...formatEnterExit(title)].join(', ');
    }),
  formatRef: ({ index, changes }) => `h${index}${changes ? '(changing)' : ''}`,
};

/** What is not drawn, or is in the key in another form. A new member of the layer is in the key. */
const SUBTITLE_APART: ReadonlySet<string> = new Set<keyof SubtitleLayer>([
  ...(['id', 'path', 'shows', 'caption', 'words', 'enter', 'exit', 'letters'] as const),
]);

/** Lists in place of objects, since the order of an object's members is not to be trusted. */
function inOrder(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return members.map(([name, member]) => [name, inOrder(member)]);
}

/** A text over everything. (C23) */
const SUBTITLE: PaintedSpec<'subtitle'> = {
  isDimmed: false,
  isGlass: false,
  isEntry: true,
  dividesChunks: false,
  edges: () => [],
  // Words light up one by one, so the picture changes within the span.
  stateAt: ({ words }) => ({ ...STILL, changes: words.length > 0 }),
  key(subtitle, _, range, { digest, once, font }) {
    const text = once(subtitle, () => {
      const { letters } = subtitle;
      const own = letters === null ? font : [letters.role, letters.font && fontKey(letters.font)];
      const drawn = Object.entries(subtitle).filter(([name]) => !SUBTITLE_APART.has(name));
      return digest([own, inOrder(Object.fromEntries(drawn))]);
    });
    return [text, litWords(subtitle, range), enterExitKey(subtitle, range)];
  },
  written: ({ text }) => text,
  format: (subtitles, rate) =>
    section('subtitles', subtitles, (subtitle, i) => {
      const { id, shows, text, rect, sizePx, align, color, background, words, letters, look } = subtitle;
      const box =
        background === null ? 'no background' : `on ${background.color} ${Math.round(background.alpha * 100)} %`;
      const style =
        look && `${look.highlight} ${look.highlightColor}, outline ${look.outline.color} ${look.outline.em} em`;
      const face = letters && (letters.font?.families[letters.role] ?? letters.role);
      const head = `t${i} ${quote(id)} ${formatSpan(shows, rate)} ${quote(text)} ${sizePx}px ${align} ${color}, ${box}, in ${formatRect(rect)}`;
      const lit = words.map(({ from, to, at }) => `${quote(text.slice(from, to))} from ${at}`);
      return [head, face, style, ...formatEnterExit(subtitle), ...lit].filter((part) => part !== null).join(', ');
    }),
  formatRef: ({ index, changes }) => `t${index}${changes ? '(changing)' : ''}`,
};

/** Words and when they light up, as far as it affects the range. */
function litWords({ words, look }: SubtitleLayer, range: Range<Frames>): unknown {
  // A word that began to grow before the range may still grow in it.
  const earliest = range.start - (look?.highlight === 'scale' ? look.growFrames : 0);
  return words.map(({ from, to, at }) => [from, to, Math.min(Math.max(at, earliest), range.end) - range.start]);
}

/** The line that shows the progress of the video. (C52) */
const PROGRESS_BAR: PaintedSpec<'progress'> = {
  isDimmed: false,
  isGlass: false,
  isEntry: false,
  dividesChunks: false,
  edges: () => [],
  stateAt: () => ({ ...STILL, changes: true }),
  // Its place follows from the canvas.
  key: (_bar, _state, range, { plan }) => ['progress', plan.totalFrames, range.start],
  written: () => null,
  format: (bars) => bars.map(({ rect }) => `progress bar at ${formatRect(rect)}`),
  formatRef: () => 'bar',
};

/** Every kind of painted layer. */
export const PAINTED: { readonly [Kind in PaintedKind]: PaintedSpec<Kind> } = {
  board: BOARD_WINDOW,
  title: TITLE,
  subtitle: SUBTITLE,
  progress: PROGRESS_BAR,
};

export const PAINTED_KINDS = Object.keys(PAINTED) as readonly PaintedKind[];

/** The layer that a span refers to. */
export function paintedLayer(
  { painted }: Pick<RenderPlan, 'painted'>,
  { kind, index }: Pick<PaintedRef, 'kind' | 'index'>,
): PaintedTypes[PaintedKind] {
  return painted[kind][index]!;
}
