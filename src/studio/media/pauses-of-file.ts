import { signal } from '@preact/signals';
import { TiercutError } from '../../../packages/client/src/client.ts';
import { type FoundSpeech, pausesBetween } from '../../speech/find-pauses.ts';
import type { Range, Seconds } from '../../time.ts';
import type { MediaEntry } from '../document/project.ts';
import { startWorker } from '../kit/assets.ts';
import { service, uploadMedia } from '../session/service.ts';
import * as page from '../texts/en/page.ts';
import * as texts from '../texts/en/pauses.ts';
import { mediaFile } from './media-store.ts';
import type { SpeechReply } from './speech-worker.ts';

/** The usual shortest pause, and what stays of it beside speech. (C78) */
export const USUAL_PAUSES = { minPause: 0.4, padding: 0.1 };

export interface PausesOfFile {
  readonly pauses: readonly Range<Seconds>[];
  /** Why there is nothing to cut; null if there may be. */
  readonly fault: string | null;
}

/** The share of the file that is being analysed; null if none is. */
export const speechProgress = signal<number | null>(null);

/** The speech of files by their hashes: another length of pauses needs no new analysis. */
const known = new Map<string, FoundSpeech | 'none'>();

/** The pauses in the speech of a file. The browser finds them; the service does if the browser cannot decode the sound. (C78) */
export async function findPauses(
  { hash, name }: Pick<MediaEntry, 'hash' | 'name'>,
  wanted: { readonly minPause: Seconds; readonly padding: Seconds },
  aborted: AbortSignal,
): Promise<PausesOfFile> {
  const file = await mediaFile(hash);
  if (file === null) return { pauses: [], fault: texts.missingFile(name) };
  const found = known.get(hash) ?? (await speechIn(file, aborted));
  aborted.throwIfAborted();
  known.set(hash, found);
  if (found !== 'none') {
    return found.speech.length === 0
      ? { pauses: [], fault: texts.noVoice(name) }
      : { pauses: pausesBetween(found.speech, found.duration, wanted), fault: null };
  }
  try {
    await uploadMedia(hash, file, { signal: aborted });
    const { pauses, speech } = await service.pauses(hash, { ...wanted, signal: aborted });
    return speech.length === 0 ? { pauses: [], fault: texts.noVoice(name) } : { pauses, fault: null };
  } catch (error) {
    if (!(error instanceof TiercutError)) throw error;
    return { pauses: [], fault: error.code === 'pauses.no_sound' ? page.noSound(name) : error.message };
  }
}

/** @throws the signal's reason. */
function speechIn(file: Blob, aborted: AbortSignal): Promise<FoundSpeech | 'none'> {
  const worker = startWorker('speech-worker');
  const { promise, resolve, reject } = Promise.withResolvers<FoundSpeech | 'none'>();
  const stop = () => reject(aborted.reason);
  aborted.addEventListener('abort', stop);
  worker.addEventListener('error', () => resolve('none'));
  worker.addEventListener('message', ({ data }: MessageEvent<SpeechReply>) => {
    if ('found' in data) resolve(data.found);
    else speechProgress.value = data.share;
  });
  worker.postMessage(file);
  if (aborted.aborted) stop();
  return promise.finally(() => {
    worker.terminate();
    aborted.removeEventListener('abort', stop);
    speechProgress.value = null;
  });
}
