import type { ThemeLook } from './theme-look.ts';

/** Light from above, soft shapes, a dim ground in two colours. */
export const MIDNIGHT: ThemeLook = {
  palette: {
    panel: '#151823',
    lane: '#20242f',
    line: '#353a48',
    text: '#ffffff',
    card: '#2b3040',
    panelOpacity: 1,
    corner: 0.5,
    accent: '#c9d4ff',
    rows: ['#ff6b6b', '#ff9f5a', '#ffd15c', '#58d68d', '#4aa8ff', '#9b7bff', '#ff7ac6', '#3fd0c9'],
  },
  fonts: {
    display: { family: 'Inter', weight: 900 },
    strong: { family: 'Inter', weight: 700 },
    text: { family: 'Inter', weight: 500 },
  },
  ground: {
    color: '#0c0e16',
    parts: [
      { draw: 'light', at: [0.2, 0], reach: [0.9, 1.2], ink: '#33406b', alpha: 0.95 },
      { draw: 'light', at: [0.9, 1], reach: [0.8, 1], ink: '#4b2350', alpha: 0.9 },
    ],
  },
  board: {
    panel: {
      fill: { top: ['panel', 'white', 0.05], foot: ['panel', 'black', 0.22] },
      edges: [{ ink: ['line', 'white', 0.1], em: 0.07, alpha: 0.8 }],
    },
    title: { ink: 'text' },
    head: null,
    row: { fill: 'lane', edges: [{ ink: 'white', em: 0.07, alpha: 0.05 }] },
    label: {
      plate: { fill: { top: ['row', 'white', 0.2], foot: ['row', 'black', 0.12] } },
      letters: { ink: 'onRow' },
    },
    divider: null,
  },
  card: {
    plate: { fill: 'card', edges: [{ ink: ['card', 'white', 0.5], em: 0.004, alpha: 0.28 }] },
    name: { ink: 'text' },
    blank: { tint: 0.18, shade: 1 },
    mat: 0,
    tape: null,
    turn: { board: 0, held: 0 },
    glow: 0.9,
    shadow: 1,
  },
  stamp: {
    plate: {
      fill: { top: ['row', 'white', 0.22], foot: ['row', 'black', 0.06] },
      round: 0.17,
      edges: [{ ink: 'white', em: 0.05 }],
    },
    letters: { ink: 'onRow' },
    turn: 0,
  },
  note: { plate: { fill: '#0a0b10', alpha: 0.82, round: 0.22 }, letters: { ink: 'white' } },
  titles: {
    card: {
      size: 170,
      letters: { ink: { top: '#ffffff', foot: '#aeb8d6' } },
      sub: { ink: '#aab1c6' },
      subPlate: null,
      align: 'center',
      turn: 0,
      accent: { kind: 'none', ink: 'accent' },
    },
    lowerThird: {
      plate: { fill: '#11141d', alpha: 0.93, round: 0.09 },
      letters: { ink: 'white' },
      sub: { ink: '#c5c9d4' },
      bar: '#ff6b6b',
      turn: 0,
    },
    label: { plate: { fill: '#11141d', alpha: 0.9 }, letters: { ink: 'white' }, sub: { ink: '#c5c9d4' } },
  },
  thumbnail: {
    card: { fill: 'card', edges: [{ ink: ['card', 'white', 0.5], em: 0.006, alpha: 0.3 }] },
    turns: [0],
    verdict: {
      plate: { fill: { top: ['row', 'white', 0.2], foot: ['row', 'black', 0.06] }, round: 0.16 },
      letters: { ink: 'onRow' },
    },
    align: 'center',
  },
  dim: { color: '#05060a', alpha: 0.78 },
  motion: {
    enter: { from: { scale: 0.84, alpha: 0 }, curve: 'settle', seconds: 0.35 },
    hold: { curve: 'swing', seconds: 0.9, steps: 12 },
    verdict: { from: { scale: 1.7, alpha: 0.6 }, curve: 'fall', seconds: 0.18 },
    land: { from: { scale: 0.95 }, curve: 'settle', seconds: 0.35, echo: 1 },
    leave: { curve: 'swing', seconds: 0.45 },
    titles: { card: 'fade', lower_third: 'slide', label: 'rise' },
    steps: null,
  },
  // A tap as the stamp falls, a soft whoosh to the slot, a low thud.
  sounds: {
    none: [],
    pop: [['thud', 0.5]],
    spotlight: [
      ['stamp', 0.8],
      ['whoosh', 0.4],
      ['thud', 0.5],
    ],
    slam: [['impact', 0.7]],
    move: [
      ['whoosh', 0.4],
      ['thud', 0.4],
    ],
    top: [['ding', 0.45]],
    bottom: [['sad', 0.4]],
  },
  captions: null,
  confetti: { inks: ['row', 'row', ['row', 'white', 0.5], 'white', '#ffd15c'], round: 0.5 },
};
