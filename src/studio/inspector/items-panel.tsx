import { frames, secondsOf } from '../../time.ts';
import type { RawItem } from '../../timeline/document-schemas.ts';
import { sendToRow } from '../carry/item-drag.ts';
import { ItemPicture } from '../carry/item-picture.tsx';
import { changeItem, removeItems, rowOfItem } from '../document/board-commands.ts';
import { revealAtSecond, revealOf } from '../document/reveals.ts';
import { focusSoon } from '../keys/move-focus.ts';
import { Icon } from '../kit/icon.tsx';
import { useTyped } from '../kit/use-typed.ts';
import { editTimeline } from '../session/edit-timeline.ts';
import { edit, playhead, project, rate, selection, timelineData } from '../session/session.ts';
import * as board from '../texts/en/board.ts';
import { fields } from '../texts/en/fields.ts';
import * as texts from '../texts/en/inspector.ts';
import * as page from '../texts/en/page.ts';
import { EntryForm } from './entry-form.tsx';
import { FocusPicker } from './parts/focus-picker.tsx';

/** The form of one item, or the actions for several. */
export function ItemsPanel({ items }: { readonly items: readonly RawItem[] }) {
  const [item] = items;
  const ids = items.map(({ id }) => id);
  const rows = new Set(ids.map((id) => rowOfItem(project.value, id)?.id ?? null));
  return (
    <>
      <div class="phd">
        <h2>{items.length === 1 ? texts.item : texts.items(items.length)}</h2>
        {items.length === 1 && <StepThrough item={item!} />}
      </div>
      <section key={item!.id} class="scr" tabIndex={0} aria-label={texts.item}>
        {items.length === 1 && <Who item={item!} />}
        <div class="fld">
          <span class="l" id="row-of-item">
            {texts.row}
          </span>
          <div class="chips" role="group" aria-labelledby="row-of-item">
            {project.value.tier_list.rows.map((row) => (
              <button
                key={row.id}
                type="button"
                class="chip"
                aria-pressed={rows.size === 1 && rows.has(row.id)}
                style={{ '--t': row.color ?? '#c9c5d3' }}
                onClick={() => sendToRow(item!.id, row.id)}
              >
                {row.label ?? row.id}
              </button>
            ))}
            <button
              type="button"
              class="chip none"
              title={texts.noRowTitle}
              aria-pressed={rows.size === 1 && rows.has(null)}
              onClick={() => sendToRow(item!.id, null)}
            >
              {texts.noRow}
            </button>
          </div>
        </div>
        {items.length === 1 && <Reveal item={item!} />}
        {items.length === 1 && (
          <EntryForm
            kind="item"
            value={item!}
            path={`/tier_list/items/${project.value.tier_list.items.indexOf(item!)}`}
            without={['name', 'image_focus', 'image_zoom']}
            onChange={(name, label, value) =>
              edit(texts.change(label), (draft) =>
                changeItem(draft, item!.id, (each) => {
                  if (value === undefined) delete (each as Record<string, unknown>)[name];
                  else (each as Record<string, unknown>)[name] = value;
                }),
              )
            }
            onReplace={(next) =>
              edit(texts.changeItem, (draft) =>
                changeItem(draft, item!.id, (each) => void Object.assign(each, next, { id: item!.id })),
              )
            }
          >
            <FocusPicker item={item!} />
          </EntryForm>
        )}
        <button
          type="button"
          class="bt wide quiet-button"
          onClick={() => {
            const label = ids.length === 1 ? page.removeNamed(item!.name ?? item!.id) : board.removeItems(ids.length);
            edit(label, (draft) => removeItems(draft, ids));
            focusSoon('.tile[tabindex="0"]', '.bin button');
          }}
        >
          <Icon name="trash" />
          {page.remove}
        </button>
      </section>
    </>
  );
}

function Who({ item }: { readonly item: RawItem }) {
  const name = useTyped(item.name ?? '', (text) =>
    edit(board.renameItem(item.name ?? item.id), (draft) =>
      changeItem(draft, item.id, (each) => {
        each.name = text;
      }),
    ),
  );
  return (
    <div class="who">
      <span class="who-picture">
        <ItemPicture item={item} />
      </span>
      <div>
        <label for="item-name">{texts.itemName}</label>
        <input id="item-name" type="text" placeholder={item.id} {...name} />
      </div>
    </div>
  );
}

/** Steps through the items in board order. */
function StepThrough({ item }: { readonly item: RawItem }) {
  const { items } = project.value.tier_list;
  const at = items.indexOf(item);
  const go = (to: number) => {
    selection.value = { kind: 'items', ids: [items[(to + items.length) % items.length]!.id] };
  };
  return (
    <>
      <small>{texts.stepOf(at + 1, items.length)}</small>
      <div class="nav">
        <button type="button" class="ib" aria-label={texts.previousItem} onClick={() => go(at - 1)}>
          <Icon name="left" />
        </button>
        <button type="button" class="ib" aria-label={texts.nextItem} onClick={() => go(at + 1)}>
          <Icon name="right" />
        </button>
      </div>
    </>
  );
}

/** The time of the item's reveal. */
function Reveal({ item }: { readonly item: RawItem }) {
  const [label, , help] = fields.tile.position;
  const tile = revealOf(timelineData.value, item.id);
  const move = (position: number | null) =>
    editTimeline(position === null ? texts.removeReveal : texts.moveReveal, (data) =>
      revealAtSecond(data, item.id, position),
    );
  const at = useTyped(tile === undefined ? '' : String(tile.position), (text) => {
    const trimmed = text.trim().replace(',', '.');
    const seconds = Number(trimmed);
    if (trimmed === '') move(null);
    else if (Number.isFinite(seconds) && seconds >= 0) move(seconds);
  });
  return (
    <div class="fld">
      <label for="reveal-at">{label}</label>
      <div class="with">
        <input
          id="reveal-at"
          type="text"
          inputMode="decimal"
          class="num"
          placeholder={texts.fromTheStart}
          aria-describedby="reveal-help"
          {...at}
        />
        <button
          type="button"
          class="ib"
          aria-label={texts.moveToPlayhead}
          title={texts.moveToPlayhead}
          onClick={() => move(Math.round(secondsOf(frames(playhead.value), rate.value) * 1000) / 1000)}
        >
          <Icon name="target" />
        </button>
      </div>
      <p id="reveal-help" class="hint">
        {help}
      </p>
    </div>
  );
}
