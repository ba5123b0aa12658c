import type { ThemeLook } from './theme-look.ts';

const CREAM = '#fff1e8';
const YELLOW = '#ffec27';

/** Square shapes with stepped edges and scan lines. */
export const ARCADE: ThemeLook = {
  palette: {
    panel: '#05070f',
    lane: '#1d2b53',
    line: CREAM,
    text: CREAM,
    card: '#000000',
    panelOpacity: 0.86,
    corner: 0,
    accent: '#29adff',
    rows: ['#ff004d', '#ffa300', '#ffec27', '#00e436', '#29adff', '#83769c', '#ff77a8', '#ffccaa'],
  },
  fonts: {
    display: { family: 'Bangers', weight: 400 },
    strong: { family: 'Rubik', weight: 900 },
    text: { family: 'Rubik', weight: 500 },
  },
  ground: {
    color: '#0b0f22',
    parts: [
      { draw: 'light', at: [0.5, 0.5], reach: [0.75, 0.85], ink: '#24366b', alpha: 1 },
      { draw: 'lines', way: 'across', from: 0, every: 0.0139, thick: 0.006, ink: '#000000', alpha: 0.26 },
    ],
  },
  board: {
    panel: { fill: 'panel', step: 0.7, edges: [{ ink: 'line', em: 0.35 }] },
    title: { ink: YELLOW, drops: [{ ink: '#ff004d', x: 0.08, y: 0.08 }] },
    head: null,
    row: { fill: 'lane' },
    label: { plate: { fill: 'row', bevel: 0.34 }, letters: { ink: { legible: 'black', on: 'row' } } },
    divider: null,
  },
  card: {
    plate: { fill: 'card', edges: [{ ink: 'line', em: 0.025 }] },
    name: { ink: 'text' },
    blank: { tint: 0.24, shade: 0 },
    mat: 0,
    tape: null,
    turn: { board: 0, held: 0 },
    glow: 0,
    shadow: 0.4,
  },
  stamp: {
    plate: {
      fill: 'row',
      bevel: 0.08,
      edges: [
        { ink: CREAM, em: 0.045 },
        { ink: 'black', em: 0.03, inset: 0.045 },
      ],
    },
    letters: { ink: { legible: 'black', on: 'row' } },
    turn: 0,
  },
  note: { plate: { fill: 'black', edges: [{ ink: 'accent', em: 0.16 }] }, letters: { ink: YELLOW } },
  titles: {
    card: {
      size: 215,
      letters: {
        ink: YELLOW,
        drops: [
          { ink: '#7e2553', x: 0.12, y: 0.12 },
          { ink: '#ff004d', x: 0.06, y: 0.06 },
        ],
      },
      sub: { ink: '#29adff', capitals: true },
      subPlate: null,
      align: 'center',
      turn: 0,
      accent: { kind: 'none', ink: 'accent' },
    },
    lowerThird: {
      plate: { fill: 'black', edges: [{ ink: '#29adff', em: 0.1 }] },
      letters: { ink: YELLOW },
      sub: { ink: CREAM },
      bar: null,
      turn: 0,
    },
    label: {
      plate: { fill: 'black', edges: [{ ink: YELLOW, em: 0.1 }] },
      letters: { ink: YELLOW },
      sub: { ink: CREAM },
    },
  },
  thumbnail: {
    card: { fill: 'card', round: 0, edges: [{ ink: CREAM, em: 0.02 }] },
    turns: [0],
    verdict: {
      plate: { fill: 'row', round: 0, bevel: 0.08 },
      letters: { ink: { legible: 'black', on: 'row' } },
    },
    align: 'center',
  },
  dim: { color: '#000000', alpha: 0.78 },
  motion: {
    enter: { from: { scale: 0.3 }, curve: 'even', seconds: 0.35 },
    hold: { curve: 'even', seconds: 0.9, steps: 12 },
    verdict: { from: { scale: 1.7 }, curve: 'even', seconds: 0.18 },
    land: { from: { squash: 1 }, curve: 'even', seconds: 0.2, echo: 1 },
    leave: { curve: 'even', seconds: 0.42 },
    titles: { card: 'steps', lower_third: 'steps', label: 'steps' },
    steps: 12,
  },
  // Blips of a games console.
  sounds: {
    none: [],
    pop: [['blip', 0.5]],
    spotlight: [
      ['blip', 0.5],
      ['blip', 0.55, 'verdict'],
      ['blip', 0.4, 'lands'],
    ],
    slam: [
      ['blip', 0.4],
      ['impact', 0.5],
    ],
    move: [['blip', 0.4]],
    top: [['coin', 0.5]],
    bottom: [['game_over', 0.4]],
  },
  captions: { font: 'Bangers', capitals: true, highlight: 'color', highlightColor: YELLOW },
  confetti: { inks: ['row', 'row', YELLOW, CREAM, '#29adff'], round: 0 },
};
