import '../kit/no-eval.ts';
import type { Copied } from '../document/clipboard/copied.ts';
import { readProjectText } from '../document/read-project.ts';
import { studioConfig } from '../kit/assets.ts';

/** Reads a clipboard text of ours; null if it is damaged. */
export function readCopied(text: string): Copied | null {
  try {
    return readProjectText(text, studioConfig.limits).project;
  } catch {
    return null;
  }
}
