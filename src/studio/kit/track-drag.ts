/** Where the pointer is, in the window. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

interface DragHandlers {
  /** It has become a drag. @returns false where there is nothing to drag. */
  start(at: Point): boolean | undefined;
  /** At most once a picture of the screen. */
  move(at: Point, event: PointerEvent): void;
  end(): void;
  cancel(): void;
  /** Whether a finger drags at once: what is under it is there to be dragged, and nothing there scrolls. */
  readonly atOnce?: boolean;
  /** What scrolls when the pointer comes near its edges. */
  readonly scroller?: Element | null;
}

const START_PX = 4;
const HOLD_MS = 250;
const HOLD_STRAY_PX = 8;
/** How near the edge it begins to scroll; in what is low, a sixth of it. */
const EDGE_PX = 48;
const EDGE_STEP_PX = 14;

/**
 * Follows a pointer that went down: a click stays a click, a finger that moves at once scrolls, one that is held lifts.
 * Escape, a lost pointer and a second finger break it off.
 */
export function trackDrag(down: PointerEvent, handlers: DragHandlers): void {
  if (down.button !== 0 || !down.isPrimary) return;
  const begun = { x: down.clientX, y: down.clientY };
  const touch = down.pointerType === 'touch' && handlers.atOnce !== true;
  const ended = new AbortController();
  const on = { signal: ended.signal };
  let state: 'waiting' | 'dragging' | 'over' = 'waiting';
  let last = down;
  let frame = 0;

  const lift = () => {
    if (state !== 'waiting') return;
    if (handlers.start(begun) === false) return finish('none');
    state = 'dragging';
    if (touch) navigator.vibrate?.(10);
    follow();
  };
  const hold = touch ? setTimeout(lift, HOLD_MS) : null;

  /** While it is dragged, each picture: scroll at the edges, then tell where it is. */
  const follow = () => {
    if (state !== 'dragging') return;
    scrollAtEdges(handlers.scroller ?? null, last);
    handlers.move({ x: last.clientX, y: last.clientY }, last);
    frame = requestAnimationFrame(follow);
  };

  const finish = (how: 'end' | 'cancel' | 'none') => {
    if (state === 'over') return;
    const dragged = state === 'dragging';
    state = 'over';
    if (hold !== null) clearTimeout(hold);
    cancelAnimationFrame(frame);
    ended.abort();
    if (!dragged) return;
    swallowClick();
    if (how === 'end') {
      handlers.move({ x: last.clientX, y: last.clientY }, last);
      handlers.end();
    } else handlers.cancel();
  };

  addEventListener(
    'pointermove',
    (event) => {
      if (event.pointerId !== down.pointerId) return;
      last = event;
      if (state !== 'waiting') return;
      const far = Math.hypot(event.clientX - begun.x, event.clientY - begun.y);
      if (touch && far > HOLD_STRAY_PX) finish('none');
      if (!touch && far > START_PX) lift();
    },
    on,
  );
  addEventListener('pointerup', (event) => event.pointerId === down.pointerId && finish('end'), on);
  addEventListener('pointercancel', (event) => event.pointerId === down.pointerId && finish('cancel'), on);
  addEventListener('pointerdown', (event) => event.pointerId !== down.pointerId && finish('cancel'), on);
  addEventListener('blur', () => finish('cancel'), on);
  addEventListener(
    'keydown',
    (event) => {
      if (event.key !== 'Escape' || state !== 'dragging') return;
      event.preventDefault();
      event.stopImmediatePropagation();
      finish('cancel');
    },
    { ...on, capture: true },
  );
  // Once lifted, a finger drags and does not scroll; long presses open no menu. A touch stays with the element it began on, even
  // when that has left the page, as a card does that goes into another row: from there it would not be heard at the window.
  const keepStill = (event: TouchEvent) => state === 'dragging' && event.cancelable && event.preventDefault();
  (down.target as HTMLElement | null)?.addEventListener('touchmove', keepStill, { ...on, passive: false });
  addEventListener('contextmenu', (event) => touch && event.preventDefault(), on);
  addEventListener('dragstart', (event) => event.preventDefault(), on);
}

/** The click that comes with letting go is part of the drag. */
function swallowClick(): void {
  const swallow = (event: Event) => {
    event.stopPropagation();
    event.preventDefault();
  };
  addEventListener('click', swallow, { capture: true, once: true });
  setTimeout(() => removeEventListener('click', swallow, { capture: true }));
}

function scrollAtEdges(scroller: Element | null, { clientX, clientY }: PointerEvent): void {
  if (scroller === null) return;
  const { left, right, top, bottom } = scroller.getBoundingClientRect();
  if (clientX < left || clientX > right || clientY < top - EDGE_PX || clientY > bottom + EDGE_PX) return;
  const edge = Math.min(EDGE_PX, (bottom - top) / 6);
  // The nearer the edge, the faster.
  const pull = Math.max(0, top + edge - clientY) - Math.max(0, clientY - (bottom - edge));
  scroller.scrollBy(0, -Math.sign(pull) * Math.min(1, Math.abs(pull) / edge) * EDGE_STEP_PX);
}
