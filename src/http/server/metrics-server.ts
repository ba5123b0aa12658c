import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ExportsApi } from '../../exports/api/exports-api.ts';
import { hasKey } from './api-keys.ts';
import type { Metrics } from './metrics.ts';

interface MetricsServerOptions {
  readonly address: { readonly host: string; readonly port: number };
  /** The token that grants access; null: anyone who can reach the address. */
  readonly key: string | null;
  readonly metrics: Metrics;
  readonly status: ExportsApi['status'];
}

/**
 * A server for `GET /metrics`, separate from the public address. It also reports the health of the node: `/healthz`
 * while the process responds, `/readyz` while it reaches its records. A worker has no other server.
 */
export async function startMetricsServer(options: MetricsServerOptions): Promise<AsyncDisposable & { url: string }> {
  const { address, key, metrics, status } = options;
  const server = createServer(async (request, response) => {
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    const path = request.url?.split('?', 1)[0] ?? '';
    if (isRead && path === '/healthz') return void replyHealth(response, true);
    if (isRead && path === '/readyz') {
      return void replyHealth(
        response,
        await status().then(
          () => true,
          () => false,
        ),
      );
    }
    if (!isRead || path !== '/metrics') return void response.writeHead(404).end();
    if (key !== null && !hasKey(request.headers, key)) {
      return void response.writeHead(401, { 'www-authenticate': 'Bearer realm="tiercut"' }).end();
    }
    try {
      const text = await metrics.text(await status());
      response.writeHead(200, { 'content-type': metrics.contentType, 'cache-control': 'no-store' }).end(text);
    } catch {
      response.writeHead(500).end();
    }
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(address.port, address.host, resolve);
  });
  const { port } = server.address() as AddressInfo;
  const host = address.host.includes(':') ? `[${address.host}]` : address.host;
  return {
    url: `http://${host}:${port}`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function replyHealth(response: ServerResponse, ok: boolean): void {
  const headers = { 'content-type': 'application/json', 'cache-control': 'no-store' };
  response.writeHead(ok ? 200 : 503, headers).end(JSON.stringify({ ok }));
}
