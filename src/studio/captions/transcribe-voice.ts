import { signal } from '@preact/signals';
import { TiercutError } from '../../../packages/client/src/client.ts';
import type { Seconds } from '../../time.ts';
import { putCaptions } from '../document/caption-lines.ts';
import type { Entry } from '../document/entries.ts';
import type { TimelineData } from '../document/project.ts';
import type { EntryRef } from '../document/selection.ts';
import { voiceRequest } from '../document/service-requests.ts';
import { keepFocus } from '../keys/move-focus.ts';
import { announce } from '../kit/messages.ts';
import { mediaFile } from '../media/media-store.ts';
import { putTimeline } from '../session/edit-timeline.ts';
import { remembered } from '../session/remembered.ts';
import { service, uploadMedia } from '../session/service.ts';
import { edit, project, timelineData } from '../session/session.ts';
import * as texts from '../texts/en/captions.ts';

/** The progress of a transcription; null if none is running. */
export const transcribing = signal<{ readonly progress: number | null; readonly cancel: () => void } | null>(null);
/** Why there are no captions; null if there is no error. */
export const captionsFault = signal<string | null>(null);

/** The service detects the language or uses that of its model. */
export const AUTOMATIC = 'auto';
/** The language of the speech: an ISO 639 code, or automatic. */
export const captionsLanguage = remembered('tiercut-captions-language', AUTOMATIC, (kept) =>
  typeof kept === 'string' && /^[a-z]{2,3}$/.test(kept) ? kept : null,
);

/** Transcribes the voice and puts the captions on the timeline, as one step. (C77) */
export async function transcribeVoice(only: EntryRef | null): Promise<void> {
  const request = voiceRequest(project.value, only);
  captionsFault.value = null;
  if (request === null) {
    captionsFault.value = texts.none;
    return;
  }
  const ended = new AbortController();
  const { signal: aborted } = ended;
  const cancel = () => ended.abort();
  // The button that was pressed gives way to Cancel, and that to the lines.
  keepFocus('.captions-run .bt');
  transcribing.value = { progress: null, cancel };
  announce(texts.sending);
  try {
    for (const { media } of Object.values(request.media)) {
      const file = await mediaFile(media);
      if (file === null) throw new TiercutError('client.usage', texts.missing);
      await uploadMedia(media, file, { signal: aborted });
    }
    const { segments = [] } = await service.transcribe(request, {
      signal: aborted,
      language: captionsLanguage.value,
      onTranscribed: (progress) => {
        transcribing.value = { progress, cancel };
      },
    });
    if (segments.length === 0) captionsFault.value = texts.silent;
    else {
      const { start, end } = spanOf(request.timeline_data, only);
      edit(texts.start, (draft) => {
        const before = timelineData.value;
        putTimeline(draft, before, putCaptions(before, segments, { start, end }));
        // Unless a person chose another look: the usual one is stored as none. (R44)
        if (before.subtitles.length === 0) draft.settings.subtitle_style ??= 'pop';
      });
      announce(texts.linesMade(segments.length));
    }
  } catch (error) {
    if (!aborted.aborted) captionsFault.value = faultWords(error);
  } finally {
    keepFocus('.captions-word[tabindex="0"]', '.captions-run .bt');
    transcribing.value = null;
  }
}

function faultWords(error: unknown): string {
  if (!(error instanceof TiercutError)) throw error;
  if (error.code === 'captions.no_model') return texts.noModel;
  return error.code === 'captions.no_language' ? texts.noLanguage(captionsLanguage.value) : error.message;
}

/** The transcribed range: everything, or the slot of one entry. */
function spanOf(timeline: TimelineData, only: EntryRef | null): { start: Seconds; end: Seconds } {
  const [entry] = only === null ? [] : (timeline[only.lane] as readonly Entry[]);
  if (entry === undefined) return { start: 0, end: Number.POSITIVE_INFINITY };
  const { start = 0, duration = Number.POSITIVE_INFINITY } = entry;
  return { start, end: start + duration };
}
