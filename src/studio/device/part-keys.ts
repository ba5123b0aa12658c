import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import { audioKey, keyChunks } from '../../plan/keys/chunk-key.ts';
import { digestWith } from '../../plan/keys/digest.ts';
import type { Chunk, RenderPlan } from '../../plan/model/render-plan.ts';
import type { UsedEncoder } from '../export/device-messages.ts';
import { encoderConfig, usualEffort } from './encoder-choice.ts';

const digest = digestWith((text) => bytesToHex(sha256(new TextEncoder().encode(text))));

/**
 * What decides the bytes besides the plan: the program, whose file is named by a hash of its content, and the browser with its
 * decoders and encoders.
 */
function maker(program: string): string {
  return `${program} ${navigator.userAgent}`;
}

/** The keys of chunks of a plan, in order: of the whole or of a short. */
export function chunkKeys(plan: RenderPlan, chunks: readonly Chunk[], encoder: UsedEncoder): string[] {
  return keyChunks(plan, chunks, maker(location.pathname), digest).map((chunk) => {
    const effort = usualEffort(plan, chunk);
    return digest([chunk.key, encoder.identity, encoderConfig(plan, encoder, effort), effort.quantizer]);
  });
}

/**
 * The key of the sound of a plan.
 *
 * @param program the path of the worker that renders it.
 */
export function soundKey({ audio, sources }: Pick<RenderPlan, 'audio' | 'sources'>, program: string): string {
  return audioKey(audio, sources, maker(program), digest);
}
