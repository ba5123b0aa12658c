import { pointer } from '../../json/json-pointer.ts';
import { filled, given } from '../../read-fields.ts';
import type { FontChoice } from '../../request/media-ref.ts';
import type { ThemeSettings } from '../../request/settings.ts';
import type { CaptionStyle } from '../../request/text-entries.ts';
import type { RawSettings } from '../../schema.ts';
import { CAPTION_BASICS, SETTINGS_FIELDS } from '../../settings-fields.ts';
import type { MediaNames } from '../media-names.ts';

/** A theme by its name, or changes to one. (C47) */
export function parseTheme(raw: RawSettings['theme'], path: string, media: MediaNames): ThemeSettings {
  const sent = typeof raw === 'object' ? raw : { base: raw };
  const { base, glass, panelOpacity, corner } = filled(SETTINGS_FIELDS.theme, sent);
  const colors = {
    panel: sent.panel_color,
    lane: sent.lane_color,
    line: sent.line_color,
    text: sent.text_color,
    card: sent.card_color,
  };
  const said = Object.entries(colors).flatMap(([part, color]) => {
    return color === undefined ? [] : [[part, color.toLowerCase()] as const];
  });
  return {
    base,
    colors: Object.fromEntries(said),
    panelOpacity: panelOpacity === null ? null : panelOpacity / 100,
    corner: corner === null ? null : corner / 100,
    glass,
    font: parseFont(sent, path, media),
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
    ...given(CAPTION_BASICS, raw),
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
