import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { CAPTION_MODEL_NAMES, type CaptionModelName, MODEL_FILES } from './caption-models.ts';

/** The folder of a model. The number rises when its content changes: an older folder is then not a valid model. */
export function modelFolder(modelsDir: string, name: CaptionModelName): string {
  return join(modelsDir, `moonshine-${name}-en-1`);
}

/**
 * The best of the installed models, or the requested one. A folder appears complete or not at all, so checking one file
 * is enough.
 */
export function installedModel(modelsDir: string, wanted?: CaptionModelName): CaptionModelName | null {
  const isThere = (name: CaptionModelName) => existsSync(join(modelFolder(modelsDir, name), MODEL_FILES.decoder));
  return CAPTION_MODEL_NAMES.find((name) => (wanted === undefined || name === wanted) && isThere(name)) ?? null;
}
