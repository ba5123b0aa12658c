import type { RemoteAttack } from './attack.ts';

/** The first resolves to a loopback address everywhere, the second nowhere (RFC 6761). */
const NAMES = ['localhost', 'tiercut-attack.invalid'];
/** What a busy machine may add; a private name used to fail in milliseconds, a missing one after seconds. */
const MAX_DIFFERENCE_MS = 1000;

/** Media at names inside the network: the response must not reveal which of them exist. */
export const internalNames: RemoteAttack = {
  name: 'internal-names',
  rule: 'H48',
  needs: 'key',
  async run(target, signal) {
    const seen = await Promise.all(
      NAMES.map(async (name) => {
        const begunMs = performance.now();
        const reply = await fetch(`${target.base}/media`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', ...target.ann },
          body: JSON.stringify({ url: `https://${name}/a.png` }),
          signal,
        });
        const { status, errors } = (await reply.json()) as { status: number; errors: unknown };
        const text = JSON.stringify({ status, errors }).replaceAll(name, 'NAME');
        return { text, ms: performance.now() - begunMs };
      }),
    );
    const [exists, missing] = seen as [(typeof seen)[0], (typeof seen)[0]];
    const difference = Math.abs(exists.ms - missing.ms);
    if (exists.text !== missing.text) return { held: false, figure: `${exists.text} and ${missing.text}` };
    const figure = `the same response after ${exists.ms.toFixed()} ms and after ${missing.ms.toFixed()} ms`;
    return { held: difference < MAX_DIFFERENCE_MS, figure };
  },
};
