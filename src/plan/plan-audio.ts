import {
  type Frames,
  frames,
  micros,
  type Samples,
  type Seconds,
  sampleAt,
  sampleAtFrame,
  sampleRange,
  samplesFilled,
  speedMillionths,
} from '../time.ts';
import type { SoundRole } from '../timeline/choices.ts';
import type { SourceEntry } from '../timeline/request/clip-entries.ts';
import type { Settings } from '../timeline/request/settings.ts';
import type { AudioClip, AudioPlan, SoundBus } from './audio/audio-plan.ts';
import { type Crossing, crossedSounds, soundSlot } from './place/clips/crossed-sounds.ts';
import type { PlacedVideo } from './place/place-clips.ts';
import type { PlanContext } from './place/plan-context.ts';
import { type PlayedWindow, playedWindow } from './place/source-window.ts';

/** A sound-only entry, placed. */
export interface PlacedSound {
  readonly entry: SourceEntry;
  readonly lane: 'audios' | 'soundtracks';
  readonly loop: boolean;
  readonly role: SoundRole | null;
  readonly played: PlayedWindow;
}

/** Places the entries that have only sound. One without sound is silent, with a warning; it keeps its place. (C19) */
export function placeSounds({ request, media, issues }: PlanContext): PlacedSound[] {
  const { audios, soundtracks } = request.timeline;
  const all = [
    ...audios.map((entry) => ({ entry, lane: 'audios' as const, loop: false, role: 'voice' as const })),
    ...soundtracks.map((entry) => ({ entry, lane: 'soundtracks' as const, loop: entry.loop, role: entry.role })),
  ];
  const placed: PlacedSound[] = [];
  for (const { entry, lane, loop, role } of all) {
    const facts = media.facts(entry.media);
    if (facts.kind === 'unreadable' || facts.kind === 'font') {
      issues.error(entry.media.path, 'media.unreadable', 'The file has no sound that can be decoded.');
      continue;
    }
    if (!facts.sound) issues.warn(entry.media.path, 'media.no_sound', 'The file has no sound; the entry is silent.');
    const played = playedWindow(entry, facts, { settings: request.settings, issues, endless: loop || !facts.sound });
    if (played !== undefined) placed.push({ entry, lane, loop, role, played });
  }
  return placed;
}

/**
 * Every sound in its slot, cut off at the end of the video, and by how much music is ducked. A clip's own sound follows
 * its picture, to the frame; other sounds are placed to the sample. (R15, C57)
 */
export function planSounds(
  videos: readonly PlacedVideo[],
  sounds: readonly PlacedSound[],
  tiles: readonly AudioClip[],
  totalFrames: Frames,
  context: PlanContext,
): Pick<AudioPlan, 'clips' | 'duckDb'> {
  const { rate, media, request } = context;
  const { settings } = request;
  const crossings = crossedSounds(videos, context);
  const heard: Heard[] = [
    ...videos.map((video): Heard => {
      const slot = soundSlot(video, rate);
      return { ...video, slot, lane: 'videos', loop: false, role: 'voice', crossing: crossings.get(video) };
    }),
    ...sounds.map(({ entry, played, lane, loop, role }): Heard => {
      return { entry, played, slot: sampleRange(entry.start, played.end), lane, loop, role };
    }),
  ];
  const lastFrame = sampleAtFrame(frames(totalFrames - 1), rate);
  const totalSamples = sampleAtFrame(totalFrames, rate);
  const clips: AudioClip[] = [];
  for (const { entry, played, slot, lane, loop, role, crossing = {} } of heard) {
    const end = Math.min(slot.end + (crossing.beyond ?? 0), totalSamples) as Samples;
    if (!media.facts(entry.media).sound || entry.gain === 0 || end <= slot.start) continue;
    const clip: AudioClip = {
      id: entry.id,
      path: entry.path,
      lane,
      bus: role ?? 'plain',
      source: media.use(entry.media),
      slot: { start: slot.start, end },
      window: played.window,
      speed: speedMillionths(entry.speed),
      gain: entry.gain,
      volumePoints: entry.volumePoints.map(({ at, gain }) => ({ at: sampleAt(at), gain })),
      denoise: entry.denoise,
      loop,
      ...fadeSamples(entry, end - slot.start, crossing),
    };
    const isMusicCutOff = role === 'music' && end > lastFrame && exceedsSlot(clip);
    clips.push(isMusicCutOff ? { ...clip, ...fadeSamples(musicFade(entry, settings), end - slot.start, {}) } : clip);
  }
  for (const clip of tiles) {
    const end = Math.min(clip.slot.end, totalSamples) as Samples;
    if (end > clip.slot.start) clips.push({ ...clip, slot: { start: clip.slot.start, end } });
  }
  clips.sort((a, b) => a.slot.start - b.slot.start);
  return mixed(clips, settings.duckDb);
}

/** Whether its sound is longer than its slot. */
function exceedsSlot(clip: AudioClip): boolean {
  const { slot, window, speed } = clip;
  return clip.loop || samplesFilled(micros(window.end - window.start), speed) > slot.end - slot.start;
}

/** The entry's own values come first. */
function musicFade({ fadeIn, fadeOut }: SourceEntry, settings: Settings): Pick<SourceEntry, 'fadeIn' | 'fadeOut'> {
  return { fadeIn, fadeOut: fadeOut > 0 ? fadeOut : settings.musicFade };
}

/** Sounds that neither duck nor are ducked need no bus of their own. */
function mixed(clips: readonly AudioClip[], duckDb: number): Pick<AudioPlan, 'clips' | 'duckDb'> {
  const has = (bus: SoundBus) => clips.some((clip) => clip.bus === bus);
  const ducks = duckDb > 0 && has('music') && has('voice');
  if (ducks) return { clips, duckDb };
  const bus = (clip: AudioClip): SoundBus =>
    clip.bus === 'tile' || (clip.bus === 'voice' && has('tile')) ? clip.bus : 'plain';
  return { clips: clips.map((clip) => ({ ...clip, bus: bus(clip) })), duckDb: 0 };
}

interface Heard {
  readonly entry: SourceEntry;
  readonly played: PlayedWindow;
  readonly slot: AudioClip['slot'];
  readonly lane: AudioClip['lane'];
  readonly loop: boolean;
  readonly role: SoundRole | null;
  readonly crossing?: Crossing | undefined;
}

/** Two fades share a short slot without crossing, as they do in the picture. */
function fadeSamples(
  { fadeIn, fadeOut }: { fadeIn: Seconds; fadeOut: Seconds },
  length: number,
  crossing: Crossing,
): { fadeIn: Samples; fadeOut: Samples } {
  const first = Math.min(crossing.comes ?? sampleAt(fadeIn), length) as Samples;
  return { fadeIn: first, fadeOut: Math.min(crossing.goes ?? sampleAt(fadeOut), length - first) as Samples };
}
