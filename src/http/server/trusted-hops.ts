import type { HttpConfig } from './http-config.ts';

/**
 * The configured trust as the framework takes it.
 *
 * A number of hops becomes a function, since the framework believes nobody where it is given the bare number. With it,
 * the address is the one the outermost proxy of ours saw; whatever the client itself wrote stands further left.
 */
export function trustedHops(
  trust: HttpConfig['trustProxy'],
): false | string[] | ((address: string, hop: number) => boolean) {
  if (trust === false) return false;
  return typeof trust === 'number' ? (_, hop) => hop < trust : [...trust];
}
