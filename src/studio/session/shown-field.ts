import { signal } from '@preact/signals';
import { NOTHING } from '../document/selection.ts';
import { makeField, type NewField } from '../document/template-commands.ts';
import { focusDetails } from '../keys/move-focus.ts';
import { say } from '../kit/messages.ts';
import * as texts from '../texts/en/series.ts';
import { edit, selection, undo } from './session.ts';

/** The field whose form is open in the template panel; null: none. */
export const shownField = signal<string | null>(null);

/** Shows the template panel with the form of a field. */
export function showField(name: string | null): void {
  selection.value = NOTHING;
  shownField.value = name;
  focusDetails();
}

/** Makes something a field, as one undo step, and shows it. */
export function makeFieldHere(wanted: NewField & { readonly label: string }): void {
  let name = '';
  edit(texts.makeField(wanted.label), (draft) => {
    name = makeField(draft, wanted);
  });
  if (name === '') return;
  showField(name);
  say(texts.fieldMade(wanted.label), 'word', undo);
}
