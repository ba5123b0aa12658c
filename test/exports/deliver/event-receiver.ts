import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { TestContext } from 'node:test';

/** A message as it came. */
interface ReceivedEvent {
  readonly id: string;
  readonly body: Record<string, unknown> & { type: string; timestamp: string; data: Record<string, unknown> };
}

/** Receives events, as long as the test runs. */
export class EventReceiver {
  readonly got: ReceivedEvent[] = [];
  readonly #answers: number[] = [];
  #port = 0;

  /** @param answers the first statuses it returns; 204 after them. */
  static async listen(t: TestContext, ...answers: number[]): Promise<EventReceiver> {
    const receiver = new EventReceiver();
    receiver.#answers.push(...answers);
    const server = createServer(async (request, response) => {
      receiver.got.push({ id: String(request.headers['webhook-id']), body: JSON.parse(await text(request)) });
      response.writeHead(receiver.#answers.shift() ?? 204).end();
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    t.after(() => {
      server.closeAllConnections();
      server.close();
    });
    receiver.#port = (server.address() as AddressInfo).port;
    return receiver;
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}/`;
  }

  /** The ids, without that of the export. */
  idsOf(exportId: string): string[] {
    return this.got.filter(({ id }) => id.startsWith(exportId)).map(({ id }) => id.slice(exportId.length + 1));
  }
}
