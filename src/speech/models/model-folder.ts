import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { CAPTION_MODEL_NAMES, type CaptionModelName, MODEL_FILES } from './caption-models.ts';

/** Where a model is kept. The number goes up when what is kept changes: an older folder is no model then. */
export function modelFolder(modelsDir: string, name: CaptionModelName): string {
  return join(modelsDir, `moonshine-${name}-en-1`);
}

/** The best of the installed models, or the one asked for. A folder appears complete or not at all, so one file stands for all. */
export function installedModel(modelsDir: string, wanted?: CaptionModelName): CaptionModelName | null {
  const isThere = (name: CaptionModelName) => existsSync(join(modelFolder(modelsDir, name), MODEL_FILES.decoder));
  return CAPTION_MODEL_NAMES.find((name) => (wanted === undefined || name === wanted) && isThere(name)) ?? null;
}
