/** A pointer position, in window coordinates. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

interface DragHandlers {
  /** The press has become a drag. @returns false if there is nothing to drag. */
  start(at: Point): boolean | undefined;
  /** Called once a frame, and once more before the end. */
  move(at: Point, event: PointerEvent): void;
  end(): void;
  cancel(): void;
  /** The pointer was released before the press became a drag. */
  click?(): void;
  /** A long press: a finger rested and was released in place. The drag is cancelled first. */
  press?(at: Point): void;
  /** Tracking has ended, for any reason. Called before the other end handlers. */
  over?(): void;
  /** A finger moves before it has rested, over something that scrolls itself. Without this handler the browser scrolls. */
  pan?(at: Point): void;
  /** Called before each move, to scroll what is under the pointer when it is near an edge. */
  scroll?(at: Point): void;
  /**
   * When a press becomes a drag. `held`: a finger has to rest first, so that it can scroll. `moved`: a finger drags as soon as it
   * moves. `down`: at once. For a mouse, `held` means `moved`.
   */
  readonly from?: 'held' | 'moved' | 'down';
}

/** A pointer that is tracked until it is released. */
export interface DragSession {
  readonly pointerId: number;
  /** The current position. */
  at(): Point;
  cancel(): void;
}

const START_PX = 4;
const HOLD_MS = 250;
const HOLD_STRAY_PX = 8;
/** Distance from the edge at which scrolling starts; in a low element, a sixth of its height. */
const EDGE_PX = 48;
const EDGE_STEP_PX = 14;
/** How long a drag is near an edge before it scrolls. */
const EDGE_REST_MS = 250;
/** And in how many frames: on a busy page, a drag that passes the edge is there for a long time, but in few frames. */
const EDGE_REST_FRAMES = 8;

/**
 * Tracks a pointer from its press. A click stays a click, a finger that moves at once scrolls, a finger that rests drags. Escape, a
 * lost pointer and a second finger cancel it.
 *
 * @returns null if the pointer cannot drag.
 */
export function startDrag(down: PointerEvent, handlers: DragHandlers): DragSession | null {
  if (down.button !== 0 || !down.isPrimary) return null;
  const { from = 'held' } = handlers;
  const begun = { x: down.clientX, y: down.clientY };
  const hasToRest = down.pointerType === 'touch' && from === 'held';
  const ended = new AbortController();
  const on = { signal: ended.signal };
  let state: 'waiting' | 'dragging' | 'panning' | 'over' = 'waiting';
  let last = down;
  let hasStrayed = false;
  let frame = 0;

  const at = (): Point => ({ x: last.clientX, y: last.clientY });
  const lift = () => {
    if (state !== 'waiting') return;
    if (handlers.start(begun) === false) return finish('none');
    state = 'dragging';
    if (hasToRest) navigator.vibrate?.(10);
    follow();
  };
  const hold = hasToRest ? setTimeout(lift, HOLD_MS) : null;

  const follow = () => {
    if (state === 'dragging') {
      handlers.scroll?.(at());
      handlers.move(at(), last);
    } else if (state === 'panning') handlers.pan?.(at());
    else return;
    frame = requestAnimationFrame(follow);
  };

  const finish = (how: 'end' | 'cancel' | 'none') => {
    if (state === 'over') return;
    const before = state;
    state = 'over';
    if (hold !== null) clearTimeout(hold);
    cancelAnimationFrame(frame);
    ended.abort();
    if (before === 'dragging' && how === 'end') handlers.move(at(), last);
    handlers.over?.();
    if (before === 'waiting' && how === 'end') handlers.click?.();
    if (before !== 'dragging') return;
    swallowClick();
    const isPress = how === 'end' && hasToRest && !hasStrayed && handlers.press !== undefined;
    if (how === 'end' && !isPress) handlers.end();
    else handlers.cancel();
    if (isPress) handlers.press?.(at());
  };

  // A busy page hears of it only after the hold: the finger moves, it does not rest.
  const movedBeforeHold = (event: PointerEvent) =>
    event
      .getCoalescedEvents()
      .some(
        ({ timeStamp, clientX, clientY }) =>
          timeStamp - down.timeStamp < HOLD_MS && Math.hypot(clientX - begun.x, clientY - begun.y) > HOLD_STRAY_PX,
      );

  const moved = (event: PointerEvent) => {
    if (state === 'dragging' && hasToRest && !hasStrayed && movedBeforeHold(event)) return finish('cancel');
    last = event;
    const far = Math.hypot(event.clientX - begun.x, event.clientY - begun.y);
    hasStrayed ||= far > HOLD_STRAY_PX;
    if (state !== 'waiting') return;
    if (!hasToRest) {
      if (far > START_PX) lift();
    } else if (far > HOLD_STRAY_PX) {
      if (handlers.pan === undefined) return finish('none');
      state = 'panning';
      follow();
    }
  };
  addEventListener('pointermove', (event) => event.pointerId === down.pointerId && moved(event), on);
  addEventListener('pointerup', (event) => event.pointerId === down.pointerId && finish('end'), on);
  addEventListener('pointercancel', (event) => event.pointerId === down.pointerId && finish('cancel'), on);
  addEventListener('pointerdown', (event) => event.pointerId !== down.pointerId && finish('cancel'), on);
  addEventListener('blur', () => finish('cancel'), on);
  addEventListener(
    'keydown',
    (event) => {
      if (event.key !== 'Escape') return;
      event.preventDefault();
      event.stopImmediatePropagation();
      finish('cancel');
    },
    { ...on, capture: true },
  );
  // During a drag a finger does not scroll, and a long press opens no menu. Touch events go to the element that the touch began on,
  // even after it is removed from the page, as when a card moves to another row. They would not reach the window then.
  const keepStill = (event: TouchEvent) => state === 'dragging' && event.cancelable && event.preventDefault();
  (down.target as HTMLElement | null)?.addEventListener('touchmove', keepStill, { ...on, passive: false });
  addEventListener('contextmenu', (event) => hasToRest && event.preventDefault(), on);
  addEventListener('dragstart', (event) => event.preventDefault(), on);
  if (from === 'down') lift();
  return { pointerId: down.pointerId, at, cancel: () => finish('cancel') };
}

/** The click event that follows a drag is not a click. */
function swallowClick(): void {
  const swallow = (event: Event) => {
    event.stopPropagation();
    event.preventDefault();
  };
  addEventListener('click', swallow, { capture: true, once: true });
  setTimeout(() => removeEventListener('click', swallow, { capture: true }));
}

/**
 * Scrolls an element while a drag stays near its upper or lower edge. A drag that only passes the edge, as from the pool to a row, moves
 * nothing: what it is to be dropped on would move away.
 */
export function edgeScroll(scroller: Element | null): (at: Point) => void {
  let sinceMs = 0;
  let frames = 0;
  return (at) => {
    if (scroller === null) return;
    const share = pullAt(scroller, at);
    if (share === 0) {
      frames = 0;
      return;
    }
    if (frames === 0) sinceMs = performance.now();
    frames += 1;
    if (frames > EDGE_REST_FRAMES && performance.now() - sinceMs >= EDGE_REST_MS)
      scroller.scrollBy(0, share * EDGE_STEP_PX);
  };
}

/** From -1 (up) to 1 (down): the nearer the edge, the faster. */
function pullAt(scroller: Element, { x, y }: Point): number {
  const { left, right, top, bottom } = scroller.getBoundingClientRect();
  if (x < left || x > right || y < top - EDGE_PX || y > bottom + EDGE_PX) return 0;
  const edge = Math.min(EDGE_PX, (bottom - top) / 6);
  const pull = Math.max(0, y - (bottom - edge)) - Math.max(0, top + edge - y);
  return Math.max(-1, Math.min(1, pull / edge));
}
