import type { ThemeLook } from './theme-look.ts';

const ACCENT = '#ff3b00';

/** Black on white, hairlines, one accent. */
export const MONO: ThemeLook = {
  palette: {
    panel: '#ffffff',
    lane: '#ffffff',
    line: '#000000',
    text: '#000000',
    card: '#f0f0f0',
    panelOpacity: 1,
    corner: 0,
    accent: '#000000',
    rows: ['#111111', '#333333', '#555555', '#777777', '#999999', '#bbbbbb', '#222222', '#444444'],
  },
  fonts: {
    display: { family: 'Inter', weight: 900 },
    strong: { family: 'Inter', weight: 700 },
    text: { family: 'Inter', weight: 500 },
  },
  ground: { color: '#ffffff', parts: [] },
  board: {
    panel: { fill: 'panel' },
    title: { ink: 'text' },
    head: null,
    row: { edges: [{ ink: 'line', em: 0.13, side: 'top' }] },
    label: { plate: {}, letters: { ink: 'text' } },
    divider: null,
  },
  card: {
    plate: { fill: 'card' },
    name: { ink: 'text' },
    blank: { tint: 0, shade: 0 },
    mat: 0,
    tape: null,
    turn: { board: 0, held: 0 },
    glow: 0,
    shadow: 0,
  },
  stamp: { plate: { fill: ACCENT }, letters: { ink: 'white' }, turn: 0 },
  note: { plate: { fill: 'white', edges: [{ ink: 'black', em: 0.12, side: 'top' }] }, letters: { ink: 'black' } },
  titles: {
    card: {
      size: 220,
      letters: { ink: 'black' },
      sub: { ink: '#555555' },
      subPlate: null,
      align: 'left',
      turn: 0,
      accent: { kind: 'none', ink: ACCENT },
    },
    lowerThird: {
      plate: { fill: 'white', edges: [{ ink: 'black', em: 0.09, side: 'top' }] },
      letters: { ink: 'black' },
      sub: { ink: '#444444' },
      bar: null,
      turn: 0,
    },
    label: {
      plate: { fill: ACCENT },
      letters: { ink: 'white' },
      sub: { ink: 'white' },
    },
  },
  thumbnail: {
    card: { fill: 'card' },
    turns: [0],
    verdict: { plate: { fill: ACCENT }, letters: { ink: 'white' } },
    align: 'left',
  },
  dim: { color: '#ffffff', alpha: 0.94 },
  motion: {
    enter: { from: {}, curve: 'even', seconds: 0 },
    hold: { curve: 'even', seconds: 0.9, steps: 2 },
    verdict: { from: {}, curve: 'even', seconds: 0 },
    land: { from: {}, curve: 'even', seconds: 0, echo: 0 },
    leave: { curve: 'even', seconds: 0 },
    titles: { card: 'none', lower_third: 'none', label: 'none' },
    steps: null,
  },
  // A click.
  sounds: {
    none: [],
    pop: [['click', 0.5, 'at']],
    spotlight: [
      ['click', 0.35, 'at'],
      ['click', 0.8],
    ],
    slam: [['click', 1, 'lands']],
    move: [['click', 0.5, 'lands']],
    top: [['click', 0.6, 'lands']],
    bottom: [['stamp', 0.5]],
  },
  captions: { font: 'Inter', capitals: false, highlight: 'pill', highlightColor: ACCENT },
  confetti: { inks: [ACCENT, 'black', 'black', '#888888'], round: 0 },
};
