import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
const { version } = require('hls.js/package.json') as { version: string };

/**
 * hls.js as we serve it: the whole of it, since the light build knows no sound in a playlist of its own. Its address has its
 * version, so that browsers may keep it for good.
 */
export const HLS_SCRIPT_PATH = `/assets/hls-${version}.js`;

export function readHlsScript(): string {
  // The map that its last line names is not served.
  return readFileSync(require.resolve('hls.js/dist/hls.min.mjs'), 'utf8').replace(
    /\n\/\/# sourceMappingURL=.*\s*$/,
    '\n',
  );
}
