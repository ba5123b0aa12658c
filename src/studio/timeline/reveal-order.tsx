import { useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import { ItemPicture } from '../carry/item-picture.tsx';
import { rowOfItem } from '../document/board-commands.ts';
import { isOn, laneKey } from '../document/lane-switches.ts';
import {
  movedTo,
  namedOrder,
  type OrderName,
  type OrderTimes,
  reorderReveals,
  revealsByTime,
} from '../document/reveals.ts';
import { keyName } from '../keys/keys.ts';
import { Dialog } from '../kit/dialog.tsx';
import { edgeScroll, startDrag } from '../kit/drag-session.ts';
import { Icon } from '../kit/icon.tsx';
import { type Choice, Radios } from '../kit/radios.tsx';
import { editTimeline, putTimeline } from '../session/edit-timeline.ts';
import {
  beginGesture,
  mediaShelf,
  project,
  type RunningGesture,
  redo,
  tierList,
  timelineData,
  undo,
} from '../session/session.ts';
import { lockedEntries } from '../texts/en/page.ts';
import * as timelineTexts from '../texts/en/timeline.ts';
import * as texts from '../texts/en/timeline-tools.ts';
import { nextUp, stopRecording, tap, tapsLeft } from './act/record-reveals.ts';
import { nameOfItem, orderOpen } from './act/timeline-actions.ts';

const ORDERS: readonly OrderName[] = ['worst_first', 'best_first', 'shuffled', 'listed'];

const TIMES: readonly Choice<OrderTimes>[] = [
  { value: 'stay', words: texts.timesStay },
  { value: 'move', words: texts.lengthsStay },
];

/** The reveals in order, as a list. Each change is one undo step. */
export function RevealOrder() {
  const times = useSignal<OrderTimes>('stay');
  const said = useSignal('');
  const list = useRef<HTMLOListElement>(null);
  const tiles = revealsByTime(timelineData.value);
  const ids = tiles.map((tile) => tile.tier_item_id);
  const isLocked = isOn(mediaShelf.value.lanes, laneKey('tier_tiles'), 'locked');
  const put = (order: readonly string[]) =>
    editTimeline(timelineTexts.revealOrder, (data) => reorderReveals(data, order, times.value));
  const arrange = (order: OrderName) => {
    put(namedOrder(tierList.value, order, Math.floor(Math.random() * 2 ** 31)));
    const first = nameOfItem(revealsByTime(timelineData.value)[0]!.tier_item_id);
    said.value = texts.firstIs(texts.orders[order], first);
  };
  const move = (id: string, place: number) => {
    put(movedTo(timelineData.value, id, place));
    const now = revealsByTime(timelineData.value).findIndex((tile) => tile.tier_item_id === id);
    said.value = texts.placeOf(nameOfItem(id), now + 1, ids.length);
    requestAnimationFrame(() => lineAt(list.current, now)?.focus());
  };
  const byKeys = (event: KeyboardEvent) => {
    const name = keyName(event);
    const step = /(^|\+)arrowdown$/.test(name) ? 1 : /(^|\+)arrowup$/.test(name) ? -1 : 0;
    const id = (event.target as HTMLElement).dataset.item;
    if (name === 'ctrl+z') undo();
    else if (name === 'ctrl+shift+z' || name === 'ctrl+y') redo();
    else if (id === undefined || step === 0) return;
    else if (name.startsWith('alt+')) move(id, ids.indexOf(id) + step);
    else lineAt(list.current, ids.indexOf(id) + step)?.focus();
    event.preventDefault();
  };
  return (
    <Dialog title={timelineTexts.revealOrder} subtitle={texts.orderHelp} class="small-dialog" onClose={close}>
      {/* Keys of the list, and undo, since the page ignores keys while a dialog is open. */}
      <div class="order" onKeyDown={byKeys}>
        {isLocked && <p class="note">{lockedEntries}</p>}
        <div class="order-tools">
          {ORDERS.map((order) => (
            <button
              key={order}
              type="button"
              class="bt"
              disabled={ids.length < 2 || isLocked}
              onClick={() => arrange(order)}
            >
              {texts.orders[order]}
            </button>
          ))}
          <Radios
            label={texts.times}
            class="seg"
            value={times.value}
            choices={TIMES}
            onChoose={(chosen) => {
              times.value = chosen;
            }}
          />
        </div>
        {tiles.length === 0 && <p class="q">{texts.nothingRevealed}</p>}
        <ol ref={list} class="order-list" aria-label={timelineTexts.revealOrder}>
          {tiles.map((tile, place) => (
            <Line
              key={tile.tier_item_id}
              id={tile.tier_item_id}
              at={tile.position}
              place={place}
              onPointerDown={(event) => !isLocked && drag(event, tile.tier_item_id, times.value)}
            />
          ))}
        </ol>
        <p class="unseen" role="status" aria-live="assertive">
          {said.value}
        </p>
      </div>
    </Dialog>
  );
}

function close(): void {
  orderOpen.value = false;
}

function lineAt(list: HTMLElement | null, place: number): HTMLElement | null {
  return list?.querySelectorAll<HTMLElement>('[data-item]')[place] ?? null;
}

interface LineProps {
  readonly id: string;
  readonly at: number;
  readonly place: number;
  readonly onPointerDown: (event: PointerEvent) => void;
}

function Line({ id, at, place, onPointerDown }: LineProps) {
  const item = tierList.value.items.find((each) => each.id === id);
  const row = rowOfItem(project.value, id);
  return (
    <li>
      <button type="button" class="order-line" data-item={id} onPointerDown={onPointerDown}>
        <span class="num">{place + 1}</span>
        <span class="order-picture">{item !== undefined && <ItemPicture item={item} />}</span>
        <b>{nameOfItem(id)}</b>
        {row !== null && (
          <span class="order-row" style={{ '--t': row.color ?? '#c9c5d3' }}>
            {row.label ?? row.id}
          </span>
        )}
        <span class="num q">{clock(at)}</span>
        <Icon name="grip" />
      </button>
    </li>
  );
}

function clock(seconds: number): string {
  const tenths = Math.round(seconds * 10);
  const rest = ((tenths % 600) / 10).toFixed(1).padStart(4, '0');
  return `${Math.floor(tenths / 600)}:${rest}`;
}

/** Drags a line among the others, as one step. */
function drag(event: PointerEvent, id: string, times: OrderTimes): void {
  const list = (event.currentTarget as HTMLElement).closest('ol')!;
  const before = timelineData.value;
  let gesture: RunningGesture | null = null;
  startDrag(event, {
    scroll: edgeScroll(list),
    start() {
      gesture = beginGesture();
      return true;
    },
    move({ y }) {
      const others = [...list.querySelectorAll<HTMLElement>('[data-item]')].filter((line) => line.dataset.item !== id);
      const place = others.filter((line) => {
        const { top, height } = line.getBoundingClientRect();
        return top + height / 2 < y;
      }).length;
      const after = reorderReveals(before, movedTo(before, id, place), times);
      gesture?.change(timelineTexts.revealOrder, (draft) => putTimeline(draft, before, after));
    },
    end: () => gesture?.end(),
    cancel: () => gesture?.cancel(),
  });
}

/** During a recording of taps: the next item, and a large button. */
export function TapRecorder() {
  return (
    <div class="tl-recorder" role="status">
      <button type="button" class="bt prim big" onClick={tap}>
        <Icon name="reveal" />
        {nextUp.value === null ? texts.allRevealed : texts.next(nextUp.value)}
        <kbd>R</kbd>
      </button>
      <span class="q">{texts.left(tapsLeft.value)}</span>
      <button type="button" class="bt" onClick={stopRecording}>
        {texts.done}
      </button>
    </div>
  );
}
