import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { startDrag } from '../../kit/drag-session.ts';
import { clock } from '../../kit/figures.ts';
import { Icon } from '../../kit/icon.tsx';
import { decided } from '../../session/session.ts';
import * as texts from '../../texts/en/take.ts';
import { cancelCount } from '../control/enter-take.ts';
import { stopTake, togglePause } from '../control/run-take.ts';
import { cardName, labelOf, land, letGo, lift, undoAct } from '../control/take-acts.ts';
import { counted, elapsed, isPerformed, notice, performed, rowsNow, takeStep } from '../control/take-state.ts';
import { choices } from '../devices.ts';
import { LevelMeter } from '../level-meter.tsx';
import { LivePicture } from '../live-picture.tsx';
import { lengthWords, useRoom } from '../room.ts';
import { Card, Row, type Target, Tray, targetAt, Up } from './cards.tsx';
import { rowKeys } from './row-keys.ts';
import { bindTakeKeys } from './take-keys.ts';

/** The screen during a take: rows to drop cards into, the live preview, and large controls. */
export function Perform() {
  const target = useSignal<Target | null>(null);
  const ghost = useRef<HTMLDivElement>(null);
  const rows = decided.value.tier_list.rows;
  const keys = rowKeys(rows);
  useEffect(() => bindTakeKeys(keys), []);
  const { up } = performed.value;
  return (
    <>
      <Status />
      {isPerformed.value && (
        <section class="tk-rows" aria-label={texts.rows}>
          {rowsNow.value.map(({ id, items }) => (
            <Row key={id} id={id} items={items} keyName={keys.get(id)} target={target.value} drag={drag} />
          ))}
        </section>
      )}
      <LivePicture class="tk-live" />
      {isPerformed.value && <Up keys={keys} />}
      {isPerformed.value && <Tray drag={drag} />}
      <Controls />
      <div class="tk-ghost" ref={ghost} hidden>
        {up !== null && <Card item={up.item} />}
      </div>
      {takeStep.value === 'count' && (
        <div class="tk-count" role="status">
          {counted.value > 0 ? <b key={counted.value}>{counted.value}</b> : <b>…</b>}
          <button type="button" class="bt" onClick={cancelCount}>
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
        lift(item, performance.now());
        return performed.value.up?.item === item;
      },
      move(at) {
        if (ghost.current === null) return;
        ghost.current.hidden = false;
        ghost.current.style.transform = `translate(${at.x}px, ${at.y}px)`;
        target.value = targetAt(at, item);
      },
      end() {
        const { row, index } = target.value ?? {};
        if (row === undefined) letGo();
        else land(row, last, index);
      },
      cancel: letGo,
      click() {
        if (performed.value.up?.item === item) letGo();
        else lift(item, last);
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

function Status() {
  const total = decided.value.tier_list.items.length;
  const ranked = rowsNow.value.reduce((sum, { items }) => sum + items.length, 0);
  const records = choices.value.source !== 'play';
  const state =
    takeStep.value === 'count' ? 'ready' : takeStep.value === 'paused' ? 'paused' : records ? 'recording' : 'playing';
  const room = useRoom();
  return (
    <header class="tk-top">
      <span class="q tk-name">{decided.value.tier_list.title}</span>
      <span class="tk-rec" data-paused={state === 'paused' || state === 'ready'}>
        <i />
        <b>{texts.states[state]}</b>
        <time>{clock(elapsed.value)}</time>
        {records && <LevelMeter />}
      </span>
      <span class="tk-end">
        {notice.value === null ? (
          <>
            {isPerformed.value && <b>{texts.ranked(ranked, total)}</b>}
            {room !== null && <span class="q">{texts.space(lengthWords(room.seconds))}</span>}
          </>
        ) : (
          <span class="tk-notice" role="status">
            <Icon name="warn" />
            {notice.value}
          </span>
        )}
      </span>
    </header>
  );
}

function Controls() {
  const { acts, up } = performed.value;
  const last = acts.at(-1);
  const isEnding = takeStep.value === 'end';
  const isPaused = takeStep.value === 'paused';
  return (
    <div class="tk-ctl">
      {isPerformed.value && (
        <button
          type="button"
          class="bt"
          disabled={(last === undefined && up === null) || takeStep.value !== 'run'}
          onClick={undoAct}
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
      <button type="button" class="bt" disabled={isEnding} onClick={(event) => togglePause(event.timeStamp)}>
        <Icon name={isPaused ? 'play' : 'pause'} />
        <b>{isPaused ? texts.resume : texts.pause}</b>
        <small>
          <kbd>{texts.keys.pause}</kbd>
        </small>
      </button>
      <button type="button" class="bt tk-stop" disabled={isEnding} onClick={(event) => void stopTake(event.timeStamp)}>
        <Icon name="stop" />
        <b>{isEnding ? texts.saving : texts.stop}</b>
        <small>
          <kbd>{texts.keys.stop}</kbd>
        </small>
      </button>
    </div>
  );
}
