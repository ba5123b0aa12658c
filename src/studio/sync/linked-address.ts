/** Why the address in a link is refused. */
type AddressFault = 'address' | 'password' | 'insecure';

const LINK = /^#project=(.+)$/s;

/**
 * The address of the project file in the fragment of the page's own address: `#project=https://…`, or relative to the page.
 *
 * @returns null if the fragment is no such link.
 */
export function linkedAddress(hash: string, page: string): URL | AddressFault | null {
  const [, text] = LINK.exec(hash) ?? [];
  if (text === undefined) return null;
  const url = URL.parse(decoded(text), page);
  if (url === null || !/^https?:$/.test(url.protocol)) return 'address';
  if (url.username !== '' || url.password !== '') return 'password';
  if (url.protocol === 'http:' && new URL(page).protocol === 'https:') return 'insecure';
  url.hash = '';
  return url;
}

/** An address may be written as it is, or as `encodeURIComponent` writes it. */
function decoded(text: string): string {
  if (/^https?:\/\//i.test(text)) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
