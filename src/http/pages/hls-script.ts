import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { packageFile } from '../../platform/program-files.ts';

/** The files of hls.js that are read. */
export const HLS_FILES = {
  about: packageFile('hls.js', 'package.json'),
  script: packageFile('hls.js', 'dist/hls.min.mjs'),
};

const { version }: { version: string } = JSON.parse(readFileSync(HLS_FILES.about, 'utf8'));

/**
 * hls.js as we serve it: the full build, because the light build does not support sound in a separate playlist. Its
 * address has its version, so that browsers can cache it permanently.
 */
export const HLS_SCRIPT_PATH = `/assets/hls-${version}.js`;

/** A text, plain and compressed. */
export interface Packed {
  readonly text: string;
  readonly gzip: Buffer;
}

let packed: Packed | null = null;

/** Read and compressed at the first request, because it takes time and most deployments never need it. */
export function hlsScript(): Packed {
  if (packed !== null) return packed;
  const script = readFileSync(HLS_FILES.script, 'utf8');
  // The source map that its last line names is not served.
  const text = script.replace(/\n\/\/# sourceMappingURL=.*\s*$/, '\n');
  packed = { text, gzip: gzipSync(text, { level: 9 }) };
  return packed;
}
