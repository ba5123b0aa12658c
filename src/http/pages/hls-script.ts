import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { packageFile } from '../../platform/package-file.ts';

/** hls.js, of which no more than these is read. */
export const HLS_FILES = {
  about: packageFile('hls.js', 'package.json'),
  script: packageFile('hls.js', 'dist/hls.min.mjs'),
};

const { version }: { version: string } = JSON.parse(readFileSync(HLS_FILES.about, 'utf8'));

/**
 * hls.js as we serve it: the whole of it, since the light build knows no sound in a playlist of its own. Its address has its
 * version, so that browsers may keep it for good.
 */
export const HLS_SCRIPT_PATH = `/assets/hls-${version}.js`;

/** A text, and the same packed. */
export interface Packed {
  readonly text: string;
  readonly gzip: Buffer;
}

let packed: Packed | null = null;

/** Read and packed when somebody asks for it first: it takes a moment, and most that run the service never do. */
export function hlsScript(): Packed {
  if (packed !== null) return packed;
  const script = readFileSync(HLS_FILES.script, 'utf8');
  // The map that its last line names is not served.
  const text = script.replace(/\n\/\/# sourceMappingURL=.*\s*$/, '\n');
  packed = { text, gzip: gzipSync(text, { level: 9 }) };
  return packed;
}
