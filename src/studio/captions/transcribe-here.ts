import type { CaptionSegment } from '../../speech/captions/caption-words.ts';
import type { voiceRequest } from '../document/service-requests.ts';
import { type SpeechFiles, startWorker, studioConfig } from '../kit/assets.ts';
import { mediaFile } from '../media/media-store.ts';
import { mediaFacts } from '../session/session.ts';
import * as texts from '../texts/en/captions.ts';
import type { CaptionsOrder, CaptionsReply } from './device-captions.ts';

type Voice = NonNullable<ReturnType<typeof voiceRequest>>;

/** What a transcription has found. */
export interface FoundWords {
  readonly segments: readonly CaptionSegment[];
  /** Whether the speech may be in a language that the model does not know. */
  readonly isUnclear: boolean;
}

/** Why there are no captions, in words for a person. */
export class CaptionsFault extends Error {}

/** Transcribes a voice in this browser, by the model beside the page. @throws CaptionsFault, or the reason of the signal. */
export async function transcribeHere(
  { media, ...documents }: Voice,
  model: SpeechFiles,
  aborted: AbortSignal,
  onStep: (step: 'loading' | 'transcribing', share: number) => void,
): Promise<FoundWords> {
  const files = new Map<string, Blob>();
  for (const { media: hash } of Object.values(media)) {
    const file = await mediaFile(hash);
    if (file === null) throw new CaptionsFault(texts.missing);
    files.set(hash, file);
  }
  aborted.throwIfAborted();
  const { presets, limits } = studioConfig;
  const order: CaptionsOrder = {
    ...{ documents, files, presets, limits },
    facts: new Map([...mediaFacts.value].filter(([field]) => field in media)),
    model: { ...model, files: absolute(model.files) },
  };
  const worker = startWorker('captions-worker');
  const { promise, resolve, reject } = Promise.withResolvers<FoundWords>();
  const stop = () => reject(aborted.reason);
  aborted.addEventListener('abort', stop);
  worker.onerror = ({ message }) => reject(new CaptionsFault(texts.hereFaults.other(message)));
  worker.onmessage = ({ data }: MessageEvent<CaptionsReply>) => {
    if ('step' in data) onStep(data.step, data.share);
    else if ('fault' in data) reject(new CaptionsFault(texts.hereFaults[data.fault](data.detail)));
    else resolve({ segments: data.transcript.segments, isUnclear: data.isUnclear });
  };
  worker.postMessage(order);
  return promise.finally(() => {
    worker.terminate();
    aborted.removeEventListener('abort', stop);
  });
}

/** A worker resolves addresses against its own. */
function absolute(files: SpeechFiles['files']): SpeechFiles['files'] {
  const made = Object.entries(files).map(([name, address]) => [name, new URL(address, document.baseURI).href]);
  return Object.fromEntries(made) as SpeechFiles['files'];
}
