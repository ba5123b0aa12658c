import { useSignal } from '@preact/signals';
import { useEffect, useId, useRef } from 'preact/hooks';
import { takeList } from '../files/take-files.ts';
import { focusSoon } from '../keys/move-focus.ts';
import { Dialog } from '../kit/dialog.tsx';
import * as visit from '../texts/en/first-visit.ts';
import * as texts from '../texts/en/late.ts';

/** Names or a table, as text. */
export function PasteList({ onClose }: { readonly onClose: () => void }) {
  const id = useId();
  const text = useSignal('');
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => field.current?.focus(), []);
  return (
    <Dialog title={visit.pasteList} subtitle={texts.pasteListMore} class="small-dialog" onClose={onClose}>
      <form
        class="paste-list"
        onSubmit={async (event) => {
          event.preventDefault();
          onClose();
          await takeList(text.value);
          focusSoon('.tile[tabindex="0"]');
        }}
      >
        <label for={id}>{texts.namesOrTable}</label>
        <textarea
          class="area"
          ref={field}
          id={id}
          rows={10}
          required
          placeholder={texts.namesExample}
          onInput={(event) => {
            text.value = event.currentTarget.value;
          }}
        />
        <button type="submit" class="bt prim">
          {texts.addItems}
        </button>
      </form>
    </Dialog>
  );
}
