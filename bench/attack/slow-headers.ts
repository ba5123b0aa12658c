import type { RemoteAttack } from './attack.ts';
import { smallExport } from './small-export.ts';

const HEADERS = [
  'prefer',
  'range',
  'accept',
  'accept-encoding',
  'if-none-match',
  'if-range',
  'authorization',
  'cookie',
];
/** Ascending: a reader that is not linear is seen before it takes minutes. */
const LENGTHS = [900, 3600, 14_400];
const MOST_SECONDS = 0.5;

/** Values that cost a backtracking reader most: a run of N characters between a beginning and an end that does not match. */
const SHAPES: readonly ((run: number) => string)[] = [
  (run) => `a=${' '.repeat(run)}"x"y`,
  (run) => `bytes=${' '.repeat(run)}x`,
  (run) => `a${' '.repeat(run)}b`,
  (run) => `wait="${'\\'.repeat(run)}`,
  (run) => `${'a'.repeat(run)}=`,
  (run) => `${'a/b;'.repeat(run / 4)}q=`,
  (run) => `${','.repeat(run)}"`,
];

/** Headers that take long to parse, on addresses that need no key. */
export const slowHeaders: RemoteAttack = {
  name: 'slow-headers',
  rule: 'H42',
  needs: 'key',
  async run(target, signal) {
    const { export_id, download_url } = await smallExport(target);
    const addresses = [
      new URL(download_url, target.base).pathname,
      `/video/exports/${export_id}/hls/preset_one/index.m3u8`,
    ];
    let [most, requests] = [0, 0];
    for (const length of LENGTHS) {
      for (const header of HEADERS) {
        for (const shape of SHAPES) {
          const seconds = await target.cost(async () => {
            for (const address of addresses) {
              const reply = await fetch(`${target.base}${address}`, { headers: { [header]: shape(length) }, signal });
              await reply.arrayBuffer();
            }
          });
          most = Math.max(most, seconds);
          requests += addresses.length;
          const figure = `${seconds.toFixed(2)} s for a ${header} of ${length} characters: ${shape(4)}`;
          if (seconds > MOST_SECONDS) return { held: false, figure };
        }
      }
    }
    return { held: true, figure: `${requests} requests, at most ${most.toFixed(2)} s for two` };
  },
};
