import { createSocket, type RemoteInfo, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { isIPv6 } from 'node:net';

const TYPES: Readonly<Record<number, 'A' | 'AAAA'>> = { 1: 'A', 28: 'AAAA' };
const ANSWER_FLAGS = 0x8580;

/** The addresses of a name: one list for each query, and the last one for all later queries. */
export type Zone = Readonly<Record<string, readonly (readonly string[])[]>>;

/** A DNS server over UDP whose names change their addresses with each query. Nothing may be cached (TTL 0). */
export class NameServer implements AsyncDisposable {
  /** `A name` for each question. */
  readonly questions: string[] = [];
  readonly #socket: Socket;
  readonly #zone: Zone;

  private constructor(socket: Socket, zone: Zone) {
    this.#socket = socket;
    this.#zone = zone;
    socket.on('message', (query, from) => this.#answer(query, from));
  }

  /** Listens on loopback. @param port the system's resolver uses only 53. */
  static async open(zone: Zone, address = '127.0.0.1', port = 0): Promise<NameServer> {
    const socket = createSocket('udp4').bind(port, address);
    await once(socket, 'listening');
    return new NameServer(socket, zone);
  }

  get address(): string {
    const { address, port } = this.#socket.address();
    return `${address}:${port}`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#socket.close();
    await once(this.#socket, 'close');
  }

  #answer(query: Buffer, from: RemoteInfo): void {
    const labels: string[] = [];
    let at = 12;
    for (let length = query[at]!; length > 0; length = query[at]!) {
      labels.push(query.toString('latin1', at + 1, at + 1 + length));
      at += 1 + length;
    }
    const question = query.subarray(12, at + 5);
    const [name, type] = [labels.join('.').toLowerCase(), TYPES[query.readUInt16BE(at + 1)]];
    this.questions.push(`${type} ${name}`);
    const turns = this.#zone[name] ?? [[]];
    const asked = this.questions.filter((one) => one === `${type} ${name}`).length;
    const addresses = turns[Math.min(asked, turns.length) - 1]!;
    const records = addresses.filter((one) => (isIPv6(one) ? 'AAAA' : 'A') === type).map(recordOf);
    const head = Buffer.alloc(12);
    query.copy(head, 0, 0, 2);
    head.writeUInt16BE(ANSWER_FLAGS, 2);
    head.writeUInt16BE(1, 4);
    head.writeUInt16BE(records.length, 6);
    this.#socket.send(Buffer.concat([head, question, ...records]), from.port, from.address);
  }
}

/** An address of the queried name, which is at byte 12. */
function recordOf(address: string): Buffer {
  const bytes = addressBytes(address);
  const head = Buffer.from([0xc0, 12, 0, bytes.length === 4 ? 1 : 28, 0, 1, 0, 0, 0, 0, 0, bytes.length]);
  return Buffer.concat([head, bytes]);
}

function addressBytes(address: string): Buffer {
  if (!isIPv6(address)) return Buffer.from(address.split('.').map(Number));
  const plain = address.replace(/(\d+)\.(\d+)\.(\d+)\.(\d+)$/, (_all, ...four) => {
    const [a, b, c, d] = four.slice(0, 4).map(Number) as [number, number, number, number];
    return `${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`;
  });
  const [before = [], after = []] = plain.split('::').map((half) => half.split(':').filter((group) => group !== ''));
  const groups = [...before, ...Array(8 - before.length - after.length).fill('0'), ...after];
  const bytes = Buffer.alloc(16);
  for (const [n, group] of groups.entries()) bytes.writeUInt16BE(Number.parseInt(group, 16), 2 * n);
  return bytes;
}
