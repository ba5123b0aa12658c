import { createHash } from 'node:crypto';
import { addFiles } from '../../../src/studio/document/add-files.ts';
import { placeItems } from '../../../src/studio/document/board-commands.ts';
import { doStep, startHistory } from '../../../src/studio/document/history.ts';
import { EMPTY_PROJECT, type MediaEntry, type Project } from '../../../src/studio/document/project.ts';

/** A picture, as the studio takes one in. */
export function picture(name: string): MediaEntry {
  return {
    ...{ name, bytes: 100, type: 'image/png', kind: 'still' },
    ...{ hash: createHash('sha256').update(name).digest('hex'), duration: 0, width: 10, height: 10 },
    ...{ alpha: false, sound: false },
  };
}

/** So many pictures, one after the other into the rows. */
export function ranked(count: number): Project {
  const names = Array.from({ length: count }, (_, i) => `item_${i}.png`);
  return doStep(startHistory(EMPTY_PROJECT), 'Start', (draft) => {
    const fields = addFiles(draft, names.map(picture));
    const rows = draft.tier_list.rows.map(({ id }) => id);
    for (const [i, field] of fields.entries()) placeItems(draft, [field], { row: rows[i % rows.length]!, index: 99 });
  }).project;
}
