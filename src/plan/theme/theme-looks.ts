import type { ThemeName } from '../../timeline/choices.ts';
import type { Theme } from '../model/theme.ts';
import { ARCADE } from './arcade.ts';
import { BROADCAST } from './broadcast.ts';
import { CHALK_BOARD } from './chalk.ts';
import { MIDNIGHT } from './midnight.ts';
import { MONO } from './mono.ts';
import { NEON } from './neon.ts';
import { PAPER } from './paper.ts';
import { POP } from './pop.ts';
import type { ThemeLook } from './theme-look.ts';

/** The look of every theme. (R37) */
export const THEME_LOOKS: Readonly<Record<ThemeName, ThemeLook>> = {
  midnight: MIDNIGHT,
  paper: PAPER,
  neon: NEON,
  broadcast: BROADCAST,
  pop: POP,
  arcade: ARCADE,
  chalk: CHALK_BOARD,
  mono: MONO,
};

/** How a theme looks. */
export function lookOf({ name }: Pick<Theme, 'name'>): ThemeLook {
  return THEME_LOOKS[name];
}
