import { later } from '../kit/later.tsx';
import { say } from '../kit/messages.ts';
import { edit, face } from '../session/session.ts';
import * as texts from '../texts/en/page.ts';

const lists = later(() => import('../document/list-commands.ts'));

/** Adds pasted names or a table from a file as items, as one undo step. */
export async function takeList(text: string): Promise<void> {
  const { addListed, readList } = await lists();
  const listed = readList(text);
  if (listed.length === 0) {
    say(texts.noNames, 'bad');
    return;
  }
  const names = listed.length === 1 ? listed[0]!.name : texts.manyItems(listed.length);
  edit(texts.addNamed(names), (draft) => addListed(draft, listed));
  face.value = 'board';
  say(texts.addedListed(names));
}
