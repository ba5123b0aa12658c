import type { Box } from './box.ts';
import { fitText, type TextBlock } from './text-block.ts';
import type { MeasureText } from './text-measure.ts';

/** Where a card stands in the spotlight, and its name under it where there is room for one. */
export interface SpotlightPlace {
  readonly card: Box;
  readonly name: { readonly block: TextBlock; readonly box: Box } | null;
}

/** What the spotlight has to go by. */
export interface SpotlightRoom {
  readonly panel: Box;
  readonly cardPx: number;
  readonly cardHeightPx: number;
  readonly minTextPx: number;
}

/**
 * A place for each light. Cards revealed in one and the same frame share the spotlight side by side: they come and go
 * together, so sharing it never moves a card. Any others stand in the same spot, the later in front.
 */
export function spotlightPlaces(
  lights: readonly { readonly progress: number }[],
  names: readonly string[],
  room: SpotlightRoom,
  measure: MeasureText,
): SpotlightPlace[] {
  const groups = new Map<number, number[]>();
  lights.forEach(({ progress }, index) => {
    groups.set(progress, [...(groups.get(progress) ?? []), index]);
  });
  const places: SpotlightPlace[] = [];
  for (const members of groups.values()) {
    const { columns, sidePx } = grid(members.length, room);
    const rows = Math.ceil(members.length / columns);
    const namePx = Math.min(sidePx * 0.12, room.panel.height * 0.06);
    const cell = {
      width: Math.max(sidePx * 1.12, members.length === 1 ? room.panel.width * 0.9 : 0),
      height: tall(sidePx, room) + namePx * 3,
    };
    const top = room.panel.y + (room.panel.height - rows * cell.height) / 2;
    members.forEach((index, place) => {
      const row = Math.floor(place / columns);
      const inRow = Math.min(columns, members.length - row * columns);
      const left = room.panel.x + (room.panel.width - inRow * cell.width) / 2 + (place % columns) * cell.width;
      places[index] = placeIn(
        { x: left, y: top + row * cell.height, ...cell },
        sidePx,
        names[index]!,
        namePx,
        room,
        measure,
      );
    });
  }
  return places;
}

/** How tall a card of that width is: they are all of one shape. */
function tall(widthPx: number, { cardPx, cardHeightPx }: SpotlightRoom): number {
  return (widthPx * cardHeightPx) / cardPx;
}

/** The width of a card that has the spotlight to itself. */
export function spotlightPx(room: SpotlightRoom): number {
  return grid(1, room).sidePx;
}

/** The number of columns that makes the cards largest, and their width. */
function grid(count: number, room: SpotlightRoom): { columns: number; sidePx: number } {
  const { panel, cardPx } = room;
  const ratio = tall(1, room);
  const most = Math.min(
    Math.max(Math.min((panel.height * 0.54) / Math.sqrt(ratio), panel.width * 0.6), cardPx * 1.2),
    Math.min(panel.width, panel.height / ratio) * 0.92,
  );
  let best = { columns: 1, sidePx: 0 };
  for (let columns = 1; columns <= count; columns += 1) {
    const rows = Math.ceil(count / columns);
    const share = Math.min(
      (panel.width * 0.94) / columns / 1.12,
      (panel.height * 0.94) / rows / ratio / (rows > 1 ? 1.36 : 1),
    );
    const sidePx = Math.min(most, share);
    if (sidePx > best.sidePx) best = { columns, sidePx };
  }
  return best;
}

function placeIn(
  cell: Box,
  sidePx: number,
  name: string,
  namePx: number,
  room: SpotlightRoom,
  measure: MeasureText,
): SpotlightPlace {
  const gap = namePx * 0.5;
  const block = fitText(
    name,
    'display',
    {
      widthPx: cell.width - namePx * 1.6,
      heightPx: namePx * 2.45,
      maxPx: namePx,
      minPx: Math.max(room.minTextPx, namePx * 0.5),
      maxLines: 2,
      mayCut: true,
      mayBreakWords: true,
    },
    measure,
  );
  const pill = block && { width: block.widthPx + block.sizePx * 1.5, height: block.heightPx + block.sizePx * 0.4 };
  const cardPx = tall(sidePx, room);
  const fits = pill !== null && cardPx + gap + pill.height <= room.panel.height * 0.98;
  const height = fits ? cardPx + gap + pill.height : cardPx;
  const centre = cell.x + cell.width / 2;
  const y = cell.y + (cell.height - height) / 2;
  const card = { x: centre - sidePx / 2, y, width: sidePx, height: cardPx };
  if (!fits || block === null) return { card, name: null };
  return { card, name: { block, box: { x: centre - pill.width / 2, y: y + cardPx + gap, ...pill } } };
}
