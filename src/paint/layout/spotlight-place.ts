import type { Box } from '../boxes.ts';
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
    if (members.length === 1) places[members[0]!] = placeAlone(lights[members[0]!]!, room, measure);
    else placeTogether(members, lights, room, measure, places);
  }
  return places;
}

/** How tall a stamp is relative to its card's width: beside the card, below it, and beside a card among others. */
const STAMP_SHARE = { beside: 0.62, least: 0.44, among: 0.3 };
/** Between a card and its stamp, as a share of the card's width. A card that comes nearer takes a part of it. */
const STAMP_GAP = 0.1;
/** How far below the top of its card a stamp beside it begins, as a share of the card's width. */
const STAMP_DOWN = 0.06;
/** A card alone gets smaller in such steps until its stamp has room beside it or below it. */
const SMALLER = 0.96;
/** How much of a panel is used, so that nothing touches its edge. */
const USED = 0.97;

/**
 * The largest card whose stamp has room: beside it or, where the card is too wide for that, below its note. The place
 * depends on all labels of the board, not on its own: it does not show the row. (R36, R41)
 */
function placeAlone(light: Spotlit, room: SpotlightRoom, measure: MeasureText): SpotlightPlace {
  const { panel, stamp } = room;
  const centre = panel.x + panel.width / 2;
  for (let sidePx = grid(1, room).sidePx; ; sidePx *= SMALLER) {
    const cardPx = tall(sidePx, room);
    const cell = { width: Math.max(sidePx * 1.12, panel.width * 0.9), height: panel.height * 0.98 - cardPx };
    const free = (panel.width * USED - sidePx) / 2 - sidePx * STAMP_GAP;
    const besidePx = Math.min(sidePx * STAMP_SHARE.beside, free / stamp.widthShare, cardPx);
    const isBeside = besidePx >= Math.min(sidePx * STAMP_SHARE.least, cardPx);
    const belowPx = isBeside ? 0 : sidePx * (STAMP_GAP + STAMP_SHARE.least);
    const plate = plateOf(light, sidePx, { ...cell, height: cell.height - belowPx }, room, measure);
    const height = cardPx + (plate === null ? 0 : plate.gap + plate.height) + belowPx;
    const fits = height <= panel.height * USED && sidePx * STAMP_SHARE.least * stamp.widthShare <= panel.width * USED;
    if (!isBeside && !fits) continue;
    const card = {
      x: centre - sidePx / 2,
      y: panel.y + (panel.height - height) / 2,
      width: sidePx,
      height: cardPx,
    };
    const note = placeNote(plate, centre, card.y + cardPx);
    const foot = note === null ? card.y + cardPx : note.box.y + note.box.height;
    const stampAt = (side: number, box: (width: number) => { readonly x: number; readonly y: number }) =>
      stampIn(light.label, side, room, measure, box);
    const placed = isBeside
      ? stampAt(besidePx, () => ({
          x: card.x + sidePx * (1 + STAMP_GAP),
          y: card.y + Math.min(sidePx * STAMP_DOWN, cardPx - besidePx),
        }))
      : stampAt(sidePx * STAMP_SHARE.least, (width) => ({ x: centre - width / 2, y: foot + sidePx * STAMP_GAP }));
    return { card, note, stamp: placed };
  }
}

/** Cards of one frame, in lines, each with its note below it and its stamp beside it. */
function placeTogether(
  members: readonly number[],
  lights: readonly Spotlit[],
  room: SpotlightRoom,
  measure: MeasureText,
  places: SpotlightPlace[],
): void {
  const { panel } = room;
  const { columns, sidePx } = grid(members.length, room);
  const rows = Math.ceil(members.length / columns);
  const cardPx = tall(sidePx, room);
  const cellWidth = sidePx * sharedCell(room);
  const lineGap = rows > 1 ? sidePx * LINE_GAP : 0;
  const maxPx = (panel.height * 0.98) / rows - cardPx - lineGap;
  const plates = members.map((index) =>
    plateOf(lights[index]!, sidePx, { width: sidePx * 1.12, height: maxPx }, room, measure),
  );
  const cellHeight = cardPx + Math.max(0, ...plates.map((plate) => (plate === null ? 0 : plate.gap + plate.height)));
  const top = panel.y + (panel.height - rows * cellHeight - (rows - 1) * lineGap) / 2;
  const stampPx = Math.min(sidePx * STAMP_SHARE.among, cardPx);
  members.forEach((index, place) => {
    const row = Math.floor(place / columns);
    const inRow = Math.min(columns, members.length - row * columns);
    const left = panel.x + (panel.width - inRow * cellWidth) / 2 + (place % columns) * cellWidth;
    const card = {
      x: left + (sidePx * APART) / 2,
      y: top + row * (cellHeight + lineGap),
      width: sidePx,
      height: cardPx,
    };
    places[index] = {
      card,
      note: placeNote(plates[place]!, card.x + sidePx / 2, card.y + cardPx),
      stamp: stampIn(lights[index]!.label, stampPx, room, measure, () => ({
        x: card.x + sidePx * (1 + STAMP_GAP / 2),
        y: card.y,
      })),
    };
  });
}

/** Between one card's stamp and the next card, as a share of a card's width. */
const APART = 0.14;

/** How wide a card among others is with its stamp, in widths of the card. */
function sharedCell({ stamp }: SpotlightRoom): number {
  return 1 + STAMP_GAP / 2 + STAMP_SHARE.among * stamp.widthShare + APART;
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
      (panel.width * 0.94) / columns / (count > 1 ? sharedCell(room) : 1.12),
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

/** A stamp of that height, inside the panel. */
function stampIn(
  label: string,
  side: number,
  { panel, minTextPx, stamp }: SpotlightRoom,
  measure: MeasureText,
  placed: (width: number) => { readonly x: number; readonly y: number },
): SpotlightPlace['stamp'] {
  const sizePx = Math.max(minTextPx, side * stamp.textShare);
  const block = stampBlock(label, side, sizePx, sizePx, measure);
  if (block === null) return null;
  const width = Math.max(side * stamp.widthShare, block.widthPx + side * STAMP_MARGIN);
  const { x, y } = placed(width);
  const right = panel.x + panel.width;
  return { block, box: { x: Math.max(panel.x, Math.min(x, right - width)), y, width, height: side } };
}
