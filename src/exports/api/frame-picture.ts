import type { Issue } from '../../errors.ts';
import type { Submission } from './submission.ts';

/** The picture formats of a frame. */
export type FrameFormat = 'png' | 'jpeg' | 'webp';

/** A request for one frame; the texts say which frame and which preset. The caller removes the files. (C39) */
export interface FrameRequest extends Pick<Submission, 'tenant' | 'texts' | 'uploads'> {
  readonly format: FrameFormat;
}

/** One frame of a video, as a picture. */
export interface FramePicture {
  readonly bytes: Buffer;
  readonly width: number;
  readonly height: number;
  readonly frame: number;
  readonly totalFrames: number;
  /** When it is shown. */
  readonly seconds: number;
  readonly warnings: readonly Issue[];
}
