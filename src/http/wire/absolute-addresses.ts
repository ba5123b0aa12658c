import type { ExportView } from '../../exports/api/export-view.ts';
import { type ExportMetadata, exportMetadata } from './export-metadata.ts';

/** An address as an absolute URL; unchanged if no public address is configured. (C41) */
export function publicAddress(path: string, publicUrl: string | null): string {
  return `${publicUrl ?? ''}${path}`;
}

/**
 * The metadata in a webhook: with absolute addresses beside the relative ones, if the public address is configured.
 * (C41)
 */
export function callbackMetadata(view: ExportView, publicUrl: string | null) {
  const metadata = exportMetadata(view);
  return publicUrl === null ? metadata : { ...metadata, absolute: absoluteAddresses(metadata, publicUrl) };
}

/** A copy of every address in the metadata, under the same names. */
function absoluteAddresses({ download_url, downloads, shorts, hls, links }: ExportMetadata, publicUrl: string) {
  const all = <T extends Readonly<Record<string, string>>>(addresses: T) =>
    Object.fromEntries(Object.entries(addresses).map(([name, path]) => [name, publicAddress(path, publicUrl)]));
  return {
    download_url: publicAddress(download_url, publicUrl),
    downloads: all(downloads),
    shorts: shorts.map((short) => publicAddress(short.download_url, publicUrl)),
    hls: all(hls),
    links: all(links),
  };
}
