import type { Seconds } from '../../time.ts';

/** One subtitle of a file. */
export interface Cue {
  /** Line number of its times in the file, from 1. */
  readonly line: number;
  readonly start: Seconds;
  readonly end: Seconds;
  /** Plain text: without tags, entities resolved. */
  readonly text: string;
  readonly place: CuePlace;
}

/** The position that a cue asks for; absent fields are not given. */
export interface CuePlace {
  readonly align?: 'left' | 'center' | 'right';
  /** Percent of the canvas, and which edge of the text lies there. */
  readonly across?: { readonly percent: number; readonly edge: 'left' | 'center' | 'right' };
  readonly down?: { readonly percent: number; readonly edge: 'top' | 'center' | 'bottom' };
  readonly widthPercent?: number;
}

/** An error that makes a file unusable, and its line. */
export interface CueFault {
  readonly line: number;
  readonly code: 'subtitle_file.kind' | 'subtitle_file.times';
  readonly message: string;
}

/** The cues of a file in order, or all of its errors. */
export interface CueReading {
  readonly cues: readonly Cue[];
  readonly faults: readonly CueFault[];
}
