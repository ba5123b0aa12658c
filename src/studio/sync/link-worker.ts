import { workerScope } from '../kit/worker-scope.ts';

/** What to fetch. */
export interface LinkOrder {
  readonly address: string;
  readonly maxBytes: number;
}

/** Why a file could not be fetched. A browser does not tell a site that refuses other sites from one that does not respond. */
type FetchFault = 'unreadable' | 'redirect' | 'status' | 'large';

/** To the page: how much is here, then the file or why there is none. */
export type LinkReply =
  | { readonly bytes: number; readonly of: number | null }
  | { readonly file: Blob }
  | { readonly fault: FetchFault; readonly status: number };

/**
 * Fetches the one file of a link. It is a worker because the page's own policy allows no requests to other sites. The request says
 * nothing of this page or its user: no cookies, no referrer, no redirects to somewhere that nobody agreed to.
 */
workerScope.onmessage = async ({ data: { address, maxBytes } }: MessageEvent<LinkOrder>) => {
  const reply = (message: LinkReply) => workerScope.postMessage(message);
  try {
    const response = await fetch(address, {
      ...{ mode: 'cors', credentials: 'omit', cache: 'no-store' },
      ...{ redirect: 'manual', referrerPolicy: 'no-referrer' },
    });
    if (response.type === 'opaqueredirect') return reply({ fault: 'redirect', status: 0 });
    if (!response.ok) return reply({ fault: 'status', status: response.status });
    const announced = Number(response.headers.get('content-length') ?? Number.NaN);
    const of = Number.isFinite(announced) ? announced : null;
    if (of !== null && of > maxBytes) return reply({ fault: 'large', status: 0 });
    const parts: Uint8Array<ArrayBuffer>[] = [];
    let bytes = 0;
    for await (const part of response.body ?? []) {
      bytes += part.length;
      if (bytes > maxBytes) return reply({ fault: 'large', status: 0 });
      parts.push(part);
      reply({ bytes, of });
    }
    reply({ file: new Blob(parts) });
  } catch {
    reply({ fault: 'unreadable', status: 0 });
  }
};
