import { findSpeech } from '../../engine/speech/find-speech.ts';
import type { OperationContext } from '../channel/operation.ts';
import type { RenderOperations } from './render-operations.ts';

const PROGRESS_STEPS = 1000;

/** The child's side of `find_speech`. */
export function findSpeechFile(
  { file, limits }: RenderOperations['find_speech']['params'],
  { signal, progress }: OperationContext,
): Promise<RenderOperations['find_speech']['result']> {
  return findSpeech(file, limits, signal, (share) => {
    progress({ done: Math.floor(share * PROGRESS_STEPS), total: PROGRESS_STEPS });
  });
}
