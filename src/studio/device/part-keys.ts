import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import { audioKey, keyChunks } from '../../plan/keys/chunk-key.ts';
import { digestWith } from '../../plan/keys/digest.ts';
import type { Chunk, RenderPlan } from '../../plan/model/render-plan.ts';
import type { UsedEncoder } from '../export/device-messages.ts';
import { encoderConfig, usualEffort } from './encoder-choice.ts';

const digest = digestWith((text) => bytesToHex(sha256(new TextEncoder().encode(text))));

/**
 * What decides the bytes besides the plan: this program, whose file is named by a hash of its content, and the browser with its
 * decoders and encoders.
 */
const MAKER = `${location.pathname} ${navigator.userAgent}`;

/** The keys of chunks of a plan, in order: of the whole or of a short. */
export function chunkKeys(plan: RenderPlan, chunks: readonly Chunk[], encoder: UsedEncoder): string[] {
  return keyChunks(plan, chunks, MAKER, digest).map((chunk) => {
    const effort = usualEffort(plan, chunk);
    return digest([chunk.key, encoder.identity, encoderConfig(plan, encoder, effort), effort.quantizer]);
  });
}

/** The key of the sound of a plan. */
export function soundKey({ audio, sources }: Pick<RenderPlan, 'audio' | 'sources'>): string {
  return audioKey(audio, sources, MAKER, digest);
}
