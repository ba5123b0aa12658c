import type { ThemeLook } from './theme-look.ts';

const DARK = '#07030f';

/** Tubes of light instead of fills, over a floor with a grid. */
export const NEON: ThemeLook = {
  palette: {
    panel: DARK,
    lane: '#0a051a',
    line: '#3b2a72',
    text: '#f4efff',
    card: '#150a2c',
    panelOpacity: 0.84,
    corner: 0.7,
    accent: '#c9b8ff',
    rows: ['#ff2d78', '#ff8a3d', '#ffe14d', '#3dff9e', '#3dd6ff', '#b14dff', '#ff5cf0', '#8dff3d'],
  },
  fonts: {
    display: { family: 'Montserrat', weight: 800 },
    strong: { family: 'Montserrat', weight: 700 },
    text: { family: 'Montserrat', weight: 600 },
  },
  ground: {
    color: DARK,
    parts: [
      { draw: 'light', at: [0.5, 0.62], reach: [0.8, 0.75], ink: '#5a1694', alpha: 0.9 },
      { draw: 'lines', way: 'down', from: 0, every: 0.089, thick: 0.0028, ink: '#b14dff', alpha: 0.11 },
      { draw: 'floor', horizon: 0.66, ink: '#b14dff', alpha: 0.42 },
    ],
  },
  board: {
    panel: { fill: 'panel' },
    title: { ink: 'text', glow: { ink: '#b14dff', em: 0.45 } },
    head: null,
    row: { fill: 'lane', glow: { ink: { legible: 'row', on: 'lane' }, em: 0.13 } },
    label: {
      plate: { fill: ['lane', 'row', 0.16] },
      letters: { ink: { legible: ['row', 'white', 0.4], on: 'lane' }, glow: { ink: 'row', em: 0.3 } },
    },
    divider: null,
  },
  card: {
    plate: { fill: 'card', edges: [{ ink: 'accent', em: 0.008, alpha: 0.5 }] },
    name: { ink: 'text' },
    blank: { tint: 0.18, shade: 1 },
    mat: 0,
    tape: null,
    turn: { board: 0, held: 0 },
    glow: 1,
    shadow: 0.6,
  },
  stamp: {
    plate: {
      fill: '#0a0314',
      round: 0.5,
      glow: { ink: ['row', 'white', 0.35], em: 0.045 },
    },
    letters: { ink: ['row', 'white', 0.6], glow: { ink: 'row', em: 0.25 } },
    turn: 0,
  },
  note: {
    plate: { fill: '#0a0314', alpha: 0.9, round: 0.28, glow: { ink: 'accent', em: 0.07 } },
    letters: { ink: 'text' },
  },
  titles: {
    card: {
      size: 160,
      letters: { ink: 'white', glow: { ink: '#ff2d78', em: 0.5 } },
      sub: { ink: '#cdbcf0' },
      subPlate: null,
      align: 'center',
      turn: 0,
      accent: { kind: 'none', ink: 'accent' },
    },
    lowerThird: {
      plate: { fill: '#0a0314', alpha: 0.9, round: 0.14, glow: { ink: '#ff5c9a', em: 0.045 } },
      letters: { ink: 'white' },
      sub: { ink: '#cdbcf0' },
      bar: null,
      turn: 0,
    },
    label: {
      plate: { fill: '#0a0314', alpha: 0.9, round: 0.3, glow: { ink: '#3dd6ff', em: 0.045 } },
      letters: { ink: 'white' },
      sub: { ink: '#cdbcf0' },
    },
  },
  thumbnail: {
    card: { fill: 'card', round: 0.06, glow: { ink: '#ff8ad8', em: 0.014 } },
    turns: [0],
    verdict: {
      plate: { fill: '#0a0314', round: 0.18, glow: { ink: ['row', 'white', 0.35], em: 0.04 } },
      letters: { ink: ['row', 'white', 0.6], glow: { ink: 'row', em: 0.3 } },
    },
    align: 'center',
  },
  dim: { color: '#05020b', alpha: 0.86 },
  motion: {
    enter: { from: { alpha: 0 }, curve: 'flicker', seconds: 0.3 },
    hold: { curve: 'swing', seconds: 0.9, steps: 12 },
    verdict: { from: { alpha: 0 }, curve: 'flicker', seconds: 0.3 },
    land: { from: { alpha: 0.4 }, curve: 'settle', seconds: 0.3, echo: 1 },
    leave: { curve: 'swing', seconds: 0.4 },
    titles: { card: 'fade', lower_third: 'flicker', label: 'flicker' },
    steps: null,
  },
  // A tube hums while the verdict is open, then sparks.
  sounds: {
    none: [],
    pop: [['zap', 0.35, 'at']],
    spotlight: [
      ['hum', 0.25],
      ['zap', 0.5],
      ['whoosh', 0.25],
    ],
    slam: [['zap', 0.7, 'lands']],
    move: [['whoosh', 0.3]],
    top: [['ding', 0.45]],
    bottom: [['power_down', 0.5]],
  },
  captions: { font: 'Montserrat', capitals: false, highlight: 'color', highlightColor: '#40f0ff' },
  confetti: { inks: ['row', 'row', ['row', 'white', 0.6], '#40f0ff', '#ff4ecd'], round: 1 },
};
