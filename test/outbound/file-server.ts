import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A server on loopback that plays an external one. */
export interface FileServer extends AsyncDisposable {
  readonly port: number;
  /** `http://127.0.0.1:<port>` */
  readonly base: string;
  /** The requests so far. */
  readonly asked: { readonly path: string; readonly headers: IncomingMessage['headers'] }[];
  /** Resolves when no connection is open. */
  idle(): Promise<void>;
}

export async function fileServer(answer: RequestListener): Promise<FileServer> {
  const asked: FileServer['asked'] = [];
  const server = createServer((request, response) => {
    asked.push({ path: request.url ?? '', headers: request.headers });
    answer(request, response);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const connections = () => new Promise<number>((done) => server.getConnections((_, count) => done(count)));
  return {
    port,
    base: `http://127.0.0.1:${port}`,
    asked,
    async idle() {
      while ((await connections()) > 0) await new Promise((done) => setImmediate(done));
    },
    async [Symbol.asyncDispose]() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}
