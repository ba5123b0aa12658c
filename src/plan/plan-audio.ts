import {
  type FrameRate,
  type Frames,
  frameAt,
  frames,
  type Micros,
  micros,
  microsAt,
  type Range,
  SAMPLE_RATE,
  type Samples,
  type Seconds,
  sampleAt,
  sampleAtFrame,
  sampleRange,
  samples,
  samplesFilled,
  speedMillionths,
} from '../time.ts';
import type { SoundRole, ThemeName } from '../timeline/choices.ts';
import type { ExportRequest, Settings, SourceEntry, VideoEntry } from '../timeline/export-request.ts';
import { clipPass } from './frame/clip-pass.ts';
import { audioKey } from './keys/chunk-key.ts';
import type { Digest } from './keys/digest.ts';
import { type AudioClip, type AudioPlan, MADE_SOUND_CUES, type MadeSound, type SoundBus } from './model/audio-plan.ts';
import type { BoardEvent } from './model/board-scene.ts';
import type { RenderPlan } from './model/render-plan.ts';
import { pairTransitions } from './place/pair-transitions.ts';
import type { PlacedVideo } from './place/place-clips.ts';
import { openBoards, type PlacedTile } from './place/place-tiles.ts';
import type { PlanContext } from './place/plan-context.ts';
import { type PlayedTrim, playedTrim } from './place/source-trim.ts';
import type { BankSound } from './theme/theme-look.ts';
import { lookOf } from './theme/theme-looks.ts';

/** A sound-only entry, placed. */
export interface PlacedSound {
  readonly entry: SourceEntry;
  readonly lane: 'audios' | 'soundtracks';
  readonly loop: boolean;
  readonly role: SoundRole | null;
  readonly played: PlayedTrim;
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
    const played = playedTrim(entry, facts, { settings: request.settings, issues, endless: loop || !facts.sound });
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
      trim: played.trim,
      speed: speedMillionths(entry.speed),
      gain: entry.gain,
      volumePoints: entry.volumePoints.map(({ at, gain }) => ({ at: sampleAt(at), gain })),
      denoise: entry.denoise,
      loop,
      ...fadeSamples(entry, end - slot.start, crossing),
    };
    const isMusic = role === 'music' || (lane === 'soundtracks' && role === null && entry.duration === null);
    const isMusicCutOff = isMusic && end > lastFrame && exceedsSlot(clip);
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
  const { slot, trim, speed } = clip;
  return clip.loop || samplesFilled(micros(trim.end - trim.start), speed) > slot.end - slot.start;
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
  readonly played: PlayedTrim;
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

/** The effect of transitions on a clip's sound; absent fields keep the clip's values. (C58) */
interface Crossing {
  /** Samples for which it is heard behind its slot. */
  readonly beyond?: number;
  readonly comes?: number;
  readonly goes?: number;
}

/**
 * Sounds cross if both have sound inside their trims: from the cut on, as long as the first one lasts. If one is
 * silent, the other fades within its part of the transition. All presets share one sound: clips are paired by the
 * fields that hold for all presets.
 */
function crossedSounds(videos: readonly PlacedVideo[], { rate }: PlanContext): Map<PlacedVideo, Crossing> {
  const crossings = new Map<PlacedVideo, Crossing>();
  const add = (video: PlacedVideo, crossing: Crossing) => {
    crossings.set(video, { ...crossings.get(video), ...crossing });
  };
  for (const [video, { from, before, after }] of pairTransitions(videos, ({ entry }) => layerOf(entry), rate)) {
    const cut = video.shows.start;
    const length = sampleAtFrame((cut + after) as Frames, rate) - sampleAtFrame(cut, rate);
    if (from === null || !isHeard(from)) {
      add(video, { comes: length });
      continue;
    }
    const beyond = Math.min(length, heardBehind(from, length, rate));
    const faded = sampleAtFrame(cut, rate) - sampleAtFrame((cut - before) as Frames, rate);
    add(from, { beyond, goes: isHeard(video) ? beyond : faded + beyond });
    add(video, { comes: beyond });
  }
  return crossings;
}

/** The samples that a clip's frames last. */
function soundSlot({ shows }: PlacedVideo, rate: FrameRate): Range<Samples> {
  return { start: sampleAtFrame(shows.start, rate), end: sampleAtFrame(shows.end, rate) };
}

/** How many samples a clip has after its slot and inside its trim; at most `max`. */
function heardBehind(video: PlacedVideo, max: number, rate: FrameRate): number {
  const { start, end } = soundSlot(video, rate);
  const speed = speedMillionths(video.entry.speed);
  const slot = { start, end: (end + max) as Samples };
  const { heard } = clipPass({ slot, trim: video.played.trim, speed, loop: false });
  return Math.max(0, heard - (end - start));
}

function isHeard({ entry, facts }: PlacedVideo): boolean {
  return facts.sound && entry.gain > 0;
}

/** In which layer a clip fills the canvas of every preset that has no other place for it. */
function layerOf({ box, layer }: VideoEntry): string | null {
  const { x = 0, y = 0, width = 100, height = 100 } = box;
  return x === 0 && y === 0 && width === 100 && height === 100 ? (layer ?? 'below_board') : null;
}

const NORMAL_SPEED = 1_000_000;

/**
 * The sounds of tiles: files from the tile's frame, made sounds by their cues. The common sound of all tiles is heard
 * only while a board is open in any preset: all presets share one sound. (C12, C45, R29)
 */
export function tileSounds(tiles: readonly PlacedTile[], { request, rate, media, issues }: PlanContext): AudioClip[] {
  const open = openBoards(request, rate);
  const silent = new Set<string>();
  return tiles.flatMap(({ tile, event }): AudioClip[] => {
    const { sound: wanted, position } = tile;
    const at = frameAt(position, rate);
    const isBoardOpen = open.some(({ start, end }) => start <= at && at < end);
    if (wanted === null || !(wanted.own || isBoardOpen)) return [];
    const { sound, gain } = wanted;
    const heard = {
      id: tile.id,
      path: tile.path,
      lane: 'tier_tiles',
      bus: 'tile',
      speed: NORMAL_SPEED,
      gain,
      loop: false,
      volumePoints: [],
      denoise: false,
    } as const;
    const edges = { fadeIn: 0 as Samples, fadeOut: 0 as Samples };
    const made = (source: MadeSound, moment = MADE_SOUND_CUES[source].moment) => {
      return { ...heard, ...edges, source, ...cueRanges(source, event[moment], event.at, rate) };
    };
    const isStamped = event.style === 'spotlight' && isBoardOpen && request.settings.revealSound !== null;
    const stamp = isStamped ? [made('stamp')] : [];
    if (sound === 'theme') {
      return themeSounds(request.settings.theme.base, event).map(([source, share, moment]) => {
        return { ...made(source, moment), gain: gain * share };
      });
    }
    if (typeof sound === 'string') return [made(sound), ...stamp];
    const facts = media.facts(sound);
    if (!facts.sound) {
      if (!silent.has(sound.path)) {
        issues.warn(sound.path, 'media.no_sound', 'The file has no sound; nothing is heard with the tile.');
      }
      silent.add(sound.path);
      return stamp;
    }
    const start = sampleAtFrame(at, rate);
    const slot = { start, end: samples(start + sampleAt(facts.duration)) };
    const trim = { start: 0 as Micros, end: microsAt(facts.duration) };
    return [{ ...heard, ...edges, source: media.use(sound), slot, trim }, ...stamp];
  });
}

/** When a made sound is heard that meets `moment`, and which part of it. (R29) */
function cueRanges(sound: MadeSound, moment: Frames, at: Frames, rate: FrameRate): Pick<AudioClip, 'slot' | 'trim'> {
  const { seconds, meets, fills } = MADE_SOUND_CUES[sound];
  const whole = sampleAtFrame(moment, rate) - sampleAt(meets);
  const start = Math.max(whole, fills === true ? sampleAtFrame(at, rate) : 0);
  return {
    slot: { start: samples(start), end: samples(whole + sampleAt(seconds)) },
    trim: { start: microsAt((start - whole) / SAMPLE_RATE), end: microsAt(seconds) },
  };
}

/** The speech of a video: the sound that captions are made from. (C77) */
export interface VoicePlan {
  readonly audio: Pick<AudioPlan, 'clips' | 'totalSamples'>;
  /** The content of each source that is heard, by its index. */
  readonly sources: readonly (readonly [source: number, sha256: string])[];
  /** Hash of all that decides the sound. */
  readonly key: string;
}

/** The sound of clips, of voice-overs and of soundtracks that are voice, without anything else. */
export function voicePlan(
  { audio, sources }: Pick<RenderPlan, 'audio' | 'sources'>,
  { timeline }: Pick<ExportRequest, 'timeline'>,
  engineVersion: string,
  digest: Digest,
): VoicePlan {
  const spoken = new Set(timeline.soundtracks.filter(({ role }) => role === 'voice').map(({ path }) => path));
  const isVoice = ({ lane, path }: AudioClip) =>
    lane === 'videos' || lane === 'audios' || (lane === 'soundtracks' && spoken.has(path));
  const clips = audio.clips.filter(isVoice).map((clip): AudioClip => ({ ...clip, bus: 'plain' }));
  const mix = { clips, totalSamples: audio.totalSamples, bitrateKbps: 0, loudness: null, duckDb: 0 };
  const heard = new Set(clips.map(({ source }) => source).filter((source) => typeof source === 'number'));
  return {
    audio: { clips, totalSamples: audio.totalSamples },
    sources: [...heard].map((source) => [source, sources[source]!.hash] as const),
    key: audioKey(mix, sources, engineVersion, digest),
  };
}

/** The sounds of a reveal in that theme. (R41) */
function themeSounds(theme: ThemeName, { style, weight }: BoardEvent): readonly BankSound[] {
  const { sounds } = lookOf({ name: theme });
  return [...sounds[style], ...(weight === undefined || style === 'none' ? [] : sounds[weight])];
}
