import { useRef } from 'preact/hooks';
import { leftWords, type Sample, secondsLeft, withShare } from './time-left.ts';

/** The time left of work that a component shows, as text; null if unknown. */
export function useTimeLeft(share: number): string | null {
  const samples = useRef<readonly Sample[]>([]);
  samples.current = withShare(samples.current, share, Date.now());
  const left = secondsLeft(samples.current, Date.now());
  return left === null ? null : leftWords(left);
}
