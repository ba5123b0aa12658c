import { readFile } from 'node:fs/promises';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join, normalize } from 'node:path';

/** What plain hosts know. All else is `application/octet-stream`, also WebAssembly. */
const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.webp': 'image/webp',
};

/** A web server for files, which knows nothing of what it serves. */
export interface StaticHost extends AsyncDisposable {
  readonly origin: string;
  /** The requests so far. */
  readonly asked: readonly { readonly path: string; readonly headers: IncomingHttpHeaders }[];
}

interface HostOptions {
  /** The path below which the folder is; it ends with a slash. */
  readonly below?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Serves the files of a folder. */
export async function serveFolder(
  folder: string,
  { below = '/', headers = {} }: HostOptions = {},
): Promise<StaticHost> {
  const asked: StaticHost['asked'][number][] = [];
  const server = createServer(async ({ url = '/', headers: sent }, reply) => {
    const path = normalize(decodeURIComponent(url.split('?', 1)[0]!));
    asked.push({ path, headers: sent });
    const file = path.endsWith('/') ? `${path}index.html` : path;
    const bytes = file.startsWith(below)
      ? await readFile(join(folder, file.slice(below.length))).catch(() => null)
      : null;
    if (bytes === null) reply.writeHead(404, headers).end();
    else
      reply
        .writeHead(200, { ...headers, 'content-type': TYPES[extname(file)] ?? 'application/octet-stream' })
        .end(bytes);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    asked,
    origin: `http://127.0.0.1:${port}`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}
