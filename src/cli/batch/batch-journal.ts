import { readFile, rename, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isObject } from '../../timeline/json/json-object.ts';

const FILE = '.batch.json';

/**
 * Which videos a batch has made: a run that is stopped and started again makes only the others. A video counts as made
 * as long as its plan is the same and its file was not changed.
 */
export class BatchJournal {
  readonly #path: string;
  readonly #made: Map<string, string>;
  #writing: Promise<void> = Promise.resolve();

  /** A journal that cannot be read is an empty one: its videos are made again. */
  static async open(folder: string): Promise<BatchJournal> {
    const path = join(folder, FILE);
    const text = await readFile(path, 'utf8').catch(() => '{}');
    const json: unknown = await Promise.resolve(text)
      .then(JSON.parse)
      .catch(() => ({}));
    const entries = isObject(json) ? Object.entries(json) : [];
    return new BatchJournal(
      path,
      new Map(entries.filter((one): one is [string, string] => typeof one[1] === 'string')),
    );
  }

  private constructor(path: string, made: Map<string, string>) {
    this.#path = path;
    this.#made = made;
  }

  /** @param plan a hash of everything that makes the video. */
  async has(out: string, plan: string): Promise<boolean> {
    const mark = await markOf(out);
    return mark !== null && this.#made.get(out) === `${plan} ${mark}`;
  }

  async add(out: string, plan: string): Promise<void> {
    this.#made.set(out, `${plan} ${await markOf(out)}`);
    // One at a time: the file has the newest state after the last.
    this.#writing = this.#writing.then(async () => {
      await writeFile(`${this.#path}.part`, JSON.stringify(Object.fromEntries(this.#made)));
      await rename(`${this.#path}.part`, this.#path);
    });
    await this.#writing;
  }
}

async function markOf(file: string): Promise<string | null> {
  const found = await stat(file).catch(() => null);
  return found && `${found.size} ${found.mtimeMs}`;
}
