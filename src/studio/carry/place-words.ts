import { itemsIn, type Place } from '../document/board-commands.ts';
import type { Project } from '../document/project.ts';

/** "Row A, place 2 of 3." */
export function placeWords(project: Project, { row, index }: Place): string {
  const label = project.tier_list.rows.find(({ id }) => id === row)?.label;
  const where = row === null ? 'Not ranked' : `Row ${label ?? row}`;
  return `${where}, place ${index + 1} of ${itemsIn(project, row).length}.`;
}
