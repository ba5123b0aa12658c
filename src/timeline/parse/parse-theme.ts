import type { FontChoice, ThemeSettings } from '../export-request.ts';
import { pointer } from '../json/json-pointer.ts';
import type { RawSettings } from '../schema.ts';
import type { MediaNames } from './media-names.ts';

/** A theme by its name, or what is different from one. (C47) */
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

/** An upload wins over a family that ships. (C63) */
function parseFont(
  { font, font_field: field }: Pick<Extract<RawSettings['theme'], object>, 'font' | 'font_field'>,
  path: string,
  media: MediaNames,
): FontChoice | null {
  return field === undefined ? (font ?? null) : media.referAt(field, pointer(path, 'font_field'));
}
