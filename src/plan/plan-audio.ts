import { type Samples, type Seconds, sampleAt, sampleAtFrame, sampleRange, speedMillionths } from '../time.ts';
import type { SourceEntry } from '../timeline/export-request.ts';
import type { PlacedVideo } from './place/place-clips.ts';
import type { PlanContext } from './place/plan-context.ts';
import { type PlayedWindow, playedWindow } from './place/source-window.ts';
import type { AudioClip } from './render-plan.ts';

/** A sound-only entry, placed. */
export interface PlacedSound {
  readonly entry: SourceEntry;
  readonly lane: 'audios' | 'soundtracks';
  readonly loop: boolean;
  readonly played: PlayedWindow;
}

/** Places the entries that only sound. One without sound is silent, with a warning; it keeps its place. (C19) */
export function placeSounds({ request, media, issues }: PlanContext): PlacedSound[] {
  const { audios, soundtracks } = request.timeline;
  const all = [
    ...audios.map((entry) => ({ entry, lane: 'audios' as const, loop: false })),
    ...soundtracks.map((entry) => ({ entry, lane: 'soundtracks' as const, loop: entry.loop })),
  ];
  const placed: PlacedSound[] = [];
  for (const { entry, lane, loop } of all) {
    const facts = media.facts(entry.media);
    if (facts.kind === 'unreadable' || facts.kind === 'font') {
      issues.error(
        entry.media.path,
        'media.unreadable',
        'The file holds nothing that can be decoded; a sound was expected.',
      );
      continue;
    }
    if (!facts.sound) issues.warn(entry.media.path, 'media.no_sound', 'The file has no sound; the entry is silent.');
    const played = playedWindow(entry, facts, { settings: request.settings, issues, endless: loop || !facts.sound });
    if (played !== undefined) placed.push({ entry, lane, loop, played });
  }
  return placed;
}

/**
 * Every sound in its slot, cut off where the video ends. A clip's own sound goes with its picture, to the frame; what
 * only sounds is placed to the sample. (R15)
 */
export function audioClips(
  videos: readonly PlacedVideo[],
  sounds: readonly PlacedSound[],
  tiles: readonly AudioClip[],
  totalSamples: Samples,
  context: PlanContext,
): AudioClip[] {
  const { rate, media } = context;
  const heard: Heard[] = [
    ...videos.map(({ entry, played, shows }): Heard => {
      const slot = { start: sampleAtFrame(shows.start, rate), end: sampleAtFrame(shows.end, rate) };
      return { entry, played, slot, lane: 'videos', loop: false };
    }),
    ...sounds.map(({ entry, played, lane, loop }): Heard => {
      return { entry, played, slot: sampleRange(entry.start, played.end), lane, loop };
    }),
  ];
  const clips: AudioClip[] = [];
  for (const { entry, played, slot, lane, loop } of heard) {
    const end = Math.min(slot.end, totalSamples) as Samples;
    if (!media.facts(entry.media).sound || entry.gain === 0 || end <= slot.start) continue;
    clips.push({
      id: entry.id,
      path: entry.path,
      lane,
      source: media.use(entry.media),
      slot: { start: slot.start, end },
      window: played.window,
      speed: speedMillionths(entry.speed),
      gain: entry.gain,
      loop,
      ...fadeSamples(entry, end - slot.start),
    });
  }
  for (const clip of tiles) {
    const end = Math.min(clip.slot.end, totalSamples) as Samples;
    if (end > clip.slot.start) clips.push({ ...clip, slot: { start: clip.slot.start, end } });
  }
  return clips.sort((a, b) => a.slot.start - b.slot.start);
}

interface Heard {
  readonly entry: SourceEntry;
  readonly played: PlayedWindow;
  readonly slot: AudioClip['slot'];
  readonly lane: AudioClip['lane'];
  readonly loop: boolean;
}

/** Two fades share a short slot without crossing, as they do in the picture. */
function fadeSamples(
  { fadeIn, fadeOut }: { fadeIn: Seconds; fadeOut: Seconds },
  length: number,
): { fadeIn: Samples; fadeOut: Samples } {
  const first = Math.min(sampleAt(fadeIn), length) as Samples;
  return { fadeIn: first, fadeOut: Math.min(sampleAt(fadeOut), length - first) as Samples };
}
