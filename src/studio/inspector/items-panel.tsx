import { useRef } from 'preact/hooks';
import { frames, secondsOf } from '../../time.ts';
import type { RawItem } from '../../timeline/document-schemas.ts';
import { sendToRow } from '../carry/item-drag.ts';
import { ItemPicture } from '../carry/item-picture.tsx';
import { changeItem, changeView, removeItems, rowOfItem } from '../document/board-commands.ts';
import { revealAtSecond, revealOf } from '../document/reveals.ts';
import { focusSoon } from '../keys/move-focus.ts';
import { type Point, startDrag } from '../kit/drag-session.ts';
import { Icon } from '../kit/icon.tsx';
import { useTyped } from '../kit/use-typed.ts';
import { Thumb } from '../media/thumb.tsx';
import { editTimeline } from '../session/edit-timeline.ts';
import { beginGesture, edit, playhead, project, rate, selection, timelineData } from '../session/session.ts';
import * as board from '../texts/en/board.ts';
import { fields } from '../texts/en/fields.ts';
import * as texts from '../texts/en/inspector.ts';
import * as page from '../texts/en/page.ts';
import { EntryForm } from './entry-form.tsx';
import { RowChips } from './row-chips.tsx';

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
          <RowChips
            labelledBy="row-of-item"
            isOn={(id) => rows.size === 1 && rows.has(id)}
            onChoose={(id) => sendToRow(item!.id, id)}
            hasNone
          />
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
  const name = useTyped(
    item.name ?? '',
    (text) =>
      edit(board.renameItem(item.name ?? item.id), (draft) =>
        changeItem(draft, item.id, (each) => {
          each.name = text;
        }),
      ),
    { asTyped: true },
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
  // Documents have microseconds.
  const at = useTyped(tile === undefined ? '' : String(Number(tile.position.toFixed(3))), (text) => {
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

/** The step of an arrow key, in percent; the second with Shift. */
const STEPS = [1, 10] as const;

/** Sets the focus point of an item's picture by dragging, and its zoom. (R35) */
function FocusPicker({ item }: { readonly item: RawItem }) {
  const frame = useRef<HTMLDivElement>(null);
  const media = project.value.studio.media[item.file_field ?? ''];
  if (media === undefined || media.width === 0) return null;
  const { x = 50, y = 50 } = item.image_focus ?? {};
  const zoom = item.image_zoom ?? 1;
  const drag = (event: PointerEvent) => {
    const { left, top, width, height } = frame.current!.getBoundingClientRect();
    const gesture = beginGesture();
    const put = (at: Point) => {
      const focus = { x: percent((at.x - left) / width), y: percent((at.y - top) / height) };
      gesture.change(texts.moveFocus, (draft) => changeView(draft, item.id, { focus }));
    };
    startDrag(event, { from: 'down', start: () => true, move: put, end: gesture.end, cancel: gesture.cancel });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const [across = 0, down = 0] = ARROWS[event.key] ?? [];
    if (across === 0 && down === 0) return;
    event.preventDefault();
    event.stopPropagation();
    const step = STEPS[event.shiftKey ? 1 : 0];
    const focus = { x: percent((x + across * step) / 100), y: percent((y + down * step) / 100) };
    edit(texts.moveFocus, (draft) => changeView(draft, item.id, { focus }));
  };
  return (
    <div class="fld focus-picker">
      <span class="l">{texts.focusAndZoom}</span>
      <div
        ref={frame}
        class="focus-frame"
        style={{ 'aspect-ratio': `${media.width} / ${media.height}` }}
        onPointerDown={drag}
      >
        <Thumb entry={media} />
        <button
          type="button"
          class="focus-point"
          style={{ left: `${x}%`, top: `${y}%` }}
          aria-label={texts.focusPoint(x, y)}
          title={fields.item.image_focus[2]}
          onKeyDown={onKeyDown}
        />
      </div>
      <label class="zoom-field">
        <span>{texts.zoom}</span>
        <input
          type="range"
          min={1}
          max={10}
          step={0.1}
          value={zoom}
          aria-valuetext={texts.zoomTimes(zoom)}
          onChange={({ currentTarget: { value } }) =>
            edit(texts.changeZoom, (draft) => changeView(draft, item.id, { zoom: Number(value) }))
          }
        />
        <output>{zoom}×</output>
      </label>
    </div>
  );
}

const ARROWS: Readonly<Record<string, readonly [across: number, down: number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

/** A fraction as a percentage, to a tenth. */
function percent(share: number): number {
  return Math.round(Math.min(1, Math.max(0, share)) * 1000) / 10;
}
