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
import type { NoSpeech, SpeechReply } from './speech-worker.ts';

/** The usual shortest pause, and what stays of it beside speech. (C78) */
export const USUAL_PAUSES = { minPause: 0.4, padding: 0.1 };

export interface PausesOfFile {
  readonly pauses: readonly Range<Seconds>[];
  /** Why there is nothing to cut; null if there may be. */
  readonly fault: string | null;
  /** Whether nobody has looked: this browser cannot, and the service was not asked. */
  readonly isUnknown: boolean;
}

interface Search {
  /** `send`: the service may get the file if this browser cannot find the pauses. */
  readonly may: 'here' | 'send';
  readonly signal: AbortSignal;
}

/** The share of the file that is being analysed; null if none is. */
export const speechProgress = signal<number | null>(null);

/** The speech of files by their hashes: another length of pauses needs no new analysis. */
const known = new Map<string, FoundSpeech | NoSpeech>();

/** The pauses in the speech of a file. The browser finds them, or else the service if it may. (C78) */
export async function findPauses(
  { hash, name }: Pick<MediaEntry, 'hash' | 'name'>,
  wanted: { readonly minPause: Seconds; readonly padding: Seconds },
  { may, signal }: Search,
): Promise<PausesOfFile> {
  const none = (fault: string): PausesOfFile => ({ pauses: [], fault, isUnknown: false });
  const file = await mediaFile(hash);
  if (file === null) return none(texts.missingFile(name));
  const found = known.get(hash) ?? (await speechIn(file, signal));
  signal.throwIfAborted();
  // What did not load may load the next time.
  if (found !== 'not_loaded') known.set(hash, found);
  if (found === 'silent') return none(page.noSound(name));
  if (typeof found !== 'string') {
    if (found.speech.length === 0) return none(texts.noVoice(name));
    return { pauses: pausesBetween(found.speech, found.duration, wanted), fault: null, isUnknown: false };
  }
  if (may === 'here') return { pauses: [], fault: texts.notHeard[found](name), isUnknown: true };
  try {
    await uploadMedia(hash, file, { signal });
    const { pauses, speech } = await service.pauses(hash, { ...wanted, signal });
    return speech.length === 0 ? none(texts.noVoice(name)) : { pauses, fault: null, isUnknown: false };
  } catch (error) {
    if (!(error instanceof TiercutError)) throw error;
    return none(error.code === 'pauses.no_sound' ? page.noSound(name) : error.message);
  }
}

/** @throws the signal's reason. */
function speechIn(file: Blob, aborted: AbortSignal): Promise<FoundSpeech | NoSpeech> {
  const worker = startWorker('speech-worker');
  const { promise, resolve, reject } = Promise.withResolvers<FoundSpeech | NoSpeech>();
  const stop = () => reject(aborted.reason);
  aborted.addEventListener('abort', stop);
  worker.addEventListener('error', () => resolve('not_loaded'));
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
