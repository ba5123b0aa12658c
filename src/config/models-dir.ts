import { join, resolve } from 'node:path';
import type { Config } from './config.ts';

/** The folder of speech models. */
export function modelsDirOf({ modelsDir, dataDir }: Pick<Config, 'modelsDir' | 'dataDir'>): string {
  return resolve(modelsDir ?? join(dataDir, 'models'));
}
