import type { ThemeName } from '../../timeline/choices.ts';
import type { BoardEvent } from '../model/board-scene.ts';
import type { BankSound } from '../theme/theme-look.ts';
import { lookOf } from '../theme/theme-looks.ts';

/** The sounds of a reveal in that theme. (R41) */
export function themeSounds(theme: ThemeName, { style, weight }: BoardEvent): readonly BankSound[] {
  const { sounds } = lookOf({ name: theme });
  return [...sounds[style], ...(weight === undefined || style === 'none' ? [] : sounds[weight])];
}
