import { BlockList, isIPv4, isIPv6 } from 'node:net';

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
