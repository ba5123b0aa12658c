import { frameAt, type Micros, microsAt, type Samples, sampleAt, sampleAtFrame, samples } from '../../time.ts';
import { MADE_SOUND_SECONDS } from '../made-sound-seconds.ts';
import type { AudioClip } from '../render-plan.ts';
import { openBoards, type PlacedTile } from './place-tiles.ts';
import type { PlanContext } from './plan-context.ts';

const NORMAL_SPEED = 1_000_000;

/**
 * What is heard with the tiles. It begins with the tile's frame, to the sample; an impact where the card lands. What all
 * tiles have in common is heard only where a board is open, in whichever shape: the sound of all shapes is one. (C12, C45)
 */
export function tileSounds(tiles: readonly PlacedTile[], { request, rate, media, issues }: PlanContext): AudioClip[] {
  const open = openBoards(request, rate);
  const silent = new Set<string>();
  return tiles.flatMap(({ tile, event }): AudioClip[] => {
    const { sound: wanted, position } = tile;
    const at = frameAt(position, rate);
    if (wanted === null || !(wanted.own || open.some(({ start, end }) => start <= at && at < end))) return [];
    const { sound, gain } = wanted;
    const heard = { id: tile.id, path: tile.path, lane: 'tier_tiles', speed: NORMAL_SPEED, gain, loop: false } as const;
    const edges = { fadeIn: 0 as Samples, fadeOut: 0 as Samples };
    if (typeof sound === 'string') {
      const seconds = MADE_SOUND_SECONDS[sound];
      const start = sampleAtFrame(sound === 'impact' ? event.lands : at, rate);
      const slot = { start, end: samples(start + sampleAt(seconds)) };
      return [{ ...heard, ...edges, source: sound, slot, window: { start: 0 as Micros, end: microsAt(seconds) } }];
    }
    const facts = media.facts(sound);
    if (!facts.sound) {
      if (!silent.has(sound.path)) {
        issues.warn(sound.path, 'media.no_sound', 'The file has no sound; nothing is heard with the tile.');
      }
      silent.add(sound.path);
      return [];
    }
    const start = sampleAtFrame(at, rate);
    const slot = { start, end: samples(start + sampleAt(facts.duration)) };
    return [
      {
        ...heard,
        ...edges,
        source: media.use(sound),
        slot,
        window: { start: 0 as Micros, end: microsAt(facts.duration) },
      },
    ];
  });
}
