import { effect } from '@preact/signals';
import { TiercutError } from '../../../packages/client/src/client.ts';
import { later } from '../kit/later.tsx';
import { say } from '../kit/messages.ts';
import { keyWanted, service } from '../session/service.ts';
import { face } from '../session/session.ts';
import * as texts from '../texts/en/commands.ts';
import { takeList } from './take-files.ts';

/** Imports pasted or dropped text: URLs of pictures, names one a line, or a table. */
export async function takeText(text: string): Promise<void> {
  const addresses = addressesIn(text);
  if (addresses !== null) await takeAddresses(addresses);
  else if (text.trim() !== '') await takeList(text);
}

const importer = later(() => import('../media/import-files.ts'));

/** The most URLs that are accepted at a time. */
const MAX_ADDRESSES = 50;

/** The URLs of a text that contains nothing else, one a line; null if it is another kind of text. */
function addressesIn(text: string): readonly URL[] | null {
  // A `text/uri-list` may have comments.
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== '' && !line.startsWith('#'));
  const found = lines.map((line) => (/^\s*https?:\/\/\S+\s*$/.test(line) ? URL.parse(line.trim()) : null));
  return found.length > 0 && found.every((url) => url !== null) ? found : null;
}

/**
 * Adds pictures by their URLs, as items. The page's CSP forbids requests to other origins, so the service fetches them (C66). It
 * receives only the URL, nothing else of the project.
 */
async function takeAddresses(urls: readonly URL[]): Promise<void> {
  if (urls.length > MAX_ADDRESSES) say(texts.firstAddresses(MAX_ADDRESSES));
  const files: File[] = [];
  for (const url of urls.slice(0, MAX_ADDRESSES)) {
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

/** A file name from the path of the URL, else its host. */
function fileName({ pathname, host }: URL): string {
  const last = pathname.split('/').findLast((part) => part !== '') ?? host;
  try {
    return decodeURIComponent(last).replaceAll(/[/\\]/g, '_');
  } catch {
    return last;
  }
}
