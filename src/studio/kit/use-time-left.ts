import { useRef } from 'preact/hooks';
import { type Sample, timeLeftWords, type UsualTime, withShare } from './time-left.ts';

/** The time left of work that a component shows, as text; null if unknown. */
export function useTimeLeft(share: number, usual: UsualTime | null = null): string | null {
  const samples = useRef<readonly Sample[]>([]);
  samples.current = withShare(samples.current, share, Date.now());
  return timeLeftWords(samples.current, Date.now(), usual);
}
