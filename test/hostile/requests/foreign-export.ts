import assert from 'node:assert/strict';

const NEVER = '6f1c9a52-1f0b-4b6e-9d0a-3a5c2e7f8b10';

/** Downloads are not among them: they need the id alone. (C81) */
const ROUTES: readonly (readonly [method: string, path: string, accept?: string])[] = [
  ...['GET', 'HEAD', 'DELETE', 'POST', 'PUT', 'PATCH', 'OPTIONS'].map((method) => [method, ''] as const),
  ...['GET', 'HEAD', 'POST', 'DELETE', 'OPTIONS'].flatMap((method) =>
    ['/events', '/deliveries', '/nothing', '/download', '/poster/x'].map((path) => [method, path] as const),
  ),
  ...['POST', 'DELETE', 'PUT'].flatMap((method) =>
    ['/poster', '/download/preset_one'].map((path) => [method, path] as const),
  ),
  ['GET', '', 'application/json'],
  ['GET', '', 'image/png'],
];

/** To another tenant an export is as unknown as an id that never was, on every route and method; how many were tried. */
export async function assertUnknownTo(
  base: string,
  tenant: Readonly<Record<string, string>>,
  id: string,
): Promise<number> {
  for (const [method, path, accept] of ROUTES) {
    const [theirs, never] = await Promise.all(
      [id, NEVER].map(async (one) => {
        const headers = { ...tenant, ...(accept && { accept }) };
        const reply = await fetch(`${base}/video/exports/${one}${path}`, { method, headers });
        const shown = [...reply.headers].filter(([name]) => !['x-request-id', 'date'].includes(name));
        return { status: reply.status, shown, body: await reply.text() };
      }),
    );
    assert.deepEqual(theirs, never, `${method} ${path}`);
    assert.ok(never!.status >= 400 || method === 'OPTIONS', `${method} ${path}: ${never!.status}`);
  }
  return ROUTES.length;
}
