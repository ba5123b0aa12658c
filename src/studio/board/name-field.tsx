import { useLayoutEffect, useRef } from 'preact/hooks';
import type { RawItem } from '../../timeline/document-schemas.ts';
import { changeItem } from '../document/board-commands.ts';
import { focusSoon } from '../keys/move-focus.ts';
import { useTyped } from '../kit/use-typed.ts';
import { edit, itemBeside, renaming, startRenaming } from '../session/session.ts';
import * as texts from '../texts/en/board.ts';

/** Edits the name of an item on its card. Enter or Tab moves on to the next card, Escape cancels. */
export function NameField({ item }: { readonly item: RawItem }) {
  const input = useRef<HTMLInputElement>(null);
  const name = item.name ?? item.id;
  useLayoutEffect(() => {
    input.current!.focus();
    input.current!.select();
  }, []);
  const { current: before } = useRef(name);
  const typed = useTyped(
    name,
    (value) => {
      const text = value.trim();
      if (text === '' || text === name) return;
      edit(texts.renameItem(before), (draft) =>
        changeItem(draft, item.id, (each) => {
          each.name = text;
        }),
      );
    },
    { asTyped: true },
  );
  const leave = () => {
    renaming.value = null;
    focusSoon(`[id="tile-${CSS.escape(item.id)}"]`);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    // The card handles keys of its own.
    event.stopPropagation();
    if (!/^(Enter|Tab|Escape)$/.test(event.key)) return;
    event.preventDefault();
    if (event.key === 'Escape') input.current!.value = before;
    typed.onChange({ currentTarget: input.current! });
    const next = event.key === 'Escape' ? null : itemBeside(item.id, event.shiftKey ? -1 : 1);
    if (next === null) leave();
    else startRenaming(next);
  };
  return (
    <input
      ref={input}
      class="tile-name"
      aria-label={texts.itemName(name)}
      {...typed}
      maxLength={200}
      onKeyDown={onKeyDown}
      onPointerDown={(event) => event.stopPropagation()}
      onDblClick={(event) => event.stopPropagation()}
      onBlur={({ currentTarget }) => {
        typed.onChange({ currentTarget });
        if (renaming.value === item.id) renaming.value = null;
      }}
    />
  );
}
