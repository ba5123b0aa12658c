import { ItemPicture } from '../../carry/item-picture.tsx';
import { waitingItems } from '../../document/take/performance.ts';
import type { Point } from '../../kit/drag-session.ts';
import { isPhone } from '../../kit/phone.ts';
import { decided } from '../../session/session.ts';
import * as texts from '../../texts/en/take.ts';
import { cardName, labelOf, land, letGo, lift } from '../control/take-acts.ts';
import { performed } from '../control/take-state.ts';

/** Where a dragged card would land. */
export interface Target {
  readonly row: string;
  readonly index: number;
}

/** Follows a pointer from a press on the card of an item. */
type Drag = (event: PointerEvent, item: string) => void;

/** @returns the row and the index at a point; the dragged item itself does not count. */
export function targetAt({ x, y }: Point, item: string): Target | null {
  for (const row of document.querySelectorAll<HTMLElement>('.tk-row')) {
    const { left, right, top, bottom } = row.getBoundingClientRect();
    if (x < left || x > right || y < top - 4 || y > bottom + 4) continue;
    const cards = [...row.querySelectorAll<HTMLElement>('.tk-card')].filter((card) => card.dataset.item !== item);
    const before = cards.filter((card) => {
      const box = card.getBoundingClientRect();
      return box.bottom < y || (box.top < y && box.left + box.width / 2 < x);
    });
    return { row: row.dataset.take!, index: before.length };
  }
  return null;
}

export function Card({ item, class: name = '' }: { readonly item: string; readonly class?: string }) {
  const found = decided.value.tier_list.items.find(({ id }) => id === item);
  if (found === undefined) return null;
  return (
    <span class={`tk-face ${name}`}>
      <ItemPicture item={found} />
      <span>{cardName(item)}</span>
    </span>
  );
}

function CardButton({ item, drag }: { readonly item: string; readonly drag: Drag }) {
  const isUp = performed.value.up?.item === item;
  return (
    <button
      type="button"
      class="tk-card"
      data-item={item}
      aria-label={cardName(item)}
      aria-pressed={isUp}
      onPointerDown={(event) => drag(event, item)}
      onClick={(event) => {
        // Keyboard clicks only; the drag handles pointer clicks.
        if (event.detail !== 0) return;
        if (isUp) letGo();
        else lift(item, event.timeStamp);
      }}
    >
      <Card item={item} />
    </button>
  );
}

interface RowProps {
  readonly id: string;
  readonly items: readonly string[];
  readonly keyName: string | undefined;
  readonly target: Target | null;
  readonly drag: Drag;
}

export function Row({ id, items, keyName, target, drag }: RowProps) {
  const color = decided.value.tier_list.rows.find((row) => row.id === id)?.color;
  const { up } = performed.value;
  const isHot = target?.row === id;
  const shown: (string | null)[] = [...items];
  if (isHot && up !== null) {
    const others = shown.filter((item) => item !== up.item);
    const next = others[target.index];
    shown.splice(next === undefined ? shown.length : shown.indexOf(next), 0, null);
  }
  return (
    <div
      class="tk-row"
      data-take={id}
      data-hot={isHot}
      style={{ '--t': color ?? '#8b8693' }}
      onClick={(event) => {
        const isCard = (event.target as Element).closest('.tk-card') !== null;
        if (up !== null && !isCard) land(id, event.timeStamp);
      }}
    >
      <b>{labelOf(id)}</b>
      <div class="tk-cells">
        {shown.map((item) =>
          item === null ? <i key="gap" class="tk-gap" /> : <CardButton key={item} item={item} drag={drag} />,
        )}
      </div>
      {keyName !== undefined && <kbd>{keyName.toUpperCase()}</kbd>}
    </div>
  );
}

/** The name of the card that is up, and a button for each row. */
export function Up({ keys }: { readonly keys: ReadonlyMap<string, string> }) {
  const { up } = performed.value;
  return (
    <section class="tk-up" aria-label={texts.currentCard} data-none={up === null}>
      {up === null ? (
        <p class="tk-hint">
          <b>{texts.pickCard}</b>
          <span class="q">{isPhone.value ? texts.pickHintPhone : texts.pickHint}</span>
        </p>
      ) : (
        <div class="tk-who">
          <Card item={up.item} />
          <div>
            <h2>{cardName(up.item)}</h2>
            <p class="q">{isPhone.value ? texts.dropHintPhone : texts.dropHint}</p>
          </div>
        </div>
      )}
      <div class="tk-keys">
        {decided.value.tier_list.rows.map(({ id, label, color }) => (
          <button
            key={id}
            type="button"
            disabled={up === null}
            style={{ '--t': color ?? '#8b8693' }}
            aria-label={texts.putInto(label ?? id)}
            title={keys.has(id) ? texts.rowKey(keys.get(id)!.toUpperCase()) : undefined}
            onClick={(event) => land(id, event.timeStamp)}
          >
            {label ?? id}
          </button>
        ))}
      </div>
    </section>
  );
}

export function Tray({ drag }: { readonly drag: Drag }) {
  const waiting = waitingItems(decided.value.tier_list, performed.value);
  return (
    <section class="tk-tray" aria-label={texts.cardsLeft}>
      <header>
        <b>{texts.cardsLeftCount(waiting.length)}</b>
        <span class="q">{texts.trayHint}</span>
      </header>
      <div class="tk-cards">
        {waiting.map((item) => (
          <CardButton key={item} item={item} drag={drag} />
        ))}
      </div>
    </section>
  );
}
