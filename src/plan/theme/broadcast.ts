import type { ThemeLook } from './theme-look.ts';

const NAVY = '#071226';
const RED = '#e11d48';
const LEAN = 0.176;

/** Slanted plates with a white rule, capitals. */
export const BROADCAST: ThemeLook = {
  palette: {
    panel: '#0d1b33',
    lane: '#0b1d3d',
    line: '#ffffff',
    text: NAVY,
    card: '#ffffff',
    panelOpacity: 0,
    corner: 0,
    accent: RED,
    rows: ['#e11d48', '#ea580c', '#ca8a04', '#15803d', '#1d4ed8', '#475569', '#7e22ce', '#0e7490'],
  },
  fonts: {
    display: { family: 'Oswald', weight: 700 },
    strong: { family: 'Oswald', weight: 600 },
    text: { family: 'Oswald', weight: 500 },
  },
  ground: {
    color: NAVY,
    parts: [
      { draw: 'plane', from: 0.42, slant: 0.45, ink: '#0d2b5c' },
      { draw: 'plane', from: 0.66, slant: 0.45, ink: '#123a7a' },
    ],
  },
  board: {
    panel: { fill: 'panel' },
    title: { ink: 'text', capitals: true },
    head: { plate: { fill: 'white', slant: LEAN, edges: [{ ink: 'accent', em: 1, side: 'left' }] }, inset: 1.9 },
    row: { fill: 'lane', slant: LEAN, alpha: 0.95 },
    label: {
      plate: { fill: { top: ['row', 'white', 0.12], foot: ['row', 'black', 0.22] }, slant: LEAN },
      letters: { ink: { legible: 'white', on: ['row', 'black', 0.1] } },
    },
    divider: { ink: 'line', em: 0.35 },
  },
  card: {
    plate: { fill: 'card' },
    name: { ink: 'text', capitals: true },
    blank: { tint: 0.12, shade: 0 },
    mat: 0.03,
    tape: null,
    turn: { board: 0, held: 0 },
    glow: 0,
    shadow: 0.6,
  },
  stamp: {
    plate: { fill: 'row', slant: LEAN, edges: [{ ink: 'white', em: 0.045 }] },
    letters: { ink: { legible: 'white', on: 'row' } },
    turn: 0,
  },
  note: {
    plate: { fill: 'white', slant: LEAN, edges: [{ ink: 'accent', em: 0.35, side: 'left' }] },
    letters: { ink: NAVY, capitals: true },
  },
  titles: {
    card: {
      size: 170,
      letters: { ink: 'white', capitals: true },
      sub: { ink: '#aebbd6', capitals: true },
      subPlate: null,
      align: 'left',
      turn: 0,
      accent: { kind: 'side', ink: RED },
    },
    lowerThird: {
      plate: { fill: 'white', slant: LEAN, edges: [{ ink: RED, em: 0.3, side: 'left' }] },
      letters: { ink: NAVY, capitals: true },
      sub: { ink: '#3d4a63', capitals: true },
      bar: null,
      turn: 0,
    },
    label: {
      plate: { fill: RED, slant: LEAN },
      letters: { ink: 'white', capitals: true },
      sub: { ink: 'white', capitals: true },
    },
  },
  thumbnail: {
    card: { fill: 'white', round: 0, edges: [{ ink: 'white', em: 0.022 }] },
    turns: [0],
    verdict: {
      plate: { fill: { top: ['row', 'white', 0.08], foot: ['row', 'black', 0.14] }, slant: LEAN },
      letters: { ink: { legible: 'white', on: 'row' } },
    },
    align: 'center',
  },
  dim: { color: NAVY, alpha: 0.82 },
  motion: {
    enter: { from: { shown: 0, x: -0.12 }, curve: 'settle', seconds: 0.25 },
    hold: { curve: 'even', seconds: 0.9, steps: 12 },
    verdict: { from: { shown: 0 }, curve: 'settle', seconds: 0.25 },
    land: { from: {}, curve: 'settle', seconds: 0.25, echo: 1 },
    leave: { curve: 'swing', seconds: 0.25 },
    titles: { card: 'wipe', lower_third: 'wipe', label: 'wipe' },
    steps: null,
  },
  // A whoosh on the way in and out, metal for the verdict.
  sounds: {
    none: [],
    pop: [['whoosh', 0.4]],
    spotlight: [
      ['whoosh', 0.3, 'at'],
      ['clang', 0.4],
      ['whoosh', 0.4],
    ],
    slam: [['clang', 0.7, 'lands']],
    move: [
      ['whoosh', 0.4],
      ['stamp', 0.5, 'lands'],
    ],
    top: [['ding', 0.35]],
    bottom: [['impact', 0.5, 'verdict']],
  },
  captions: { font: 'Oswald', capitals: true, highlight: 'pill', highlightColor: RED },
  confetti: { inks: ['row', 'row', 'white', RED, '#9fb6dd'], round: 0 },
};
