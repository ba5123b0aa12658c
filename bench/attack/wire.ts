import { connect } from 'node:net';
import type { Target } from './attack.ts';

/** For a server that neither answers nor hangs up. */
const SILENCE_MS = 3000;

/** Sends these bytes on a connection of their own; all that comes back until the server hangs up or falls silent. */
export function exchange({ base }: Target, bytes: string, signal: AbortSignal): Promise<string> {
  const { hostname, port } = new URL(base);
  const socket = connect({ port: Number(port), host: hostname.replace(/^\[|\]$/g, '') });
  let text = '';
  socket.setTimeout(SILENCE_MS, () => socket.destroy());
  const hangUp = () => socket.destroy();
  signal.addEventListener('abort', hangUp, { once: true });
  socket
    .on('error', () => undefined)
    .on('data', (chunk) => {
      text += chunk.toString('latin1');
    });
  socket.write(bytes, 'latin1');
  return new Promise((resolve) => {
    socket.on('close', () => {
      signal.removeEventListener('abort', hangUp);
      resolve(text);
    });
  });
}
