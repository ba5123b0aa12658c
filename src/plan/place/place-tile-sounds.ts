import {
  type FrameRate,
  frameAt,
  type Micros,
  microsAt,
  SAMPLE_RATE,
  type Samples,
  sampleAt,
  sampleAtFrame,
  samples,
} from '../../time.ts';
import type { AudioClip, MadeSound } from '../audio/audio-plan.ts';
import { MADE_SOUND_CUES } from '../audio/made-sound-cues.ts';
import type { BoardEvent } from '../board-scene.ts';
import { openBoards, type PlacedTile } from './place-tiles.ts';
import type { PlanContext } from './plan-context.ts';

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
    const made = (source: MadeSound) => ({ ...heard, ...edges, source, ...cueRanges(source, event, rate) });
    const isStamped = event.style === 'spotlight' && isBoardOpen && request.settings.revealSound !== null;
    const stamp = isStamped ? [made('stamp')] : [];
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
    const window = { start: 0 as Micros, end: microsAt(facts.duration) };
    return [{ ...heard, ...edges, source: media.use(sound), slot, window }, ...stamp];
  });
}

/** When a made sound is heard, and which part of it. (R29) */
function cueRanges(sound: MadeSound, event: BoardEvent, rate: FrameRate): Pick<AudioClip, 'slot' | 'window'> {
  const { seconds, moment, meets, fills } = MADE_SOUND_CUES[sound];
  const whole = sampleAtFrame(event[moment], rate) - sampleAt(meets);
  const start = Math.max(whole, fills === true ? sampleAtFrame(event.at, rate) : 0);
  return {
    slot: { start: samples(start), end: samples(whole + sampleAt(seconds)) },
    window: { start: microsAt((start - whole) / SAMPLE_RATE), end: microsAt(seconds) },
  };
}
