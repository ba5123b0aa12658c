import { readFile } from 'node:fs/promises';
import type { Config } from '../config/config.ts';
import { parseKeyFile, type ScopedKey } from '../config/key-file.ts';
import { ExportError, messageOf } from '../errors.ts';
import type { Log } from '../exports/log.ts';
import type { KeyRing } from '../http/server/identify.ts';
import { FileWatch } from '../platform/file-watch.ts';

/** The keys of a node: those of the variable, and those of the file. (C95) */
interface NodeKeys {
  readonly keys: KeyRing['keys'];
  /** Follows the file until it is disposed. */
  follow(ring: KeyRing, log: Log): Promise<Disposable>;
}

/** @throws `config.key_file` */
export async function readKeys({
  apiKeys,
  apiKeysFile: path,
}: Pick<Config, 'apiKeys' | 'apiKeysFile'>): Promise<NodeKeys> {
  if (path === null) return { keys: apiKeys, follow: async () => ({ [Symbol.dispose]: () => {} }) };
  return {
    keys: [...apiKeys, ...(await keysOf(path, apiKeys))],
    follow: async (ring, log) => {
      const read = async () => {
        try {
          const keys = [...apiKeys, ...(await keysOf(path, apiKeys))];
          ring.replace(keys);
          log('info', 'API keys changed', { keys: keys.length });
        } catch (error) {
          // The keys of before stay: a file that is half written must neither lock clients out nor let anyone in.
          log('error', 'API keys not changed', { reason: messageOf(error) });
        }
      };
      const watch = new FileWatch(() => void read());
      await watch.set([path]);
      // A change between the start of the node and now.
      await read();
      return watch;
    },
  };
}

async function keysOf(path: string, others: Config['apiKeys']): Promise<readonly ScopedKey[]> {
  const text = await readFile(path, 'utf8').catch((cause: unknown) => {
    const message = `TIERCUT_API_KEYS_FILE names ${path}, which cannot be read: ${messageOf(cause)}`;
    throw new ExportError('invalid', 'config.key_file', message, { cause });
  });
  return parseKeyFile(
    text,
    path,
    others.map(({ key }) => key),
  );
}
