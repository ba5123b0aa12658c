import { itemsIn, type Place } from '../document/board-commands.ts';
import type { Project } from '../document/project.ts';
import * as texts from '../texts/en/board.ts';

/** "Row A, place 2 of 3." */
export function placeWords(project: Project, { row, index }: Place): string {
  const label = project.tier_list.rows.find(({ id }) => id === row)?.label;
  const where = row === null ? texts.notRanked : texts.row(label ?? row);
  return texts.place(where, index + 1, itemsIn(project, row).length);
}
