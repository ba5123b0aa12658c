import { effect } from '@preact/signals';
import { TiercutError } from '../../../packages/client/src/client.ts';
import { later } from '../kit/later.tsx';
import { say } from '../kit/messages.ts';
import { keyWanted, service } from '../service/service.ts';
import { face } from '../session/session.ts';
import * as texts from '../texts/en/commands.ts';

const importer = later(() => import('../media/import-files.ts'));

/** So many addresses are taken at a time. */
const MOST_ADDRESSES = 50;

/** The addresses of a text that has nothing else in it, one a line; null: it is another kind of text. */
export function addressesIn(text: string): readonly URL[] | null {
  // The list of a drop may have comments.
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== '' && !line.startsWith('#'));
  const found = lines.map((line) => (/^\s*https?:\/\/\S+\s*$/.test(line) ? URL.parse(line.trim()) : null));
  return found.length > 0 && found.every((url) => url !== null) ? found : null;
}

/**
 * Pictures by their addresses, as items. The policy of this page lets it ask no other origin, so the service fetches them (C66): the address
 * goes to it, and nothing else of the project does.
 */
export async function takeAddresses(urls: readonly URL[]): Promise<void> {
  if (urls.length > MOST_ADDRESSES) say(texts.firstAddresses(MOST_ADDRESSES));
  const files: File[] = [];
  for (const url of urls.slice(0, MOST_ADDRESSES)) {
    say(texts.fetching(url.host));
    const file = await fetched(url);
    if (file !== null) files.push(file);
  }
  if (files.length === 0) return;
  face.value = 'board';
  await (await importer()).importFiles(files);
}

async function fetched(url: URL): Promise<File | null> {
  const stopTelling = effect(() => {
    if (keyWanted.value) say(texts.keyBeforeFetch, 'bad');
  });
  try {
    const { media } = await service.fetchMedia(url.href);
    return new File([await service.bytes(media)], fileName(url));
  } catch (error) {
    if (!(error instanceof TiercutError)) throw error;
    say(error.errors[0]?.message ?? error.message, 'bad');
    return null;
  } finally {
    stopTelling();
  }
}

/** What the address ends with, or else where it leads to. */
function fileName({ pathname, host }: URL): string {
  const last = pathname.split('/').findLast((part) => part !== '') ?? host;
  try {
    return decodeURIComponent(last).replaceAll(/[/\\]/g, '_');
  } catch {
    return last;
  }
}
