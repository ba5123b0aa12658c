import type { ThemeName } from '../../timeline/choices.ts';

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
  /** null: Noto Sans. */
  readonly font: PlanFont | null;
}

/** A font that is searched first for every glyph. (C47, C63) */
export interface PlanFont {
  /** Index into `RenderPlan.sources` of an upload; null: it ships. */
  readonly source: number | null;
  /** The name that the letters of each role are registered under. It identifies them: an upload's has its hash. */
  readonly families: Readonly<Record<TextRole, string>>;
  /** The height of capitals of each role, in ems. */
  readonly capEm: Readonly<Record<TextRole, number>>;
}

/** What a text is for: titles and labels, subtitles, names. Each role has a weight. */
export type TextRole = 'display' | 'strong' | 'text';
