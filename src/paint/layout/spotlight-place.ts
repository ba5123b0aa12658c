import type { Box } from './box.ts';
import { fitText, type TextBlock } from './text/text-block.ts';
import type { MeasureText } from './text/text-measure.ts';

/** The texts below a card in the spotlight; empty texts are left out. */
export interface Spotlit {
  /** Cards of one and the same number share the stage. */
  readonly group: number;
  readonly name: string;
  readonly score: string;
  readonly note: string;
  /** Of its row. */
  readonly label: string;
}

/** One or more lines under a card, and their kind. */
interface NoteText {
  readonly what: 'name' | 'score' | 'note';
  readonly block: TextBlock;
  readonly box: Box;
}

/** The place of a card in the spotlight, with the note below it and the stamp beside it if they fit. */
export interface SpotlightPlace {
  readonly card: Box;
  readonly note: { readonly box: Box; readonly texts: readonly NoteText[] } | null;
  readonly stamp: { readonly box: Box; readonly block: TextBlock } | null;
}

/** What the places of a spotlight depend on. */
interface SpotlightRoom {
  readonly panel: Box;
  readonly cardPx: number;
  readonly cardHeightPx: number;
  readonly minTextPx: number;
  readonly stamp: StampSize;
}

/**
 * A place for each spotlight. Cards revealed in the same frame share the stage side by side: they come and go together,
 * so sharing never moves a card, and the cards of a line are aligned. All others use the same spot, the later in front.
 */
export function spotlightPlaces(
  lights: readonly Spotlit[],
  room: SpotlightRoom,
  measure: MeasureText,
): SpotlightPlace[] {
  const groups = new Map<number, number[]>();
  lights.forEach(({ group }, index) => {
    groups.set(group, [...(groups.get(group) ?? []), index]);
  });
  const places: SpotlightPlace[] = [];
  for (const members of groups.values()) {
    const { panel } = room;
    const { columns, sidePx } = grid(members.length, room);
    const rows = Math.ceil(members.length / columns);
    const cardPx = tall(sidePx, room);
    const cellWidth = Math.max(sidePx * 1.12, members.length === 1 ? panel.width * 0.9 : 0);
    // Stamps are inside their cards if several share the stage: lines of cards need only a gap.
    const lineGap = rows > 1 ? sidePx * LINE_GAP : 0;
    const maxPx = (panel.height * 0.98) / rows - cardPx - lineGap;
    const plates = members.map((index) =>
      plateOf(lights[index]!, sidePx, { width: cellWidth, height: maxPx }, room, measure),
    );
    const cellHeight = cardPx + Math.max(0, ...plates.map((plate) => (plate === null ? 0 : plate.gap + plate.height)));
    const top = panel.y + (panel.height - rows * cellHeight - (rows - 1) * lineGap) / 2;
    members.forEach((index, place) => {
      const row = Math.floor(place / columns);
      const inRow = Math.min(columns, members.length - row * columns);
      const left = panel.x + (panel.width - inRow * cellWidth) / 2 + (place % columns) * cellWidth;
      const centre = left + cellWidth / 2;
      const card = { x: centre - sidePx / 2, y: top + row * (cellHeight + lineGap), width: sidePx, height: cardPx };
      places[index] = {
        card,
        note: placeNote(plates[place]!, centre, card.y + cardPx),
        stamp: placeStamp(lights[index]!.label, card, members.length === 1, room, measure),
      };
    });
  }
  return places;
}

/** Between lines of cards, as a share of their width. */
const LINE_GAP = 0.08;

/** The height of a card of that width: all cards have one aspect ratio. */
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
  const max = Math.min(
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
    const sidePx = Math.min(max, share);
    if (sidePx > best.sidePx) best = { columns, sidePx };
  }
  return best;
}

/** The plate under a card, without its place. */
interface Plate {
  readonly gap: number;
  readonly width: number;
  readonly height: number;
  readonly padding: number;
  readonly texts: readonly { readonly what: NoteText['what']; readonly block: TextBlock }[];
}

/** As much of name, score and note as there is room for, in this order. */
function plateOf(
  light: Spotlit,
  sidePx: number,
  cell: { readonly width: number; readonly height: number },
  room: SpotlightRoom,
  measure: MeasureText,
): Plate | null {
  const namePx = Math.min(sidePx * 0.12, room.panel.height * 0.06);
  const gap = namePx * 0.5;
  const padding = namePx * 0.22;
  const texts: { what: NoteText['what']; block: TextBlock }[] = [];
  let height = 2 * padding;
  const add = (what: NoteText['what'], text: string, share: number, maxLines: number): void => {
    const maxPx = namePx * share;
    const block = fitText(
      text,
      what === 'note' ? 'text' : 'display',
      {
        widthPx: cell.width - namePx * 1.6,
        heightPx: Math.min(maxPx * 1.225 * maxLines, cell.height - gap - height),
        maxPx,
        minPx: Math.max(room.minTextPx, maxPx * 0.5),
        maxLines,
        mayCut: true,
        mayBreakWords: true,
      },
      measure,
    );
    if (block === null) return;
    texts.push({ what, block });
    height += block.heightPx;
  };
  add('name', light.name, 1, 2);
  add('score', light.score, 1.15, 1);
  add('note', light.note, 0.62, 2);
  if (texts.length === 0) return null;
  const width = Math.max(...texts.map(({ block }) => block.widthPx)) + namePx * 1.5;
  return { gap, width, height, padding, texts };
}

function placeNote(plate: Plate | null, centre: number, foot: number): SpotlightPlace['note'] {
  if (plate === null) return null;
  const box = { x: centre - plate.width / 2, y: foot + plate.gap, width: plate.width, height: plate.height };
  let y = box.y + plate.padding;
  const texts = plate.texts.map(({ what, block }): NoteText => {
    const place = { x: box.x, y, width: box.width, height: block.heightPx };
    y += block.heightPx;
    return { what, block, box: place };
  });
  return { box, texts };
}

/** The size all stamps of a board have, against their height: of their letters, and their width. (R31) */
export interface StampSize {
  readonly textShare: number;
  readonly widthShare: number;
}

const STAMP_MARGIN = 0.26;
/**
 * The height of a stamp relative to its card's width: beside the card, over a corner, and inside a card among others.
 */
const STAMP_SHARE = { beside: 0.62, corner: 0.44, inside: 0.38 };

/** The largest letters with which every label fits a stamp, and one width for all of them. */
export function stampSize(labels: readonly string[], measure: MeasureText): StampSize {
  // At any size: only ratios matter.
  const side = 100;
  const fit = (minPx: number, maxPx: number) =>
    labels.flatMap((label) => stampBlock(label, side, minPx, maxPx, measure) ?? []);
  const sizePx = Math.min(side * 0.7, ...fit(side * 0.1, side * 0.7).map((block) => block.sizePx));
  const widest = Math.max(0, ...fit(sizePx, sizePx).map(({ widthPx }) => widthPx));
  return { textShare: sizePx / side, widthShare: Math.max(1, widest / side + STAMP_MARGIN) };
}

function stampBlock(label: string, side: number, minPx: number, maxPx: number, measure: MeasureText): TextBlock | null {
  const room = {
    widthPx: side * 1.5,
    heightPx: side * 0.92,
    minPx,
    maxPx,
    maxLines: 3,
    mayCut: true,
    mayBreakWords: true,
  };
  return fitText(label, 'display', room, measure);
}

/**
 * Beside the card if there is room to its right and no other card, else over its corner; inside it if there are others
 * around it.
 */
function placeStamp(
  label: string,
  card: Box,
  isAlone: boolean,
  { panel, minTextPx, stamp }: SpotlightRoom,
  measure: MeasureText,
) {
  const right = panel.x + panel.width * 0.985;
  const beside = card.x + card.width + card.width * 0.1;
  const besidePx = Math.min(card.width * STAMP_SHARE.beside, (right - beside) / stamp.widthShare);
  const isBeside = isAlone && besidePx >= card.width * STAMP_SHARE.corner;
  const cornerPx = isAlone ? card.width * STAMP_SHARE.corner : Math.min(card.width, card.height) * STAMP_SHARE.inside;
  const side = isBeside ? besidePx : cornerPx;
  const sizePx = Math.max(minTextPx, side * stamp.textShare);
  const block = stampBlock(label, side, sizePx, sizePx, measure);
  if (block === null) return null;
  const width = Math.max(side * stamp.widthShare, block.widthPx + side * STAMP_MARGIN);
  if (isBeside && beside + width <= right + 1) {
    return { block, box: { x: beside, y: card.y + (card.height - side) / 2, width, height: side } };
  }
  if (!isAlone) {
    const edge = side * 0.08;
    return { block, box: { x: card.x + card.width - width - edge, y: card.y + edge, width, height: side } };
  }
  const x = Math.max(panel.x, Math.min(right, card.x + card.width * 1.1) - width);
  const y = Math.max(panel.y, card.y - side * 0.3);
  return { block, box: { x, y, width, height: side } };
}
