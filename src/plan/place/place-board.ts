import { type Frames, frameAt, frameRange } from '../../time.ts';
import type { BoardItem, BoardScene, BoardWindow, CardLook, Reveal, RevealStyle } from '../render-plan.ts';
import { canvasRect, intersect } from './canvas-rect.ts';
import { cardFit, cardLook, isPicture } from './card-look.ts';
import type { PlanContext } from './plan-context.ts';

/** How long a card is on its way in, in seconds. (R13) */
const REVEAL_SECONDS: Readonly<Record<RevealStyle, number>> = { none: 0, pop: 0.35, spotlight: 0.25 + 0.6 + 0.35 };

/** Places the windows onto the board; one that lies outside the canvas is warned about and left out. */
export function placeWindows({ request, places, canvas, rate, issues }: PlanContext): BoardWindow[] {
  const whole = { x: 0, y: 0, width: canvas.width, height: canvas.height };
  const windows: BoardWindow[] = [];
  if (!request.hasTierList) return windows;
  for (const block of request.timeline.blocks) {
    const { path, id, start, duration } = block;
    const { box, hidden } = places.block(block);
    if (hidden) continue;
    const rect = canvasRect(box, canvas);
    if (intersect(rect, whole) === null) {
      issues.warn(path, 'block.off_canvas', 'The window lies outside the canvas; it is never seen.');
      continue;
    }
    windows.push({ id, path, shows: frameRange(start, start + duration, rate), rect });
  }
  return windows;
}

/** The tier list as the windows show it, or null where there is none to look through. */
export function placeBoard(windows: readonly BoardWindow[], context: PlanContext): BoardScene | null {
  if (windows.length === 0) return null;
  const { request } = context;
  const { title, rows, items } = request.tierList;
  const inRow = new Set(rows.flatMap((row) => row.items));
  const card = cardLook(context);
  return {
    title,
    card,
    rows: rows.map(({ label, color, items: placed }) => ({ label, color, items: placed })),
    pool: [...items.keys()].filter((item) => !inRow.has(item)),
    items: boardItems(card, context),
    reveal: request.settings.reveal,
    reveals: boardReveals(windows, context),
  };
}

/** Items with their pictures; one that has none that can be shown becomes a card with its name. (R12) */
function boardItems(card: CardLook, { request, media, issues }: PlanContext): BoardItem[] {
  return request.tierList.items.map((item) => {
    const { name, media: image } = item;
    if (image === null) return { name, image: null, fit: 'cover' };
    const facts = media.facts(image);
    const { kind } = facts;
    if (isPicture(facts)) {
      const fit = item.fit ?? request.settings.card.fit ?? cardFit(facts, card.shape);
      return { name, image: media.use(image), fit };
    }
    const found =
      { unreadable: 'cannot be read as', audio: 'is a sound, not', font: 'is a font, not' }[kind as string] ??
      'is a video, not';
    issues.warn(image.path, 'item.no_image', `The file ${found} an image; the item is shown as a card with its name.`);
    return { name, image: null, fit: 'cover' };
  });
}

function boardReveals(windows: readonly BoardWindow[], { request, rate, issues }: PlanContext): Reveal[] {
  const lastSeen = windows.reduce((latest, { shows }) => Math.max(latest, shows.end), 0);
  // A length in frames, counted from the reveal's own frame: what comes in together settles together. (R13)
  const length = frameAt(REVEAL_SECONDS[request.settings.reveal], rate);
  const reveals = request.timeline.tiles.map(({ path, item, position }) => {
    const at = frameAt(position, rate);
    if (at >= lastSeen) {
      issues.warn(
        path,
        'tile.never_seen',
        `No tier block is open at ${position} s or later; this reveal is never seen.`,
      );
    }
    return { item, at, end: (at + length) as Frames };
  });
  return reveals.sort((a, b) => a.at - b.at);
}
