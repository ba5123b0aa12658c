import type { HttpConfig } from './http-config.ts';

/**
 * The configured trust in the framework's form.
 * A number of hops becomes a function, because the framework trusts no proxy if it gets the bare number. The client's
 * address is then the one that our outermost proxy saw; entries that the client wrote are further left.
 */
export function trustedHops(
  trust: HttpConfig['trustProxy'],
): false | string[] | ((address: string, hop: number) => boolean) {
  if (trust === false) return false;
  return typeof trust === 'number' ? (_, hop) => hop < trust : [...trust];
}
