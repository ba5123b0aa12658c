import { startWorker, workerAddress } from '../kit/assets.ts';
import { remembered } from '../session/remembered.ts';
import * as texts from '../texts/en/check.ts';
import { type CardOrder, type CardResult, FONTS_ORDER, type Found } from './device-messages.ts';

const WORKER = 'test-card-worker';

/** Results by size. They are of this program in this browser, and no other. */
interface Kept {
  readonly by: string;
  readonly results: Readonly<Record<string, CardResult>>;
}

const NONE: Kept = { by: '', results: {} };

/** Results that are right. A browser may be busy or short of memory once, so the others are tried again. */
const kept = remembered<Kept>('tiercut-test-cards', NONE, (found) =>
  typeof found === 'object' && found !== null && (found as Kept).by === maker() ? (found as Kept) : null,
);

function maker(): string {
  return `${workerAddress(WORKER)} ${navigator.userAgent}`;
}

/** How this browser encodes videos of a size. It is found once: 30 frames are encoded and decoded. */
export async function testCard(order: CardOrder, signal: AbortSignal): Promise<CardResult> {
  const size = keyOf(order);
  const known = kept.value.results[size];
  if (known !== undefined && 'VideoEncoder' in globalThis) return known;
  const result = await runCard(order, signal);
  if (result.encoder !== null) {
    kept.value = { by: maker(), results: { ...kept.value.results, [size]: result } };
  }
  return result;
}

/** The encoder is not as its card was. */
export function forgetCards(): void {
  kept.value = NONE;
}

/** Runs the card, also if its result is known. */
export async function runCard(order: CardOrder, signal: AbortSignal): Promise<CardResult> {
  const failed = (detail: string): CardResult => ({ encoder: null, checks: [{ name: 'codec', ok: false, detail }] });
  if (!('VideoEncoder' in globalThis)) return failed(texts.noWebCodecs);
  return askWorker<CardResult>(order, failed, signal);
}

/** Whether the fonts of every video load. */
export async function checkFonts(signal: AbortSignal): Promise<Found> {
  return askWorker<Found>(FONTS_ORDER, (detail) => ({ ok: false, detail }), signal);
}

/** @param failed the result of a worker that fails. */
async function askWorker<T>(
  order: CardOrder | typeof FONTS_ORDER,
  failed: (detail: string) => T,
  signal: AbortSignal,
): Promise<T> {
  const worker = startWorker(WORKER);
  try {
    return await new Promise<T>((resolve, reject) => {
      worker.onmessage = ({ data }: MessageEvent<T>) => resolve(data);
      worker.onerror = ({ message }) => resolve(failed(message || texts.cardFails));
      signal.addEventListener('abort', () => reject(signal.reason));
      worker.postMessage(order);
    });
  } finally {
    worker.terminate();
  }
}

function keyOf({ width, height, rate }: CardOrder): string {
  return `${width}x${height} ${rate.num}/${rate.den}`;
}
