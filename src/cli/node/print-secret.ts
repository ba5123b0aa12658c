import { randomBytes } from 'node:crypto';
import { readArguments } from '../command-line/read-arguments.ts';
import type { Terminal } from '../command-line/terminal.ts';

/** `tiercut secret`: a new secret that signs webhooks, in the notation of Standard Webhooks. (C37) */
export async function secretCommand(args: readonly string[], terminal: Terminal): Promise<number> {
  readArguments('secret', args);
  terminal.out(`whsec_${randomBytes(32).toString('base64')}`);
  return 0;
}
