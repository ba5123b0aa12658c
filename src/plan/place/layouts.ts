import type { LayoutName } from '../../timeline/choices.ts';
import type { CanvasShape, PercentBox } from '../../timeline/default-looks.ts';

/** Where each thing stands in a layout, so that none covers another one. In percent of the canvas. (R42) */
export interface Zones {
  readonly board: PercentBox;
  /** null: the layout has no camera. */
  readonly cam: PercentBox | null;
  readonly captions: PercentBox;
  /** For captions while a title is shown in the same band. */
  readonly narrowCaptions: PercentBox;
  readonly lower_third: PercentBox;
  readonly label: PercentBox;
}

type Row = Readonly<Record<'board' | 'cam' | 'captions' | 'lower_third' | 'label', PercentBox>> & {
  /** Board and camera without texts in the band below them. */
  readonly tall: Readonly<Record<'board' | 'cam', PercentBox>>;
};

function box(x: number, y: number, width: number, height: number): PercentBox {
  return { x, y, width, height };
}

function mirrored({ x, width, ...rest }: PercentBox): PercentBox {
  return { ...rest, x: 100 - x - width, width };
}

/** The same with board and camera on the other side; captions stay in the middle. */
function mirror({ board, cam, captions, lower_third, label, tall }: Row): Row {
  return {
    board: mirrored(board),
    cam: mirrored(cam),
    captions,
    lower_third: mirrored(lower_third),
    label: mirrored(label),
    tall: { board: mirrored(tall.board), cam: mirrored(tall.cam) },
  };
}

/** Portrait has no room side by side, and players cover its right edge and its foot. (C21) */
const ABOVE: Row = {
  board: box(6, 31.5, 80, 36),
  cam: box(6, 6, 80, 24),
  captions: box(6, 69, 80, 12),
  lower_third: box(8, 24, 60, 6),
  label: box(6, 1.6, 60, 4.2),
  tall: { board: box(6, 34, 82, 46), cam: box(6, 6, 82, 26) },
};
const RIGHT: Row = {
  board: box(2.2, 4, 63.4, 79),
  cam: box(67.4, 4, 30.4, 79),
  captions: box(10, 85.5, 80, 12),
  lower_third: box(68.4, 69, 28.4, 12),
  label: box(68.4, 6, 28.4, 9),
  tall: { board: box(2.2, 4, 63.4, 92), cam: box(67.4, 4, 30.4, 92) },
};
const RIGHT_SQUARE: Row = {
  board: box(3, 4, 62, 76),
  cam: box(67, 4, 30, 76),
  captions: box(5, 82, 90, 14),
  lower_third: box(68, 67, 28, 11),
  label: box(68, 6, 28, 9),
  tall: { board: box(3, 4, 62, 92), cam: box(67, 4, 30, 92) },
};

const WITH_CAMERA: Readonly<Record<Exclude<LayoutName, 'board'>, Readonly<Record<CanvasShape, Row>>>> = {
  right: { landscape: RIGHT, portrait: ABOVE, square: RIGHT_SQUARE },
  left: { landscape: mirror(RIGHT), portrait: ABOVE, square: mirror(RIGHT_SQUARE) },
  corner: {
    landscape: {
      board: box(2.2, 4, 73, 79),
      cam: box(77, 41, 20.8, 42),
      captions: box(10, 85.5, 80, 12),
      lower_third: box(77, 27, 20.8, 12),
      label: box(77, 4, 20.8, 9),
      tall: { board: box(2.2, 4, 73, 92), cam: box(77, 54, 20.8, 42) },
    },
    portrait: {
      board: box(6, 6, 80, 44),
      cam: box(42, 63.5, 44, 19.5),
      captions: box(6, 52, 80, 10),
      lower_third: box(6, 74, 34, 8),
      label: box(6, 64, 34, 4.5),
      tall: { board: box(6, 8, 82, 48), cam: box(44, 58, 44, 22) },
    },
    square: {
      board: box(3, 4, 94, 54),
      cam: box(60, 60, 37, 22),
      captions: box(5, 84, 90, 13),
      lower_third: box(3, 70, 54, 12),
      label: box(3, 60, 54, 8),
      tall: { board: box(3, 4, 94, 54), cam: box(60, 60, 37, 36) },
    },
  },
  top: {
    landscape: {
      board: box(2.2, 47, 95.6, 37),
      cam: box(28, 3, 44, 42),
      captions: box(10, 85.5, 80, 12),
      lower_third: box(2.2, 32, 24, 12),
      label: box(2.2, 4, 24, 9),
      tall: { board: box(2.2, 50, 95.6, 46), cam: box(28, 3, 44, 44) },
    },
    portrait: {
      board: box(6, 31.5, 80, 36),
      cam: box(0, 0, 100, 30),
      captions: box(6, 69, 80, 12),
      lower_third: box(6, 22, 60, 7),
      label: box(4, 1.3, 32, 4),
      tall: { board: box(6, 34, 82, 46), cam: box(0, 0, 100, 32) },
    },
    square: {
      board: box(3, 39, 94, 42),
      cam: box(15, 3, 70, 34),
      captions: box(5, 83, 90, 13),
      lower_third: box(16, 30.1, 40, 6.8),
      label: box(16, 3.2, 28, 5.8),
      tall: { board: box(3, 45, 94, 52), cam: box(15, 3, 70, 39.4) },
    },
  },
  full: {
    landscape: {
      board: box(2.2, 4, 46, 79),
      cam: box(50, 0, 50, 100),
      captions: box(2.2, 85.5, 95.6, 12),
      lower_third: box(52, 70, 34, 12),
      label: box(52, 5, 34, 9),
      tall: { board: box(2.2, 4, 46, 92), cam: box(50, 0, 50, 100) },
    },
    portrait: {
      board: box(6, 45.5, 80, 24),
      cam: box(0, 0, 100, 44),
      captions: box(6, 71, 80, 11),
      lower_third: box(6, 35, 60, 7.5),
      label: box(4, 2.6, 32, 5.2),
      tall: { board: box(6, 48, 82, 32), cam: box(0, 0, 100, 46) },
    },
    square: {
      board: box(3, 44, 94, 38),
      cam: box(0, 0, 100, 42),
      captions: box(5, 84, 90, 13),
      lower_third: box(3, 32.8, 50, 8.8),
      label: box(3, 1.4, 30, 6),
      tall: { board: box(3, 50, 94, 47), cam: box(0, 0, 100, 48) },
    },
  },
};

/** The texts of a video that a layout places. */
interface ZonedTexts {
  readonly captions: boolean;
  readonly labels: boolean;
  readonly lowerThirds: boolean;
}

/** What is different without some of the texts. */
interface Freed {
  /** The board without any of them, without titles, and without captions. */
  readonly tall: PercentBox;
  readonly untitled?: PercentBox;
  readonly uncaptioned?: PercentBox;
  /** The lower third without labels. */
  readonly wideThird?: PercentBox;
}

/**
 * Without a camera, label, lower third and captions share the band below the board, side by side; in portrait, titles
 * are above the board.
 */
const BOARD_ALONE: Readonly<Record<CanvasShape, Omit<Zones, 'cam'> & Freed>> = {
  landscape: {
    board: box(2.2, 4, 95.6, 79),
    captions: box(10, 85.5, 80, 12),
    narrowCaptions: box(46, 85.5, 51.8, 12),
    label: box(2.2, 85.5, 18, 12),
    lower_third: box(21.5, 85.5, 23, 12),
    tall: box(2.2, 4, 95.6, 92),
    wideThird: box(2.2, 85.5, 42.3, 12),
  },
  portrait: {
    board: box(6, 15, 80, 51),
    captions: box(6, 68, 80, 13),
    narrowCaptions: box(6, 68, 80, 13),
    label: box(6, 2.5, 50, 4),
    lower_third: box(6, 7, 70, 7.5),
    tall: box(6, 8, 82, 72),
    untitled: box(6, 8, 80, 58),
    uncaptioned: box(6, 15, 82, 65),
  },
  square: {
    board: box(3, 3, 94, 75),
    captions: box(5, 80, 90, 17),
    narrowCaptions: box(54, 79.5, 43, 18),
    label: box(3, 81, 21, 14),
    lower_third: box(25, 81, 28, 14),
    tall: box(3, 4, 94, 92),
    wideThird: box(3, 81, 50, 14),
  },
};

/** @param texts those that are shown: without them, others and the board have more room. */
export function zonesOf(layout: LayoutName, shape: CanvasShape, texts: ZonedTexts): Zones {
  const { captions, labels, lowerThirds } = texts;
  if (layout === 'board') {
    const { tall, untitled, uncaptioned, wideThird, ...zones } = BOARD_ALONE[shape];
    const titles = labels || lowerThirds;
    const free = captions ? (titles ? undefined : untitled) : titles ? uncaptioned : tall;
    const third = labels ? undefined : wideThird;
    return { ...zones, board: free ?? zones.board, lower_third: third ?? zones.lower_third, cam: null };
  }
  const { tall, ...zones } = WITH_CAMERA[layout][shape];
  return { ...zones, ...(captions ? {} : tall), narrowCaptions: zones.captions };
}
