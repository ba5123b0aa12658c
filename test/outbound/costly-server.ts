import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { createInterface } from 'node:readline';

/** A beginning, and what follows it without an end. */
const CHUNKED = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n';
const ENDLESS: Readonly<Record<string, readonly [begin: string, again: string]>> = {
  '/bytes': [CHUNKED, '1\r\nx\r\n'],
  '/extensions': [CHUNKED, `1;${'e'.repeat(8000)}\r\nx\r\n`],
  '/zeros': [CHUNKED, '0'],
  '/continue': ['', 'HTTP/1.1 100 Continue\r\n\r\n'],
  '/processing': ['', 'HTTP/1.1 102 Processing\r\n\r\n'],
  '/hints': ['', `HTTP/1.1 103 Early Hints\r\nLink: <${'a'.repeat(4000)}>\r\n\r\n`],
  '/headers': ['HTTP/1.1 200 OK\r\n', 'X-Header: abcdefgh\r\n'],
  '/trailers': [`${CHUNKED}1\r\nx\r\n0\r\n`, 'X-Trailer: abcdefgh\r\n'],
};
/** The last of these chunks ends the body. */
const FEW_BYTES = 60_000;
const BURST_BYTES = 256 * 1024;

/** A server whose responses are costly to read, as a program of its own: what it costs is not the reader's. */
export async function costlyServer(): Promise<AsyncDisposable & { readonly base: string }> {
  const server = spawn(process.execPath, [import.meta.filename], { stdio: ['pipe', 'pipe', 'inherit'] });
  const [port] = await once(createInterface(server.stdout), 'line');
  return {
    base: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      server.kill();
      await once(server, 'exit');
    },
  };
}

/** One-byte chunks of `/few`, with an end. */
export const FEW = { path: '/few', bytes: FEW_BYTES } as const;

if (import.meta.main) {
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', (request) => {
      const path = / ([^\s?]+)/.exec(request.toString())![1]!;
      if (path === FEW.path) {
        socket.end(`${CHUNKED}${'1\r\nx\r\n'.repeat(FEW_BYTES)}0\r\n\r\n`);
        return;
      }
      const [begin, again] = ENDLESS[path]!;
      const burst = Buffer.from(again.repeat(Math.ceil(BURST_BYTES / again.length)));
      const flood = () => {
        while (!socket.destroyed && socket.write(burst));
      };
      socket.on('drain', flood).write(begin);
      flood();
    });
  }).listen(0, '127.0.0.1', () => process.stdout.write(`${(server.address() as { port: number }).port}\n`));
  // Ends with the program that started it.
  process.stdin.on('end', () => process.exit()).resume();
}
