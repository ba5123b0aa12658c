import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type NetConnectOpts, type Server, type Socket } from 'node:net';

/**
 * A wire between one program and a server, which can be cut. What is sent over a cut wire is not lost: it arrives when the
 * wire is mended, as TCP would send it again, unless the connection was reset meanwhile.
 */
export class TcpProxy implements AsyncDisposable {
  readonly #server: Server;
  readonly #pairs = new Set<readonly [Socket, Socket]>();
  #isCut = false;

  private constructor(target: NetConnectOpts) {
    this.#server = createServer((near) => {
      const far = connect(target);
      const pair = [near, far] as const;
      this.#pairs.add(pair);
      for (const [from, to] of [pair, [far, near] as const]) {
        from.on('error', () => to.destroy());
        from.on('close', () => {
          // Over a cut wire nobody hears that the other end is gone.
          if (!this.#isCut) to.destroy();
        });
      }
      if (!this.#isCut) join(pair);
    });
  }

  /** Listens on a free port of the loopback. */
  static async to(target: NetConnectOpts): Promise<TcpProxy> {
    const proxy = new TcpProxy(target);
    proxy.#server.listen(0, '127.0.0.1');
    await once(proxy.#server, 'listening');
    return proxy;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  /** From now on nothing gets through, in either direction, and nobody is told. */
  cut(): void {
    this.#isCut = true;
    for (const socket of this.#sockets()) {
      socket.unpipe();
      socket.pause();
    }
  }

  /** All that was held back arrives. */
  mend(): void {
    this.#isCut = false;
    for (const pair of this.#pairs) {
      if (pair.some(({ destroyed }) => destroyed)) for (const socket of pair) socket.destroy();
      else join(pair);
    }
  }

  /** Ends every connection, as a firewall does that has forgotten them. */
  reset(): void {
    for (const socket of this.#sockets()) if (!socket.destroyed) socket.resetAndDestroy();
  }

  #sockets(): Socket[] {
    return [...this.#pairs].flat();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const socket of this.#sockets()) socket.destroy();
    this.#server.close();
    await once(this.#server, 'close');
  }
}

function join([near, far]: readonly [Socket, Socket]): void {
  near.pipe(far);
  far.pipe(near);
}
