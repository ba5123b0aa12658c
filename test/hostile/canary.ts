import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';

/** Listens on loopback, TCP and UDP on one port, and records every client. */
export class Canary implements AsyncDisposable {
  readonly port: number;
  /** The requests that reached it; there should be none. */
  readonly visits: string[] = [];
  readonly #close: () => Promise<void>;

  private constructor(port: number, close: () => Promise<void>) {
    this.port = port;
    this.#close = close;
  }

  static async open(): Promise<Canary> {
    const tcp = createServer();
    const udp = createSocket('udp4');
    tcp.listen(0, '127.0.0.1');
    await once(tcp, 'listening');
    const { port } = tcp.address() as AddressInfo;
    udp.bind(port, '127.0.0.1');
    await once(udp, 'listening');
    const canary = new Canary(port, async () => {
      udp.close();
      tcp.close();
    });
    tcp.on('connection', (socket) => {
      canary.visits.push('tcp');
      socket.on('error', () => undefined).destroy();
    });
    udp.on('message', () => canary.visits.push('udp'));
    return canary;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#close();
  }
}
