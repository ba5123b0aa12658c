import type { ThemeLook } from './theme-look.ts';

const INK = '#2a2118';

/** Photographs with tape on paper, a stamp of ink. */
export const PAPER: ThemeLook = {
  palette: {
    panel: '#f8f2e4',
    lane: '#f8f2e4',
    line: '#b9a57f',
    text: INK,
    card: '#fffdf6',
    panelOpacity: 1,
    corner: 0.15,
    accent: '#d1495b',
    rows: ['#d1495b', '#e07a3f', '#e3b23c', '#6a994e', '#3d7ea6', '#7d5a9b', '#b5618a', '#3f8f86'],
  },
  fonts: {
    display: { family: 'Playfair Display', weight: 900 },
    strong: { family: 'Playfair Display', weight: 700 },
    text: { family: 'Playfair Display', weight: 700 },
  },
  ground: {
    color: '#d9c7a6',
    parts: [
      { draw: 'lines', way: 'across', from: 0, every: 0.014, thick: 0.0056, ink: '#8a6a45', alpha: 0.035 },
      { draw: 'vignette', ink: '#6b4a2b', alpha: 0.34 },
    ],
  },
  board: {
    panel: {
      fill: { top: 'panel', foot: ['panel', '#e6d8bb', 0.5] },
      edges: [{ ink: 'line', em: 0.07, alpha: 0.7 }],
      drop: { ink: '#a68c62', x: 0, y: 0.3 },
    },
    title: { ink: 'text' },
    head: { plate: { edges: [{ ink: 'text', em: 0.14, side: 'bottom' }] }, inset: 0 },
    row: { edges: [{ ink: 'line', em: 0.08, side: 'bottom' }] },
    label: { plate: {}, letters: { ink: { legible: 'row', on: 'panel' } } },
    divider: null,
  },
  card: {
    plate: {
      fill: 'card',
      round: 0.01,
      edges: [{ ink: ['card', 'text', 0.4], em: 0.004, alpha: 0.5 }],
      drop: { ink: '#cdbb97', x: 0.008, y: 0.03 },
    },
    name: { ink: 'text' },
    blank: { tint: 0.1, shade: 0.4 },
    mat: 0.045,
    tape: '#e9d9a6',
    turn: { board: 2, held: 2 },
    glow: 0,
    shadow: 0.45,
  },
  stamp: {
    plate: {
      round: 0.5,
      edges: [
        { ink: { legible: 'row', on: 'panel' }, em: 0.035, alpha: 0.9 },
        { ink: { legible: 'row', on: 'panel' }, em: 0.02, alpha: 0.9, inset: 0.065 },
      ],
    },
    letters: { ink: { legible: 'row', on: 'panel' } },
    turn: 14,
  },
  note: {
    plate: {
      fill: 'card',
      round: 0,
      edges: [{ ink: 'accent', em: 0.12, side: 'bottom' }],
      drop: { ink: '#bfa87c', x: 0, y: 0.14 },
    },
    letters: { ink: 'text' },
  },
  titles: {
    card: {
      size: 175,
      letters: { ink: INK },
      sub: { ink: '#5b4d3c' },
      subPlate: null,
      align: 'center',
      turn: 0,
      accent: { kind: 'rule', ink: '#d1495b' },
    },
    lowerThird: {
      plate: {
        fill: '#fffdf6',
        round: 0,
        edges: [{ ink: '#d1495b', em: 0.09, side: 'bottom' }],
        drop: { ink: '#bfa87c', x: 0, y: 0.1 },
      },
      letters: { ink: INK },
      sub: { ink: '#5b4d3c' },
      bar: null,
      turn: -1,
    },
    label: {
      plate: { fill: '#fffdf6', round: 0, edges: [{ ink: '#b9a57f', em: 0.04 }] },
      letters: { ink: INK },
      sub: { ink: '#5b4d3c' },
    },
  },
  thumbnail: {
    card: {
      fill: 'card',
      round: 0.01,
      edges: [{ ink: ['card', 'text', 0.4], em: 0.004, alpha: 0.5 }],
      drop: { ink: '#bfa87c', x: 0.01, y: 0.03 },
    },
    turns: [-2.5, 1.5, 2.5],
    verdict: {
      plate: { round: 0.5, edges: [{ ink: { legible: 'row', on: 'panel' }, em: 0.06 }] },
      letters: { ink: { legible: 'row', on: 'panel' } },
    },
    align: 'center',
  },
  dim: { color: '#cdb98f', alpha: 0.84 },
  motion: {
    enter: { from: { x: 0.5, y: 0.4, alpha: 0 }, curve: 'settle', seconds: 0.4 },
    hold: { curve: 'swing', seconds: 0.9, steps: 12 },
    verdict: { from: { scale: 1.5, alpha: 0.4 }, curve: 'fall', seconds: 0.18 },
    land: { from: { scale: 1.04 }, curve: 'settle', seconds: 0.4, echo: 0.5 },
    leave: { curve: 'settle', seconds: 0.45 },
    titles: { card: 'fade', lower_third: 'slide', label: 'rise' },
    steps: null,
  },
  // A sheet rustles in and out; a stamp.
  sounds: {
    none: [],
    pop: [['rustle', 0.4]],
    spotlight: [
      ['rustle', 0.4],
      ['stamp', 0.8],
      ['rustle', 0.35, 'takeOff'],
    ],
    slam: [
      ['rustle', 0.3],
      ['stamp', 0.9],
    ],
    move: [['rustle', 0.4]],
    top: [['ding', 0.35]],
    bottom: [['sad', 0.35]],
  },
  captions: { font: 'Playfair Display', capitals: false, highlight: 'color', highlightColor: '#ffb1a3' },
  confetti: {
    inks: [['row', 'text', 0.12], ['row', 'text', 0.12], ['row', 'text', 0.45], '#d8a93f', '#3a867e'],
    round: 0.05,
  },
};
