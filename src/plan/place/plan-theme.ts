import type { ThemeName } from '../../timeline/choices.ts';
import { planFont } from '../font/plan-font.ts';
import type { Theme } from '../theme.ts';
import type { PlanContext } from './plan-context.ts';

/** The colours and the shape of each theme. The painter decides how to use them. (C47) */
const THEMES: Readonly<Record<ThemeName, Omit<Theme, 'name' | 'glass' | 'font'>>> = {
  midnight: {
    panel: '#141720',
    lane: '#20242f',
    line: '#353a48',
    text: '#ffffff',
    card: '#2b303e',
    panelOpacity: 1,
    corner: 0.5,
  },
  paper: {
    panel: '#f6f1e7',
    lane: '#e9e1d2',
    line: '#cfc4b0',
    text: '#2a241c',
    card: '#fffdf8',
    panelOpacity: 1,
    corner: 0.25,
  },
  neon: {
    panel: '#0a0616',
    lane: '#150d2b',
    line: '#3b2a72',
    text: '#f4f0ff',
    card: '#1d1240',
    panelOpacity: 1,
    corner: 0.7,
  },
  broadcast: {
    panel: '#0d1b33',
    lane: '#15284a',
    line: '#2d4672',
    text: '#ffffff',
    card: '#1c355f',
    panelOpacity: 1,
    corner: 0,
  },
};

/** A theme without changes. */
export function plainTheme(name: ThemeName): Theme {
  return { name, ...THEMES[name], glass: false, font: null };
}

/** The theme of the whole plan. Without text, no font is needed. */
export function planTheme({ request, media }: PlanContext, isWritten: boolean): Theme {
  const { base, colors, panelOpacity, corner, glass, font } = request.settings.theme;
  const theme = plainTheme(base);
  return {
    ...theme,
    ...colors,
    panelOpacity: panelOpacity ?? (glass ? GLASS_OPACITY : theme.panelOpacity),
    corner: corner ?? theme.corner,
    glass,
    font: isWritten ? planFont(font, media) : null,
  };
}

/** The default of a glass panel. */
const GLASS_OPACITY = 0.72;
