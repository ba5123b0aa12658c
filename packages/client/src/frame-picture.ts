import type { Connection } from './connection.ts';
import type { FramePicture } from './requests.ts';

/** A frame from an address that shows one. */
export async function framePicture(
  connection: Connection,
  path: string,
  { json, type, signal }: { readonly json: unknown; readonly type: string; readonly signal: AbortSignal | undefined },
): Promise<FramePicture> {
  return connection.again(async () => {
    const response = await connection.send(path, { method: 'POST', headers: { accept: type }, json, signal });
    const number = (name: string) => Number(response.headers.get(name));
    return {
      picture: await response.blob(),
      frame: number('tiercut-frame'),
      frames: number('tiercut-frames'),
      time: number('tiercut-time'),
      warnings: JSON.parse(response.headers.get('tiercut-warnings') ?? '[]'),
    };
  }, signal);
}
