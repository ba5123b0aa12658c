import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import type { Project } from '../document/project.ts';

/** A project as the service stores it: the project file with `media_refs`. (C76) */
export function wireProject({ tier_list, timeline_data, settings, media, studio }: Project) {
  const references = Object.entries(studio.media).map(([field, { hash }]) => [field, hash] as const);
  const media_refs: Readonly<Record<string, string>> = Object.fromEntries(references);
  return { tier_list: { ...tier_list }, timeline_data, settings, media, studio, media_refs };
}

export function digestOf(document: object): string {
  return bytesToHex(sha256(new TextEncoder().encode(JSON.stringify(document))));
}
