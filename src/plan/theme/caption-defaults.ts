import type { CaptionStyleName, ThemeName } from '../../timeline/choices.ts';
import { CAPTION_LOOKS, type CaptionDefaults } from '../../timeline/default-looks.ts';
import { THEME_LOOKS } from './theme-looks.ts';

/** The defaults of a caption style in a theme. (C62, R44) */
export function captionDefaultsIn(theme: ThemeName, style: CaptionStyleName): CaptionDefaults {
  const row = CAPTION_LOOKS[style];
  const { captions } = THEME_LOOKS[theme];
  if (row.byTheme === undefined || captions === null) return row;
  const { font, capitals: uppercase, highlight, highlightColor } = captions;
  return { ...row, font, uppercase, highlight, highlightColor };
}
