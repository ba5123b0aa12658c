import type { RemoteAttack } from './attack.ts';
import { exchange } from './wire.ts';

const HIDDEN = 'GET /smuggled HTTP/1.1\r\nHost: localhost\r\n\r\n';
const chunked = `0\r\n\r\n${HIDDEN}`;

/** Heads whose length a proxy and a server may read differently, each with a hidden second request in the body. */
const REQUESTS: readonly (readonly [head: string, body: string])[] = [
  [`Content-Length: ${chunked.length}\r\nTransfer-Encoding: chunked`, chunked],
  [`Transfer-Encoding: chunked\r\nContent-Length: 4`, chunked],
  ['Content-Length: 0\r\nContent-Length: 44', HIDDEN],
  ['Content-Length: 0, 44', HIDDEN],
  ['Content-Length: +0', HIDDEN],
  ['Content-Length: 0x2c', HIDDEN],
  ['Content-Length : 0', HIDDEN],
  ['Transfer-Encoding: xchunked', chunked],
  ['Transfer-Encoding: chunked, identity', chunked],
  ['Transfer-Encoding : chunked', chunked],
  ['Transfer-Encoding:\x0bchunked', chunked],
  ['X: y\r\n Transfer-Encoding: chunked', chunked],
  ['X: y\nTransfer-Encoding: chunked', chunked],
  ['X: y\rTransfer-Encoding: chunked', chunked],
  ['Transfer-Encoding: chunked', `0;\n\r\n${HIDDEN}`],
  ['Transfer-Encoding: chunked', `0\n\n${HIDDEN}`],
  ['Transfer-Encoding: chunked', `-1\r\n\r\n${HIDDEN}`],
  ['Transfer-Encoding: chunked', `fffffffffffffffff\r\n${HIDDEN}`],
];

/** A second request, hidden in the body of the first where two readers disagree about its length. */
export const smuggling: RemoteAttack = {
  name: 'request-smuggling',
  rule: 'H42',
  needs: 'address',
  async run(target, signal) {
    for (const [head, body] of REQUESTS) {
      const text = await exchange(
        target,
        `POST /healthz HTTP/1.1\r\nHost: localhost\r\n${head}\r\n\r\n${body}`,
        signal,
      );
      const answers = [...text.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status]) => status);
      if (answers.length > 1 || text.includes('smuggled')) {
        return { held: false, figure: `${JSON.stringify(head)} is answered ${answers.join(', ')}` };
      }
    }
    return { held: true, figure: `${REQUESTS.length} ambiguous requests, none has a second answer` };
  },
};
