import { later } from '../kit/later.tsx';
import { say } from '../kit/messages.ts';
import { edit, face } from '../session/session.ts';

const lists = later(() => import('../document/list-commands.ts'));

/** Names that were pasted, or a table from a file, as items: one step of undo. */
export async function takeList(text: string): Promise<void> {
  const { addListed, readList } = await lists();
  const listed = readList(text);
  if (listed.length === 0) {
    say('There are no names in it.', 'bad');
    return;
  }
  const words = listed.length === 1 ? listed[0]!.name : `${listed.length} items`;
  edit(`Add ${words}`, (draft) => addListed(draft, listed));
  face.value = 'board';
  say(`Added ${words}.`);
}
