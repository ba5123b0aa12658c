import { type Entry, withLane } from '../document/timeline/entries.ts';
import { toMicros } from '../document/timeline/slot.ts';
import { later } from '../kit/later.tsx';
import { say } from '../kit/messages.ts';
import { editTimeline } from '../session/timeline.ts';
import * as texts from '../texts/en/page.ts';

const subtitleFiles = later(() => import('../../timeline/subtitle-file/read-subtitle-file.ts'));

/** Adds the cues of an SRT or WebVTT file as subtitles, from a time on. */
export async function addSubtitles(file: Blob & { readonly name?: string }, at: number): Promise<void> {
  const { decodeSubtitleFile, readSubtitleFile } = await subtitleFiles();
  const text = decodeSubtitleFile(new Uint8Array(await file.arrayBuffer()));
  const cues = text === null ? [] : readSubtitleFile(text).cues;
  if (cues.length === 0) {
    say(texts.noSubtitles(file.name ?? texts.theFile), 'bad');
    return;
  }
  const fresh = cues.map((cue) => ({
    text: cue.text,
    start: toMicros(cue.start + at),
    duration: toMicros(Math.max(0.05, cue.end - cue.start)),
  }));
  editTimeline(texts.addSubtitles(fresh.length), (data) =>
    withLane(data, 'subtitles', [...(data.subtitles as readonly Entry[]), ...fresh]),
  );
}
