import { pointer } from '../../json/json-pointer.ts';
import type { FontChoice } from '../../request/media-ref.ts';
import type { ThemeSettings } from '../../request/settings.ts';
import type { CaptionStyle } from '../../request/text-entries.ts';
import type { RawSettings } from '../../schema.ts';
import type { MediaNames } from '../media-names.ts';

/** A theme by its name, or changes to one. (C47) */
export function parseTheme(raw: RawSettings['theme'], path: string, media: MediaNames): ThemeSettings {
  const given = typeof raw === 'object' ? raw : { base: raw };
  const colors = {
    panel: given.panel_color,
    lane: given.lane_color,
    line: given.line_color,
    text: given.text_color,
    card: given.card_color,
  };
  const said = Object.entries(colors).flatMap(([part, color]) => {
    return color === undefined ? [] : [[part, color.toLowerCase()] as const];
  });
  return {
    base: given.base ?? 'midnight',
    colors: Object.fromEntries(said),
    panelOpacity: given.panel_opacity === undefined ? null : given.panel_opacity / 100,
    corner: given.corner === undefined ? null : given.corner / 100,
    glass: given.glass ?? false,
    font: parseFont(given, path, media),
  };
}

/**
 * A caption style. An object without `base` changes the inherited style, a name replaces it. (C62)
 *
 * @param usual the inherited style.
 */
export function parseCaptionStyle(
  raw: RawSettings['subtitle_style'],
  path: string,
  media: MediaNames,
  usual: CaptionStyle | null = null,
): CaptionStyle | null {
  if (raw === undefined) return usual;
  if (typeof raw === 'string') return { base: raw, font: null };
  const from: CaptionStyle =
    raw.base === undefined && usual !== null ? usual : { base: raw.base ?? 'plain', font: null };
  return {
    ...from,
    font: parseFont(raw, path, media) ?? from.font,
    ...(raw.weight !== undefined && { weight: raw.weight }),
    ...(raw.uppercase !== undefined && { uppercase: raw.uppercase }),
    ...(raw.outline_color !== undefined && { outlineColor: raw.outline_color.toLowerCase() }),
    ...(raw.outline_width !== undefined && { outlineWidth: raw.outline_width }),
    ...(raw.highlight_color !== undefined && { highlightColor: raw.highlight_color.toLowerCase() }),
    ...(raw.highlight !== undefined && { highlight: raw.highlight }),
    ...(raw.max_words !== undefined && { maxWords: raw.max_words }),
  };
}

/** An upload wins over a family that ships. (C63) */
export function parseFont(
  { font, font_field: field }: Pick<Extract<RawSettings['theme'], object>, 'font' | 'font_field'>,
  path: string,
  media: MediaNames,
): FontChoice | null {
  return field === undefined ? (font ?? null) : media.referAt(field, pointer(path, 'font_field'));
}
