import type { ThemeName } from '../../timeline/choices.ts';
import { planFont, shippedFont } from '../model/fonts.ts';
import type { Theme } from '../model/theme.ts';
import { THEME_LOOKS } from '../theme/theme-looks.ts';
import type { PlanContext } from './plan-context.ts';

/** A theme without changes. */
export function plainTheme(name: ThemeName): Theme {
  const { accent: _, rows: __, ...palette } = THEME_LOOKS[name].palette;
  return { name, ...palette, glass: false, font: shippedFont((role) => THEME_LOOKS[name].fonts[role]) };
}

/** The theme of the whole plan. Without text, no font is needed. */
export function planTheme({ request, media }: Pick<PlanContext, 'request' | 'media'>, isWritten: boolean): Theme {
  const { base, colors, panelOpacity, corner, glass, font } = request.settings.theme;
  const theme = plainTheme(base);
  return {
    ...theme,
    ...colors,
    panelOpacity: panelOpacity ?? (glass ? GLASS_OPACITY : theme.panelOpacity),
    corner: corner ?? theme.corner,
    glass,
    font: isWritten ? (font === null ? theme.font : planFont(font, media)) : null,
  };
}

/** The default of a glass panel. */
const GLASS_OPACITY = 0.72;
