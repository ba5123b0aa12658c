import { BlockList, isIP, isIPv4, isIPv6 } from 'node:net';
import { shownText } from '../timeline/json/shown-value.ts';

const LONGEST = 2048;
/** Lower ports belong to mail, shells and name servers; the two of the web are exceptions. */
const FIRST_FREE_PORT = 1024;
const WEB_PORTS: readonly string[] = ['', '80', '443'];

/** What an operator can change about a refusal. */
const OFF = ', and TIERCUT_PRIVATE_ADDRESSES is off';

/**
 * Parses an address that a client sends the service to: an absolute HTTPS address without credentials. Deployments can
 * allow plain HTTP, private addresses and any port. Names are checked when they are resolved, right before each
 * connection. (C37)
 *
 * @returns the reason of a refusal, as the end of a sentence.
 */
export function readAddress(text: string, allowPrivate: boolean): URL | string {
  const allowed = allowPrivate ? 'HTTP or HTTPS address' : 'HTTPS address on the public internet';
  const refused = (why: string) => `must be an absolute ${allowed}; ${shownText(text)} ${why}.`;
  if (text.length > LONGEST) return refused(`has more than ${LONGEST} characters`);
  const url = URL.parse(text);
  if (url === null) return refused('is no address');
  const schemes = allowPrivate ? ['https:', 'http:'] : ['https:'];
  if (!schemes.includes(url.protocol))
    return refused(`begins with ${shownText(url.protocol)}${url.protocol === 'http:' ? OFF : ''}`);
  if (url.username !== '' || url.password !== '') return refused('carries credentials');
  if (allowPrivate) return url;
  const literal = hostOf(url);
  if (isIP(literal) !== 0 && !isPublicAddress(literal)) return refused(`is not public${OFF}`);
  if (!WEB_PORTS.includes(url.port) && Number(url.port) < FIRST_FREE_PORT)
    return refused(`names port ${url.port}${OFF}`);
  return url;
}

/** The name or the IP address without brackets. */
export function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[|\]$/g, '');
}

/** Networks that are not the public internet (IANA special-purpose registries), by family. */
const NOT_PUBLIC_V4: readonly (readonly [network: string, prefix: number])[] = [
  ['0.0.0.0', 8], // this host
  ['10.0.0.0', 8], // private
  ['100.64.0.0', 10], // shared by carriers
  ['127.0.0.0', 8], // loopback
  ['169.254.0.0', 16], // link-local, cloud metadata
  ['172.16.0.0', 12], // private
  ['192.0.0.0', 24], // protocol assignments
  ['192.0.2.0', 24], // documentation
  ['192.88.99.0', 24], // 6to4 relays
  ['192.168.0.0', 16], // private
  ['198.18.0.0', 15], // benchmarks
  ['198.51.100.0', 24], // documentation
  ['203.0.113.0', 24], // documentation
  ['224.0.0.0', 4], // multicast
  ['240.0.0.0', 4], // reserved, broadcast
];

/** Global unicast is 2000::/3; these parts of it are not public, or embed IPv4 addresses. */
const NOT_PUBLIC_V6: readonly (readonly [network: string, prefix: number])[] = [
  ['2001::', 23], // protocol assignments, Teredo among them
  ['2001:db8::', 32], // documentation
  ['2002::', 16], // 6to4
  ['3fff::', 20], // documentation
];

const notPublic = new BlockList();
for (const [network, prefix] of NOT_PUBLIC_V4) notPublic.addSubnet(network, prefix, 'ipv4');
for (const [network, prefix] of NOT_PUBLIC_V6) notPublic.addSubnet(network, prefix, 'ipv6');

const globalUnicast = new BlockList();
globalUnicast.addSubnet('2000::', 3, 'ipv6');

/**
 * Whether an IP address is on the public internet. IPv4 embedded in IPv6 is refused, because it has no legitimate use
 * here.
 */
export function isPublicAddress(address: string): boolean {
  if (isIPv4(address)) return !notPublic.check(address, 'ipv4');
  return isIPv6(address) && globalUnicast.check(address, 'ipv6') && !notPublic.check(address, 'ipv6');
}
