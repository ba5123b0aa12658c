import { writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { openEngine } from '../../engine/speech/open-engine.ts';
import { fileSource, mixSource } from '../../engine/speech/speech-source.ts';
import { transcribe } from '../../engine/speech/transcribe.ts';
import type { OperationContext } from '../channel/operation.ts';
import type { RenderOperations } from './render-operations.ts';

const PROGRESS_STEPS = 1000;

/** The child's side of `transcribe`. */
export async function transcribeFile(
  { heard, model, limits, out }: RenderOperations['transcribe']['params'],
  { signal, progress }: OperationContext,
): Promise<null> {
  const source =
    'file' in heard
      ? await fileSource(heard.file, limits, signal)
      : mixSource(heard.audio, new Map(heard.files), limits, signal);
  await using engine = await openEngine(model, dirname(out));
  const transcript = await transcribe(source, engine, signal, (share) => {
    progress({ done: Math.floor(share * PROGRESS_STEPS), total: PROGRESS_STEPS });
  });
  await writeFile(out, JSON.stringify(transcript));
  return null;
}
