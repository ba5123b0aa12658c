import { useSignal } from '@preact/signals';
import { useEffect, useId, useRef } from 'preact/hooks';
import type { RawItem } from '../../timeline/document-schemas.ts';
import { freeId } from '../../timeline/free-id.ts';
import { ItemPicture } from '../carry/item-picture.tsx';
import { changeItem, placeItems, removeItems, rowOfItem } from '../document/board-commands.ts';
import { addListed, readList } from '../document/list-commands.ts';
import { filled } from '../document/template.ts';
import { chooseFiles, takeFiles } from '../files/take-files.ts';
import { focusSoon } from '../keys/move-focus.ts';
import { Dialog } from '../kit/dialog.tsx';
import { Icon, IconButton } from '../kit/icon.tsx';
import { say } from '../kit/messages.ts';
import { useTyped } from '../kit/use-typed.ts';
import { edit, project } from '../session/session.ts';
import * as page from '../texts/en/page.ts';
import * as texts from '../texts/en/series.ts';

/** The items of an episode: names, pictures and rows. */
export function EpisodeItems({ labelled }: { readonly labelled: string }) {
  const { items } = project.value.tier_list;
  const isPasting = useSignal(false);
  return (
    <div class="ef-items" role="group" aria-labelledby={labelled}>
      <p class="q">{texts.itemsHelp}</p>
      <ul>
        {items.map((item, at) => (
          <li key={item.id}>
            <ItemLine item={item} at={at} />
          </li>
        ))}
      </ul>
      <div class="ef-tools">
        <button type="button" class="bt" onClick={addItem}>
          <Icon name="plus" />
          {texts.addItem}
        </button>
        <button type="button" class="bt" onClick={() => chooseFiles('image/*,.heic,.avif', takeFiles)}>
          <Icon name="picture" />
          {texts.addPictures}
        </button>
        <button
          type="button"
          class="bt"
          onClick={() => {
            isPasting.value = true;
          }}
        >
          <Icon name="order" />
          {texts.pasteItems}
        </button>
        {items.length > 0 && (
          <button
            type="button"
            class="bt quiet-button"
            onClick={() => {
              edit(texts.clearItems, (draft) => removeAll(draft));
              focusSoon('.ef-tools .bt');
            }}
          >
            {texts.clearItems}
          </button>
        )}
      </div>
      {isPasting.value && (
        <PasteItems
          onClose={() => {
            isPasting.value = false;
          }}
        />
      )}
    </div>
  );
}

type ProjectDraft = Parameters<Parameters<typeof edit>[1]>[0];

function removeAll(draft: ProjectDraft): void {
  removeItems(
    draft,
    draft.tier_list.items.map(({ id }) => id),
  );
}

function addItem(): void {
  edit(texts.addItem, (draft) => {
    const taken = new Set(draft.tier_list.items.map(({ id }) => id));
    draft.tier_list.items.push({ id: freeId('item', taken), name: '' });
  });
  focusSoon('.ef-items li:last-child input');
}

function ItemLine({ item, at }: { readonly item: RawItem; readonly at: number }) {
  const { id, name = '' } = item;
  const words = name || texts.newItem;
  const { rows } = filled(project.value).tier_list;
  const row = rowOfItem(project.value, id)?.id ?? '';
  const typed = useTyped(
    name,
    (text) =>
      edit(texts.itemName(at + 1), (draft) =>
        changeItem(draft, id, (each) => {
          each.name = text;
        }),
      ),
    { asTyped: true },
  );
  return (
    <>
      <span class="ef-thumb">
        <ItemPicture item={item} />
      </span>
      <input
        type="text"
        aria-label={texts.itemName(at + 1)}
        placeholder={texts.newItem}
        maxLength={200}
        {...typed}
        onKeyDown={(event) => {
          if (event.key !== 'Enter') return;
          event.preventDefault();
          event.currentTarget.blur();
          const isLast = at === project.value.tier_list.items.length - 1;
          if (isLast) addItem();
          else focusSoon(`.ef-items li:nth-child(${at + 2}) input`);
        }}
      />
      <select
        aria-label={texts.itemRow(words)}
        value={row}
        style={{ '--t': rows.find((each) => each.id === row)?.color ?? 'transparent' }}
        onChange={(event) => {
          const to = event.currentTarget.value || null;
          edit(texts.itemRow(words), (draft) => placeItems(draft, [id], { row: to, index: 9999 }));
        }}
      >
        <option value="">{texts.noRow}</option>
        {rows.map((each) => (
          <option key={each.id} value={each.id}>
            {each.label ?? each.id}
          </option>
        ))}
      </select>
      <IconButton
        icon="close"
        label={texts.removeItem(words)}
        title={texts.removeItem(words)}
        onClick={() => {
          edit(texts.removeItem(words), (draft) => removeItems(draft, [id]));
          focusSoon(`.ef-items li:nth-child(${at + 1}) input`, '.ef-items li:last-child input', '.ef-tools .bt');
        }}
      />
    </>
  );
}

/** A list that replaces the items. */
function PasteItems({ onClose }: { readonly onClose: () => void }) {
  const id = useId();
  const text = useSignal('');
  const area = useRef<HTMLTextAreaElement>(null);
  useEffect(() => area.current?.focus(), []);
  return (
    <Dialog title={texts.pasteItems} subtitle={texts.pasteReplaces} class="small-dialog" onClose={onClose}>
      {/* Not a form, since it stands in the form of the episode. */}
      <div class="paste-list">
        <label for={id}>{texts.itemsLabel}</label>
        <textarea
          class="area"
          ref={area}
          id={id}
          rows={10}
          placeholder={texts.pasteExample(filled(project.value).tier_list.rows.map(({ id, label = id }) => label))}
          onInput={(event) => {
            text.value = event.currentTarget.value;
          }}
        />
        <button
          type="button"
          class="bt prim"
          onClick={() => {
            const listed = readList(text.value);
            if (listed.length === 0) {
              say(page.noNames, 'bad');
              return;
            }
            onClose();
            edit(texts.replaceItems, (draft) => {
              removeAll(draft);
              addListed(draft, listed);
            });
            focusSoon('.ef-items li input');
          }}
        >
          {texts.replaceItems}
        </button>
      </div>
    </Dialog>
  );
}
