/** Small parts that load after the page is there: the field for a list, notices, problems, the edges of panes, and boxes on the canvas. */
export const pasteListMore =
  'Each name becomes an item. A table needs a column “name”; “row”, “score” and “picture” are optional.';
export const namesOrTable = 'Names or a table';
export const namesExample = 'Pizza\nTacos\nSushi';
export const addItems = 'Add items';

export const problems = (count: number) => (count === 1 ? '1 error' : `${count} errors`);
export const warnings = (count: number) => (count === 1 ? '1 warning' : `${count} warnings`);

export const looksChanged =
  'An earlier version of Tiercut saved this project. The project has not changed, but its video looks different in places.';
export const gotIt = 'Got it';
export const whatIsDifferent = 'What changed';
export const changedLooks = [
  'The rows of the board are in one column. To have them side by side again, choose Video settings, Board, Rows: Automatic.',
  'A clip that covers at most half of the picture, such as a facecam, is in front of the board.',
  'The pool is shown while it has cards. It closes when its last card leaves.',
  'The counter counts cards when they land in a row. It does not count the pool.',
  'A spotlight holds its card up and stamps the verdict beside it. The stamp stays with the card until it lands. Spotlights close to each other are shorter. A card without room for a spotlight pops in.',
  'All row labels have the same size. Names under cards can have two lines.',
  'Stamps, cards and labels follow the theme.',
  'Subtitles that are shown for a short time cover the board, on a dark background. The board no longer shrinks for them.',
  'In portrait, the board fills the area that players leave free.',
];

export const paneEdges = {
  media: 'Width of the media',
  details: 'Width of the details',
  board: 'Width of the board',
  timeline: 'Height of the timeline',
};
export const paneEdgeHint = (edge: string) => `${edge}: drag, or use the arrow keys. A double-click resets it.`;

export const position = 'Position';
export const theBoard = 'the board';
export const quoted = (text: string) => `“${text}”`;
export const allFormats = 'All formats';
export const formatOnly = (format: string) => `${format} only`;
export const placeOf = (name: string, format: string) => `Position of ${name} in ${format.toLowerCase()}`;
export const moveBox = (name: string) => `Move ${name}`;
export const sizeOfBox = (name: string) => `Size of ${name}`;
export const boxKeys = (formats: string) => `${formats}. Arrow keys change it by 1 %, with Shift by 5 %.`;
export const boxAt = (x: string, y: string, width: string, height: string) =>
  `${x} from the left, ${y} from the top, ${width} wide, ${height} high`;
export const moveOnCanvas = 'Move on the canvas';
export const resizeOnCanvas = 'Resize on the canvas';

/** Layouts: the places of camera and board. */
export const layout = 'Layout';
export const pointAtLayout = 'Point at one to see it in the preview.';
export const layoutOf = (name: string) => `Layout: ${name}`;
export const byHand = 'Custom';
