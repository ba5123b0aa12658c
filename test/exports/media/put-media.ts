import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { isComplete, type MediaView } from '../../../src/exports/api/media-api.ts';
import { uncancelled } from '../../uncancelled.ts';
import type { ExportsFixture } from '../exports-fixture.ts';

/** The SHA-256 of a file. */
export function sumOf(file: string): string {
  return createHash('sha256').update(readFileSync(file)).digest('hex');
}

/** Sends a file by itself, as HTTP would; what is there already is not sent. */
export async function putMedia({ parts }: ExportsFixture, file: string, tenant = 'default'): Promise<MediaView> {
  const [sha256, content] = [sumOf(file), readFileSync(file)];
  const known = await parts.media.keep(tenant, sha256, uncancelled);
  if (known !== null) return known;
  const bytes = content.length;
  await using upload = await parts.media.receive({ tenant, sha256, start: 0, end: bytes, bytes });
  await upload.write(content);
  const came = await upload.finish(uncancelled);
  if (!isComplete(came)) throw new Error('some of it is missing');
  return came;
}
