import type { ThemeLook } from './theme-look.ts';

const INK = '#16102b';

/** Thick lines, hard shadows, turned cards, rays behind. */
export const POP: ThemeLook = {
  palette: {
    panel: '#7b2ff7',
    lane: '#ffffff',
    line: INK,
    text: INK,
    card: '#ffffff',
    panelOpacity: 0,
    corner: 0.8,
    accent: '#ffd500',
    rows: ['#ff2e63', '#ff8a00', '#ffd500', '#18c964', '#00a6ff', '#7b2ff7', '#ff5ccb', '#00c2b2'],
  },
  fonts: {
    display: { family: 'Anton', weight: 400 },
    strong: { family: 'Anton', weight: 400 },
    text: { family: 'Anton', weight: 400 },
  },
  ground: {
    color: '#7b2ff7',
    parts: [{ draw: 'rays', at: [0.5, 1.18], count: 20, ink: '#8f47ff' }],
  },
  board: {
    panel: { fill: 'panel' },
    title: { ink: 'white', capitals: true, outline: { ink: 'text', em: 0.075 } },
    head: null,
    row: { fill: 'lane', edges: [{ ink: 'line', em: 0.28 }], drop: { ink: 'line', x: 0, y: 0.34 } },
    label: {
      plate: { fill: 'row' },
      letters: { ink: 'white', outline: { ink: 'line', em: 0.07 } },
    },
    divider: { ink: 'line', em: 0.28 },
  },
  card: {
    plate: { fill: 'card', edges: [{ ink: 'line', em: 0.027 }], drop: { ink: 'line', x: 0.05, y: 0.05 } },
    name: { ink: 'text' },
    blank: { tint: 0.3, shade: 0 },
    mat: 0,
    tape: null,
    turn: { board: 0, held: 3 },
    glow: 0,
    shadow: 0,
  },
  stamp: {
    plate: { fill: 'row', round: 0.5, edges: [{ ink: 'line', em: 0.06 }], drop: { ink: 'line', x: 0.06, y: 0.06 } },
    letters: { ink: 'white', outline: { ink: 'line', em: 0.07 } },
    turn: 12,
  },
  note: {
    plate: {
      fill: '#ffd500',
      round: 0.2,
      edges: [{ ink: 'line', em: 0.14 }],
      drop: { ink: 'line', x: 0.25, y: 0.25 },
    },
    letters: { ink: 'text' },
  },
  titles: {
    card: {
      size: 205,
      letters: {
        ink: 'white',
        capitals: true,
        outline: { ink: INK, em: 0.065 },
        drops: [{ ink: INK, x: 0.05, y: 0.07 }],
      },
      sub: { ink: INK },
      subPlate: { fill: '#ffd500', round: 0.22 },
      align: 'center',
      turn: -4,
      accent: { kind: 'none', ink: 'accent' },
    },
    lowerThird: {
      plate: {
        fill: '#ffd500',
        round: 0.12,
        edges: [{ ink: INK, em: 0.1 }],
        drop: { ink: INK, x: 0.17, y: 0.17 },
      },
      letters: { ink: INK, capitals: true },
      sub: { ink: INK },
      bar: null,
      turn: 0,
    },
    label: {
      plate: { fill: '#ffffff', round: 0.2, edges: [{ ink: INK, em: 0.1 }], drop: { ink: INK, x: 0.14, y: 0.14 } },
      letters: { ink: INK, capitals: true },
      sub: { ink: INK },
    },
  },
  thumbnail: {
    card: { fill: 'card', edges: [{ ink: 'line', em: 0.028 }], drop: { ink: 'line', x: 0.035, y: 0.035 } },
    turns: [-4, 3, -3],
    verdict: {
      plate: { fill: 'row', round: 0.14, edges: [{ ink: 'line', em: 0.07 }], drop: { ink: 'line', x: 0.06, y: 0.06 } },
      letters: { ink: 'white', outline: { ink: 'line', em: 0.065 } },
    },
    align: 'center',
  },
  dim: { color: '#4a12a8', alpha: 0.85 },
  motion: {
    enter: { from: { scale: 0.3, alpha: 0, squash: -2 }, curve: 'overshoot', seconds: 0.45 },
    hold: { curve: 'swing', seconds: 0.9, steps: 12 },
    verdict: { from: { scale: 0.2, alpha: 0.6 }, curve: 'overshoot', seconds: 0.4 },
    land: { from: { squash: 1.4 }, curve: 'overshoot', seconds: 0.45, echo: 1 },
    leave: { curve: 'swing', seconds: 0.4 },
    titles: { card: 'spring', lower_third: 'spring', label: 'spring' },
    steps: null,
  },
  // A pop, a spring that lands, an audience for the first row.
  sounds: {
    none: [],
    pop: [['pop', 0.5]],
    spotlight: [
      ['pop', 0.5],
      ['stamp', 0.6],
      ['boing', 0.4],
    ],
    slam: [
      ['pop', 0.4],
      ['boing', 0.6],
    ],
    move: [['boing', 0.4]],
    top: [['crowd', 0.6]],
    bottom: [['sad', 0.4]],
  },
  captions: { font: 'Anton', capitals: true, highlight: 'scale', highlightColor: '#ffd500' },
  confetti: { inks: ['row', 'row', '#ffd500', 'white', '#00a6ff'], round: 0.2 },
};
