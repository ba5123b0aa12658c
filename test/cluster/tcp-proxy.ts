import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type NetConnectOpts, type Server, type Socket } from 'node:net';

/** The texts a program may send before the cut, and its progress on one connection. */
interface Awaited {
  readonly words: readonly string[];
  readonly place: Map<Socket, number>;
  /** How many more bytes may pass on that connection first. */
  readonly thenBytes: number;
  readonly passed: Map<Socket, number>;
  readonly said: () => void;
}

/**
 * A connection between one program and a server, which can be cut. Data sent over a cut connection is not lost: it
 * arrives when it is restored, as TCP retransmits it, unless the connection was reset meanwhile.
 */
export class TcpProxy implements AsyncDisposable {
  readonly #server: Server;
  readonly #pairs = new Set<readonly [Socket, Socket]>();
  readonly #awaited = new Set<Awaited>();
  #isCut = false;

  private constructor(target: NetConnectOpts) {
    this.#server = createServer((near) => {
      const far = connect(target);
      const pair = [near, far] as const;
      this.#pairs.add(pair);
      for (const [from, to] of [pair, [far, near] as const]) {
        from.on('error', () => to.destroy());
        from.on('close', () => {
          // Over a cut connection neither side learns that the other is gone.
          if (this.#isCut) return;
          to.destroy();
          this.#pairs.delete(pair);
        });
      }
      near.on('data', (bytes: Buffer) => this.#overhear(near, bytes));
      if (this.#isCut) near.pause();
      else join(pair);
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

  /** From now on nothing passes in either direction, and neither side is notified. */
  cut(): void {
    this.#isCut = true;
    for (const socket of this.#sockets()) {
      socket.unpipe();
      socket.pause();
    }
  }

  /**
   * Cuts as soon as the program has sent these texts, in order, on one connection. The last still reaches the server,
   * and its response does not come back.
   */
  cutWhenSaid(...words: readonly string[]): Promise<void> {
    return this.#whenSaid(words, 0, () => this.cut());
  }

  /**
   * Resets every connection as soon as the program has sent this, and so many bytes more; the last do not reach the
   * server.
   */
  resetWhenSaid(word: string, thenBytes: number): Promise<void> {
    return this.#whenSaid([word], thenBytes, () => this.reset());
  }

  /** All held data arrives; nothing is awaited any more. */
  mend(): void {
    this.#awaited.clear();
    if (!this.#isCut) return;
    this.#isCut = false;
    for (const pair of this.#pairs) {
      if (!pair.some(({ destroyed }) => destroyed)) join(pair);
      else {
        for (const socket of pair) socket.destroy();
        this.#pairs.delete(pair);
      }
    }
  }

  /** Ends every connection, like a firewall that has dropped its state. */
  reset(): void {
    for (const [near, far] of this.#pairs) {
      if (!near.destroyed) near.resetAndDestroy();
      far.destroy(); // which may be a Unix socket, that knows no reset
    }
  }

  #whenSaid(words: readonly string[], thenBytes: number, act: () => void): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const said = (): void => {
      act();
      resolve();
    };
    this.#awaited.add({ words, place: new Map(), thenBytes, passed: new Map(), said });
    return promise;
  }

  #overhear(from: Socket, bytes: Buffer): void {
    for (const awaited of this.#awaited) {
      const { words, thenBytes } = awaited;
      const before = awaited.place.get(from) ?? 0;
      let place = before;
      while (place < words.length && bytes.includes(words[place]!)) place += 1;
      awaited.place.set(from, place);
      if (place < words.length) continue;
      const passed = (awaited.passed.get(from) ?? 0) + (before === words.length ? bytes.length : 0);
      awaited.passed.set(from, passed);
      if (passed < thenBytes) continue;
      this.#awaited.delete(awaited);
      awaited.said();
    }
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

/** Cuts the first of these connections on which that text is sent, and no other. */
export async function cutFirstToSay(wires: readonly TcpProxy[], ...words: readonly string[]): Promise<TcpProxy> {
  const first = await Promise.race(wires.map((wire) => wire.cutWhenSaid(...words).then(() => wire)));
  for (const wire of wires) if (wire !== first) wire.mend();
  return first;
}
