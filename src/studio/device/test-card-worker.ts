import { messageOf } from '../../errors.ts';
import type { PacketIndex } from '../../iso/mp4/sample-table.ts';
import {
  type CardCheck,
  type CardOrder,
  type CardResult,
  type EncoderChoice,
  FONTS_ORDER,
  type Found,
} from '../export/device-messages.ts';
import { reportRejections, workerScope } from '../kit/worker-scope.ts';
import { BrowserFonts } from '../preview/canvas/browser-fonts.ts';
import * as texts from '../texts/en/check.ts';
import { ChunkEncoder, identityOf } from './chunk-encoder.ts';
import { mostEffort } from './chunk-quality.ts';
import { decodePart } from './decode-part.ts';
import { ENCODER_CHOICES, encoderConfig, usualEffort } from './encoder-choice.ts';
import { planesOf } from './luma-likeness.ts';
import { checkSound } from './sound-card.ts';
import { CARD_FRAMES, CardReader, drawCard, isKeyOfCard, shownOfCard } from './test-card.ts';
import { YuvFrames } from './yuv-frames.ts';

reportRejections();

workerScope.onmessage = async ({ data }: MessageEvent<CardOrder | typeof FONTS_ORDER>) => {
  workerScope.postMessage(data === FONTS_ORDER ? await checkFonts() : await testCard(data));
};

/** Loads the fonts that every video uses. */
async function checkFonts(): Promise<Found> {
  try {
    await new BrowserFonts(() => {}).ready([], []);
    return { ok: true, detail: texts.fontsLoaded };
  } catch (error) {
    return { ok: false, detail: messageOf(error) };
  }
}

/** Encodes and decodes the card with each encoder until one is right. */
async function testCard(order: CardOrder): Promise<CardResult> {
  const sound: CardCheck = { name: 'sound', ...(await checkSound()) };
  let checks: readonly CardCheck[] = [{ name: 'codec', ok: false, detail: texts.noWebCodecs }, sound];
  if (!('VideoEncoder' in globalThis) || !('VideoDecoder' in globalThis)) return { encoder: null, checks };
  for (const choice of ENCODER_CHOICES) {
    const config = encoderConfig(planOf(order), choice, usualEffort(planOf(order), WHOLE));
    const { supported } = await VideoEncoder.isConfigSupported(config).catch(() => ({ supported: false }));
    if (!supported) {
      // The reason of the last one that exists says more.
      if (checks.length === 2) checks = [{ name: 'codec', ok: false, detail: texts.noEncoderFor(config.codec) }, sound];
      continue;
    }
    const tried = await tryEncoder(order, choice).catch(
      (error: unknown): Tried => ({ checks: [{ name: 'codec', ok: false, detail: messageOf(error) }], encoder: null }),
    );
    checks = [...tried.checks, sound];
    if (tried.encoder !== null && checks.every(({ ok }) => ok)) return { encoder: tried.encoder, checks };
  }
  return { encoder: null, checks };
}

type Tried = CardResult;

async function tryEncoder(order: CardOrder, choice: EncoderChoice): Promise<Tried> {
  const { width, height } = order;
  const canvas = new OffscreenCanvas(width, height);
  const context = canvas.getContext('2d', { alpha: false, willReadFrequently: true })!;
  const yuv = new YuvFrames(order);
  const reader = new CardReader();
  const encoder = new ChunkEncoder(planOf(order), choice, usualEffort(planOf(order), WHOLE));
  let part: PacketIndex<Blob>;
  let encoded = 0;
  let spentMs = 0;
  let begun = performance.now();
  try {
    for (let n = 0; n < CARD_FRAMES; n += 1) {
      if (shownOfCard(n) !== n) {
        encoder.repeat();
        continue;
      }
      drawCard(context, n);
      yuv.read('below', context);
      yuv.blend('below');
      encoded += 1;
      spentMs += performance.now() - begun;
      reader.drawn(n, await planesOf(yuv.frame(0, 1)));
      begun = performance.now();
      await encoder.encode(n, isKeyOfCard(n), (from, length) => yuv.frame(from, length));
    }
    part = await encoder.finish();
    spentMs += performance.now() - begun;
  } finally {
    encoder.close();
  }
  const identity = identityOf(part);
  const isSame = identity === identityOf(await encodeAtMost(order, choice, yuv));
  const { codec } = encoderConfig(planOf(order), choice, usualEffort(planOf(order), WHOLE));
  await decodePart({ part, codec, isUsed: () => true }, async (frame) => {
    const space = frame.colorSpace.toJSON();
    reader.decoded(await planesOf(frame), space);
  });
  const name = texts.encoderName(codec, choice.hardwareAcceleration === 'prefer-hardware', choice.bitrateMode);
  const found: Readonly<Record<Exclude<CardCheck['name'], 'sound'>, Found>> = {
    codec: { ok: true, detail: name },
    frames: reader.frames(),
    references: reader.references(),
    parts: { ok: isSame, detail: isSame ? texts.sameSets : texts.otherSets },
    range: reader.range(),
    colors: reader.colors(),
    likeness: reader.likeness(),
  };
  const checks = (Object.keys(found) as (keyof typeof found)[]).map((check) => ({ name: check, ...found[check] }));
  return { encoder: { ...choice, identity, framesASecond: (1000 * encoded) / spentMs }, checks };
}

/** The frame that is drawn, with the most effort: chunks of other efforts must have the same parameter sets. */
async function encodeAtMost(order: CardOrder, choice: EncoderChoice, yuv: YuvFrames): Promise<PacketIndex<Blob>> {
  const encoder = new ChunkEncoder(planOf(order), choice, mostEffort(planOf(order), WHOLE));
  try {
    await encoder.encode(0, true, (from, length) => yuv.frame(from, length));
    return await encoder.finish();
  } finally {
    encoder.close();
  }
}

const WHOLE = { start: 0, end: CARD_FRAMES } as Parameters<typeof usualEffort>[1];

/** As much of a plan as decides how a board of this size is encoded. */
function planOf({ width, height, rate }: CardOrder) {
  return { canvas: { width, height }, rate, encoder: { crf: 21 }, spans: [], clips: [] } as unknown as Parameters<
    typeof encoderConfig
  >[0] &
    Parameters<typeof usualEffort>[0];
}
