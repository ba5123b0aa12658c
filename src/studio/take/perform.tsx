import { type Signal, useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { ItemPicture } from '../carry/item-picture.tsx';
import { rowKeys } from '../document/performance.ts';
import { type Point, startDrag } from '../kit/drag-session.ts';
import { Icon } from '../kit/icon.tsx';
import { isPhone } from '../kit/phone.ts';
import { clock } from '../kit/shown-values.ts';
import { decided } from '../session/session.ts';
import * as texts from '../texts/en/take.ts';
import { choices } from './devices.ts';
import { LevelMeter, LivePicture, lengthWords, useRoom } from './live-parts.tsx';
import { take } from './page-take.ts';
import { cardName, labelOf } from './take.ts';

/** A row without a colour of its own. */
const PLAIN_ROW = '#8b8693';

/** The screen during a take: rows to drop cards into, the live preview, and large controls. */
export function Perform() {
  const target = useSignal<Target | null>(null);
  const ghost = useRef<HTMLDivElement>(null);
  const rows = decided.value.tier_list.rows;
  const keys = rowKeys(rows);
  useEffect(() => bindTakeKeys(keys, isHelped), []);
  const isHelped = useSignal(false);
  const { up } = take.performed.value;
  return (
    <>
      <Status isHelped={isHelped} />
      {take.isPerformed.value && (
        // A low window scrolls them, also by keys.
        <section class="tk-rows" tabIndex={0} aria-label={texts.rows}>
          {take.rowsNow.value.map(({ id, items }) => (
            <Row key={id} id={id} items={items} keyName={keys.get(id)} target={target.value} drag={drag} />
          ))}
        </section>
      )}
      <LivePicture class="tk-live" />
      {take.isPerformed.value && <Up keys={keys} />}
      {take.isPerformed.value && <Tray drag={drag} />}
      <Controls />
      {isHelped.value && <Help keys={keys} />}
      <div class="tk-ghost" ref={ghost} hidden>
        {up !== null && <Card item={up.item} />}
      </div>
      {take.step.value === 'count' && (
        <div class="tk-count" role="status">
          {take.counted.value > 0 ? <b key={take.counted.value}>{take.counted.value}</b> : <b>…</b>}
          <button type="button" class="bt" onClick={() => take.cancelCount()}>
            {texts.cancel} <kbd>{texts.keys.escape}</kbd>
          </button>
        </div>
      )}
    </>
  );

  /** Tracks a pointer from a press on a card. A movement picks the card up, a release over a row drops it there. */
  function drag(event: PointerEvent, item: string): void {
    let last = event.timeStamp;
    const heard = new AbortController();
    addEventListener('pointerup', ({ timeStamp }) => (last = timeStamp), { capture: true, signal: heard.signal });
    startDrag(event, {
      from: 'moved',
      start() {
        take.lift(item, performance.now());
        return take.performed.value.up?.item === item;
      },
      move(at) {
        if (ghost.current === null) return;
        ghost.current.hidden = false;
        ghost.current.style.transform = `translate(${at.x}px, ${at.y}px)`;
        target.value = targetAt(at, item);
      },
      end() {
        const { row, index } = target.value ?? {};
        if (row === undefined) take.letGo();
        else take.land(row, last, index);
      },
      cancel: () => take.letGo(),
      click() {
        if (take.performed.value.up?.item === item) take.letGo();
        else take.lift(item, last);
      },
      over() {
        heard.abort();
        if (ghost.current !== null) ghost.current.hidden = true;
        queueMicrotask(() => {
          target.value = null;
        });
      },
    });
  }
}

function Status({ isHelped }: { readonly isHelped: Signal<boolean> }) {
  const total = decided.value.tier_list.items.length;
  const ranked = take.rowsNow.value.reduce((sum, { items }) => sum + items.length, 0);
  const records = choices.value.source !== 'play';
  const state =
    take.step.value === 'count' ? 'ready' : take.step.value === 'paused' ? 'paused' : records ? 'recording' : 'playing';
  const room = useRoom();
  return (
    <header class="tk-top">
      <span class="q tk-name">{decided.value.tier_list.title}</span>
      <span class="tk-rec" data-paused={state === 'paused' || state === 'ready'}>
        <i />
        <b>{texts.states[state]}</b>
        <time>{clock(take.elapsed.value)}</time>
        {records && <LevelMeter />}
      </span>
      <span class="tk-end">
        {take.notice.value === null ? (
          <>
            {take.isPerformed.value && (
              <>
                <Course />
                <b>{texts.ranked(ranked, total)}</b>
              </>
            )}
            {room !== null && <span class="q">{texts.space(lengthWords(room.seconds))}</span>}
          </>
        ) : (
          <span class="tk-notice" role="status">
            <Icon name="warn" />
            {take.notice.value}
          </span>
        )}
        {take.isPerformed.value && (
          <button
            type="button"
            class="ib tk-ask by-mouse"
            aria-label={texts.help}
            title={texts.help}
            aria-expanded={isHelped.value}
            onClick={({ currentTarget }) => {
              isHelped.value = !isHelped.value;
              // Enter picks up the next card, unless a button has the focus.
              currentTarget.blur();
            }}
          >
            <kbd>{texts.keys.help}</kbd>
          </button>
        )}
      </span>
    </header>
  );
}

/** The ranked cards in the colours of their rows, and the others. */
function Course() {
  const { rows, items } = decided.value.tier_list;
  const colors = new Map(rows.map(({ id, color }) => [id, color]));
  const ranked = take.rowsNow.value.flatMap(({ id, items: cards }) => cards.map(() => colors.get(id) ?? PLAIN_ROW));
  return (
    <span class="tk-course" aria-hidden="true">
      {items.map(({ id }, i) => (
        <i key={id} style={{ background: ranked[i] }} />
      ))}
    </span>
  );
}

function Controls() {
  const { acts, up } = take.performed.value;
  const last = acts.at(-1);
  const isEnding = take.step.value === 'end';
  const isPaused = take.step.value === 'paused';
  return (
    <div class="tk-ctl">
      {take.isPerformed.value && (
        <button
          type="button"
          class="bt"
          disabled={(last === undefined && up === null) || take.step.value !== 'run'}
          onClick={() => take.undo()}
        >
          <Icon name="undo" />
          <b>{texts.undo}</b>
          <small>
            {up !== null
              ? cardName(up.item)
              : last === undefined
                ? ''
                : texts.inRow(cardName(last.item), labelOf(last.row))}{' '}
            <kbd>{texts.keys.undo}</kbd>
          </small>
        </button>
      )}
      <button type="button" class="bt" disabled={isEnding} onClick={(event) => take.togglePause(event.timeStamp)}>
        <Icon name={isPaused ? 'play' : 'pause'} />
        <b>{isPaused ? texts.resume : texts.pause}</b>
        <small>
          <kbd>{texts.keys.pause}</kbd>
        </small>
      </button>
      <button
        type="button"
        class="bt tk-stop"
        data-next={take.isPerformed.value && take.cardsLeft.value.length === 0 && up === null}
        disabled={isEnding}
        onClick={(event) => void take.stop(event.timeStamp)}
      >
        <Icon name="stop" />
        <b>{isEnding ? texts.saving : texts.stop}</b>
        <small>
          <kbd>{texts.keys.stop}</kbd>
        </small>
      </button>
    </div>
  );
}

/** The keys of a take. They are handled before those of the page, which an open dialog disables anyway. */
function bindTakeKeys(keys: ReadonlyMap<string, string>, isHelped: Signal<boolean>): () => void {
  const heard = new AbortController();
  addEventListener(
    'keydown',
    (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
      if (!run(event)) return;
      event.preventDefault();
      event.stopPropagation();
    },
    { capture: true, signal: heard.signal },
  );
  return () => heard.abort();

  function run({ key, shiftKey, timeStamp, target }: KeyboardEvent): boolean {
    if (key === '?') {
      isHelped.value = !isHelped.value;
      return true;
    }
    if (key === 'Escape') {
      if (isHelped.value && !shiftKey) isHelped.value = false;
      else if (take.step.value === 'count') take.cancelCount();
      else if (shiftKey) void take.stop(timeStamp);
      else take.letGo();
      return true;
    }
    if (shiftKey) return false;
    if (key === 'Backspace') {
      take.undo();
      return true;
    }
    if (key === 'p' || key === 'P') {
      take.togglePause(timeStamp);
      return true;
    }
    if (key === 'ArrowLeft' || key === 'ArrowRight') return focusCard(key === 'ArrowRight' ? 1 : -1);
    // Enter and Space press a focused button. Without one, Enter picks up the next card.
    if (key === 'Enter' && !(target instanceof HTMLButtonElement)) {
      const [next] = take.cardsLeft.value;
      if (next !== undefined) take.lift(next, timeStamp);
      return next !== undefined;
    }
    const row = [...keys].find(([, each]) => each === key.toLowerCase())?.[0];
    if (row === undefined || take.performed.value.up === null) return false;
    take.land(row, timeStamp);
    return true;
  }
}

function focusCard(by: number): boolean {
  const cards = [...document.querySelectorAll<HTMLElement>('.tk-tray .tk-card')];
  if (cards.length === 0) return false;
  const at = cards.indexOf(document.activeElement as HTMLElement);
  const next = at < 0 ? (by > 0 ? 0 : cards.length - 1) : (at + by + cards.length) % cards.length;
  cards[next]!.focus();
  return true;
}

/** Where a dragged card would land. */
interface Target {
  readonly row: string;
  readonly index: number;
}

/** Follows a pointer from a press on the card of an item. */
type Drag = (event: PointerEvent, item: string) => void;

/** @returns the row and the index at a point; the dragged item itself does not count. */
function targetAt({ x, y }: Point, item: string): Target | null {
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

function Card({ item, class: name = '' }: { readonly item: string; readonly class?: string }) {
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
  const isUp = take.performed.value.up?.item === item;
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
        if (isUp) take.letGo();
        else take.lift(item, event.timeStamp);
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

function Row({ id, items, keyName, target, drag }: RowProps) {
  const color = decided.value.tier_list.rows.find((row) => row.id === id)?.color;
  const { up } = take.performed.value;
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
      style={{ '--t': color ?? PLAIN_ROW }}
      onClick={(event) => {
        const isCard = (event.target as Element).closest('.tk-card') !== null;
        if (up !== null && !isCard) take.land(id, event.timeStamp);
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
function Up({ keys }: { readonly keys: ReadonlyMap<string, string> }) {
  const { up } = take.performed.value;
  const isDone = take.cardsLeft.value.length === 0;
  return (
    <section class="tk-up" aria-label={texts.currentCard} data-none={up === null}>
      {up === null ? (
        <p class="tk-hint">
          <b>{isDone ? texts.allRanked : texts.pickCard}</b>
          <span class="q">{isDone ? texts.stopHint : isPhone.value ? texts.pickHintPhone : texts.pickHint}</span>
        </p>
      ) : (
        <div class="tk-who">
          <Card item={up.item} />
          <div>
            <h2>{cardName(up.item)}</h2>
            <HeldFor />
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
            style={{ '--t': color ?? PLAIN_ROW }}
            aria-label={texts.putInto(label ?? id)}
            title={keys.has(id) ? texts.rowKey(keys.get(id)!.toUpperCase()) : undefined}
            onClick={(event) => take.land(id, event.timeStamp)}
          >
            {label ?? id}
          </button>
        ))}
      </div>
    </section>
  );
}

/** On its own, because it changes with every tick. */
function HeldFor() {
  return <p class="tk-held q">{texts.heldFor(clock(take.heldSeconds.value ?? 0))}</p>;
}

/** The keys of a take, over the live preview. */
function Help({ keys }: { readonly keys: ReadonlyMap<string, string> }) {
  const rows = [...keys.values()].map((key) => key.toUpperCase()).join(' ');
  return (
    <section class="tk-help" aria-label={texts.help}>
      <h2>{texts.help}</h2>
      <dl>
        {texts.helpLines(rows).map(([key, words]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{words}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

function Tray({ drag }: { readonly drag: Drag }) {
  const { value: waiting } = take.cardsLeft;
  return (
    <section class="tk-tray" aria-label={texts.cardsLeft}>
      <header>
        <b>{texts.cardsLeftCount(waiting.length)}</b>
        <span class="q">{waiting.length > 0 ? texts.trayHint : texts.changeHint}</span>
      </header>
      <div class="tk-cards">
        {waiting.map((item) => (
          <CardButton key={item} item={item} drag={drag} />
        ))}
      </div>
    </section>
  );
}
