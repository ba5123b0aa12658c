import { CAPTION_STYLES, type CaptionStyleName, type FontName, type HighlightName, type TitleKind } from './choices.ts';

/** The orientation of a canvas. */
export type CanvasShape = 'landscape' | 'portrait' | 'square';

export const CANVAS_SHAPES = ['portrait', 'square', 'landscape'] as const satisfies readonly CanvasShape[];

/** Percent of the canvas. */
export interface PercentBox {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** In portrait, players of short videos cover the top 8, the bottom 20 and the right 12 percent. (C21) */
export const BLOCK_BOX: Readonly<Record<CanvasShape, PercentBox>> = {
  landscape: { x: 5, y: 5, width: 90, height: 90 },
  square: { x: 5, y: 5, width: 90, height: 90 },
  portrait: { x: 6, y: 8, width: 82, height: 72 },
};

export const SUBTITLE_BOX: Readonly<Record<CanvasShape, PercentBox>> = {
  landscape: { x: 10, y: 78, width: 80, height: 16 },
  square: { x: 10, y: 78, width: 80, height: 16 },
  portrait: { x: 6, y: 62, width: 80, height: 16 },
};

interface TitleLook {
  /** Pixels where the canvas's shorter side is 1080; absent, as the alignment: the theme decides. (R37) */
  readonly size?: number;
  readonly align?: 'left' | 'center';
  /** Above the subtitles, and in portrait outside the area that players of short videos cover. */
  readonly box: Readonly<Record<CanvasShape, PercentBox>>;
}

/** The defaults of each kind of title. (C60) */
export const TITLE_LOOKS: Readonly<Record<TitleKind, TitleLook>> = {
  label: {
    ...{ size: 44, align: 'left' },
    box: {
      landscape: { x: 5, y: 5, width: 60, height: 14 },
      square: { x: 5, y: 5, width: 80, height: 14 },
      portrait: { x: 6, y: 9, width: 82, height: 12 },
    },
  },
  lower_third: {
    ...{ size: 60, align: 'left' },
    box: {
      landscape: { x: 5, y: 56, width: 60, height: 20 },
      square: { x: 5, y: 56, width: 80, height: 20 },
      portrait: { x: 6, y: 46, width: 82, height: 15 },
    },
  },
  card: {
    box: {
      landscape: { x: 10, y: 12, width: 80, height: 76 },
      square: { x: 8, y: 12, width: 84, height: 76 },
      portrait: { x: 8, y: 10, width: 80, height: 68 },
    },
  },
};

export interface CaptionDefaults {
  /** Pixels where the canvas's shorter side is 1080. */
  readonly size: Readonly<Record<CanvasShape, number>>;
  readonly weight: number;
  /** If neither the style nor the theme names one. */
  readonly font?: FontName;
  readonly uppercase: boolean;
  /** In ems; the visible part. */
  readonly outlineWidth: number;
  readonly highlight: HighlightName;
  readonly highlightColor: string;
  readonly background: { readonly color: string; readonly alpha: number } | null;
  /** Whether themes have a font, a case and a highlight of their own for it. (R44) */
  readonly byTheme?: true;
  /** Words on a page, so that they fit two lines; absent: all of them. */
  readonly words: Readonly<Partial<Record<CanvasShape, number>>>;
}

const LARGE = { portrait: 76, square: 68, landscape: 64 };

const FEW_WORDS = { portrait: 4, square: 8 };
/** One to three words, large. (R44) */
const LARGEST = { portrait: 100, square: 88, landscape: 80 };
const THREE_WORDS = { portrait: 3, square: 3, landscape: 3 };

const LOUD: CaptionDefaults = {
  size: LARGE,
  weight: 800,
  uppercase: false,
  outlineWidth: 0.09,
  highlight: 'color',
  highlightColor: '#ffd60a',
  background: null,
  words: { portrait: 8 },
};

/**
 * The defaults of each caption style. A field can change everything in a row, the size and the background by those of a
 * subtitle. (C62)
 */
export const CAPTION_LOOKS: Readonly<Record<CaptionStyleName, CaptionDefaults>> = {
  // Only additional fields count: without one, a plain subtitle has no look.
  plain: { ...LOUD, size: { portrait: 48, square: 48, landscape: 48 }, weight: 700, outlineWidth: 0.05, words: {} },
  outline: LOUD,
  box: { ...LOUD, background: { color: '#000000', alpha: 0.8 } },
  pill: { ...LOUD, highlight: 'pill', highlightColor: '#7c3aed' },
  pop: {
    ...LOUD,
    byTheme: true,
    size: LARGEST,
    font: 'Montserrat',
    highlight: 'scale',
    highlightColor: '#38f07f',
    words: THREE_WORDS,
  },
  shout: { ...LOUD, font: 'Montserrat', uppercase: true, words: FEW_WORDS },
};

/** A caption style as documents have it, or as the parser leaves it. */
type StyleField = string | { readonly base?: string | undefined } | null | undefined;

/**
 * The defaults of a caption style: an object without `base` changes the one of the settings, a name replaces it. (C62)
 */
export function captionDefaults(style: StyleField, ofSettings?: StyleField): CaptionDefaults {
  return CAPTION_LOOKS[captionBase(style, ofSettings)];
}

export function captionBase(style: StyleField, ofSettings?: StyleField): CaptionStyleName {
  const base = baseOf(style) ?? baseOf(ofSettings);
  return CAPTION_STYLES.find((name) => name === base) ?? 'plain';
}

function baseOf(style: StyleField): string | undefined {
  return typeof style === 'string' ? style : style?.base;
}
