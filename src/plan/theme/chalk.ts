import type { ThemeLook } from './theme-look.ts';

const CHALK = '#f3f6ee';
const BOARD = '#24463a';

/** Outlines on a board with a wooden frame. */
export const CHALK_BOARD: ThemeLook = {
  palette: {
    panel: BOARD,
    lane: '#1f3d33',
    line: CHALK,
    text: CHALK,
    card: CHALK,
    panelOpacity: 0,
    corner: 0.6,
    accent: '#fff3a3',
    rows: ['#ff9aa2', '#ffcc99', '#fff3a3', '#b5ead7', '#a9d3ff', '#d4b8ff', '#ffc2e2', '#c9f2c7'],
  },
  fonts: {
    display: { family: 'Nunito', weight: 900 },
    strong: { family: 'Nunito', weight: 800 },
    text: { family: 'Nunito', weight: 700 },
  },
  ground: {
    color: BOARD,
    parts: [
      { draw: 'light', at: [0.3, 0.3], reach: [0.6, 0.4], ink: '#ffffff', alpha: 0.07 },
      { draw: 'light', at: [0.75, 0.7], reach: [0.5, 0.4], ink: '#ffffff', alpha: 0.05 },
      { draw: 'frame', thick: 0.03, ink: '#8a5a34', lip: '#5e3b20' },
    ],
  },
  board: {
    panel: { fill: 'panel' },
    title: { ink: 'text' },
    head: null,
    row: { fill: 'lane', alpha: 0.85, edges: [{ ink: 'line', em: 0.18, alpha: 0.62 }] },
    label: { plate: {}, letters: { ink: { legible: 'row', on: 'lane' } } },
    divider: { ink: 'line', em: 0.16, alpha: 0.55, dash: [0.55, 0.4] },
  },
  card: {
    plate: { fill: 'card' },
    name: { ink: BOARD },
    blank: { tint: 0.14, shade: 0 },
    mat: 0.03,
    tape: null,
    turn: { board: 0, held: 0 },
    glow: 0.35,
    shadow: 0.3,
  },
  stamp: {
    plate: {
      round: 0.5,
      edges: [
        { ink: { legible: 'row', on: 'panel' }, em: 0.04 },
        { ink: { legible: 'row', on: 'panel' }, em: 0.016, inset: 0.055, alpha: 0.6 },
      ],
    },
    letters: { ink: { legible: 'row', on: 'panel' } },
    turn: -8,
  },
  note: { plate: { fill: BOARD, round: 0.2, edges: [{ ink: CHALK, em: 0.1, alpha: 0.7 }] }, letters: { ink: CHALK } },
  titles: {
    card: {
      size: 170,
      letters: { ink: CHALK },
      sub: { ink: '#d5ded3' },
      subPlate: null,
      align: 'center',
      turn: 0,
      accent: { kind: 'underline', ink: '#fff3a3' },
    },
    lowerThird: {
      plate: { fill: BOARD, alpha: 0.86, round: 0.06, edges: [{ ink: '#fff3a3', em: 0.09, side: 'bottom' }] },
      letters: { ink: CHALK },
      sub: { ink: '#d5ded3' },
      bar: null,
      turn: 0,
    },
    label: {
      plate: { fill: BOARD, alpha: 0.9, round: 0.2, edges: [{ ink: CHALK, em: 0.05, alpha: 0.7 }] },
      letters: { ink: CHALK },
      sub: { ink: '#d5ded3' },
    },
  },
  thumbnail: {
    card: { fill: 'card', edges: [{ ink: CHALK, em: 0.02 }] },
    turns: [0],
    verdict: {
      plate: { round: 0.5, edges: [{ ink: { legible: 'row', on: 'panel' }, em: 0.06 }] },
      letters: { ink: { legible: 'row', on: 'panel' } },
    },
    align: 'center',
  },
  dim: { color: '#1a342b', alpha: 0.84 },
  motion: {
    enter: { from: { shown: 0 }, curve: 'even', seconds: 0.4 },
    hold: { curve: 'swing', seconds: 0.9, steps: 12 },
    verdict: { from: { shown: 0 }, curve: 'even', seconds: 0.3 },
    land: { from: {}, curve: 'settle', seconds: 0.3, echo: 0.6 },
    leave: { curve: 'swing', seconds: 0.45 },
    titles: { card: 'wipe', lower_third: 'wipe', label: 'wipe' },
    steps: null,
  },
  // Taps of chalk, and a line for the circle around the verdict.
  sounds: {
    none: [],
    pop: [['chalk', 0.6, 'lands']],
    spotlight: [
      ['chalk', 0.5, 'at'],
      ['scratch', 0.5],
      ['chalk', 0.7, 'lands'],
    ],
    slam: [['chalk', 1, 'lands']],
    move: [['chalk', 0.5, 'lands']],
    top: [['ding', 0.4]],
    bottom: [['scratch', 0.7, 'lands']],
  },
  captions: { font: 'Nunito', capitals: false, highlight: 'color', highlightColor: '#fff3a3' },
  confetti: { inks: ['row', 'row', CHALK, ['row', 'white', 0.5], '#fff3a3'], round: 0.8 },
};
