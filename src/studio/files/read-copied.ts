import '../kit/no-eval.ts';
import type { Copied } from '../document/copy-paste.ts';
import { readProjectText } from '../document/project-text.ts';
import { studioConfig } from '../kit/assets.ts';

/** Reads a clipboard text of ours; null if it is damaged. */
export function readCopied(text: string): Copied | null {
  try {
    return readProjectText(text, studioConfig.limits).project;
  } catch {
    return null;
  }
}
