import { once } from 'node:events';
import { createServer, type IncomingMessage, type OutgoingHttpHeaders, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';

/** What happens to a call on its way. */
export type Fault =
  | {
      readonly how: 'answered';
      readonly status: number;
      readonly body?: string;
      readonly headers?: OutgoingHttpHeaders;
    }
  /** The response's body ends after so many bytes, with its connection. */
  | { readonly how: 'cut'; readonly afterBytes: number }
  /** The connection ends without a response. */
  | { readonly how: 'dropped' }
  /** The connection is reset when so many bytes of what is sent have passed. */
  | { readonly how: 'reset'; readonly afterBytes: number }
  /** The server executes the request, and the connection is reset before it can respond. */
  | { readonly how: 'unheard' }
  /** Not a word comes back. */
  | { readonly how: 'silent' }
  /** Every byte of the response's body is changed; its length is not. */
  | { readonly how: 'garbled' };

/** A proxy between a client and a real server, such as that of S3, that spoils the calls that the test names. */
export class FaultProxy {
  readonly #server = createServer((incoming, reply) => this.#pass(incoming, reply));
  readonly #to: { readonly host: string; readonly port: number };
  /** The calls that came, as `GET /bucket/key`. */
  readonly calls: string[] = [];
  /** Decides over each call; null lets it pass. */
  fault: (call: string) => Fault | null = () => null;

  static async start(t: TestContext, to: { readonly host: string; readonly port: number }): Promise<FaultProxy> {
    const proxy = new FaultProxy(to);
    proxy.#server.listen(0, '127.0.0.1');
    await once(proxy.#server, 'listening');
    t.after(() => {
      proxy.#server.close();
      proxy.#server.closeAllConnections();
    });
    return proxy;
  }

  private constructor(to: { readonly host: string; readonly port: number }) {
    this.#to = to;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  #pass(incoming: IncomingMessage, reply: ServerResponse): void {
    const call = `${incoming.method} ${incoming.url}`;
    this.calls.push(call);
    const fault = this.fault(call);
    if (fault?.how === 'silent') return;
    if (fault?.how === 'dropped') return void incoming.socket.destroy();
    if (fault?.how === 'answered') {
      incoming.resume();
      const headers = { connection: 'close', ...fault.headers };
      incoming.on('end', () => reply.writeHead(fault.status, headers).end(fault.body));
      return;
    }
    // The signature covers the host that the client requested.
    const { method, url: path, headers } = incoming;
    const outgoing = request({ ...this.#to, method: method!, path: path!, headers }, (answer) => {
      if (fault?.how === 'unheard') return void answer.resume().on('end', () => incoming.socket.resetAndDestroy());
      reply.writeHead(answer.statusCode!, answer.headers);
      let bytes = 0;
      answer.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
        if (fault?.how === 'garbled') reply.write(chunk.map((byte) => byte ^ 0xff));
        else if (fault?.how === 'cut' && bytes > fault.afterBytes) {
          reply.write(chunk.subarray(0, chunk.length - (bytes - fault.afterBytes)), () => reply.destroy());
          answer.destroy();
        } else reply.write(chunk);
      });
      answer.on('end', () => reply.end());
    });
    outgoing.on('error', () => reply.destroy());
    let sent = 0;
    incoming.on('data', (chunk: Buffer) => {
      sent += chunk.length;
      if (fault?.how !== 'reset' || sent <= fault.afterBytes) return;
      incoming.socket.resetAndDestroy();
      outgoing.destroy();
    });
    incoming.pipe(outgoing);
  }
}
