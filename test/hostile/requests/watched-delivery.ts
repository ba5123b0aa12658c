import { channel } from 'node:diagnostics_channel';
import { Resolver } from 'node:dns/promises';
import type { Socket } from 'node:net';
import { sendWebhook, type WebhookOutcome } from '../../../src/exports/deliver/send-webhook.ts';

export interface WatchedDelivery {
  readonly outcome: WebhookOutcome;
  /** The addresses that connections were made to, or would have been. */
  readonly connected: readonly string[];
}

interface WatchedDeliveryOptions {
  readonly url: string;
  readonly allowPrivate: boolean;
  /** Which name server to ask; null for the system's resolver. */
  readonly nameServer: string | null;
}

/** A test does not wait as long for a name as the service does. */
const NAME_MS = 500;

/** Delivers a message once and watches where it connects to. A connection to anywhere but loopback is ended before its first packet. */
export async function deliverWatched({
  url,
  allowPrivate,
  nameServer,
}: WatchedDeliveryOptions): Promise<WatchedDelivery> {
  const connected: string[] = [];
  const watch = (message: unknown) => {
    const { socket } = message as { socket: Socket };
    socket.on('lookup', (_error, address) => {
      connected.push(address);
      if (!address.startsWith('127.')) socket.destroy();
    });
  };
  const sockets = channel('net.client.socket');
  sockets.subscribe(watch);
  try {
    const { signal } = new AbortController();
    const resolve = nameServer === null ? undefined : resolverAt(nameServer);
    return {
      outcome: await sendWebhook(new URL(url), {}, '{}', { allowPrivate, signal, resolve, nameMs: NAME_MS }),
      connected,
    };
  } finally {
    sockets.unsubscribe(watch);
  }
}

function resolverAt(server: string) {
  const resolver = new Resolver();
  resolver.setServers([server]);
  return async (hostname: string) => {
    const found = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
    return found.flatMap((one) => (one.status === 'fulfilled' ? one.value : []));
  };
}

/** A separate program, so that it can run where the system's resolver uses another server. */
if (import.meta.main) {
  const results: WatchedDelivery[] = [];
  for (const options of JSON.parse(process.argv[2]!) as WatchedDeliveryOptions[]) {
    results.push(await deliverWatched(options));
  }
  process.stdout.write(JSON.stringify(results));
}
