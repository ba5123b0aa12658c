import { constants } from 'node:fs';
import { type FileHandle, lstat, open, realpath, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import type { MediaSource } from '../../../packages/client/src/client.ts';
import { ExportError } from '../../errors.ts';
import { shownText } from '../../timeline/json/shown-value.ts';
import { usageError } from '../command-line/read-arguments.ts';
import { unreadableReason } from '../project/project-file.ts';

/** The folder of a path that an agent gave, as the person or a project file meant it. */
interface Scope {
  /** Relative paths begin here. */
  readonly base: string;
  /** The folder of the project file, which may be read too; null without one. */
  readonly project: string | null;
}

/**
 * The folders that an agent may use: those that the person allowed and the working folder. Paths come from agents and
 * from project files of strangers, so a path counts only after all its links are resolved. Hidden files (`.env`,
 * `.ssh`) are never used, unless the person allows their folder itself. (H54)
 */
export class AllowedFolders {
  readonly #allowed: readonly string[];
  readonly #working: string;
  readonly #home: string;

  private constructor(allowed: readonly string[], working: string, home: string) {
    this.#allowed = allowed;
    this.#working = working;
    this.#home = home;
  }

  /** @param dirs the values of `--allow`. @throws `cli.usage` if one is no folder. */
  static async of(dirs: readonly string[]): Promise<AllowedFolders> {
    const wrong: string[] = [];
    const allowed: string[] = [];
    for (const dir of dirs) {
      const real = await realpath(dir).catch(() => null);
      if (real !== null && (await stat(real)).isDirectory()) allowed.push(real);
      else wrong.push(`--allow must be a folder that exists, not ${shownText(dir)}.`);
    }
    if (wrong.length > 0) throw usageError('mcp', wrong);
    return new AllowedFolders(allowed, await realpath('.'), await realOrParent(homedir()));
  }

  /** The working folder, where relative paths begin. */
  get scope(): Scope {
    return { base: this.#working, project: null };
  }

  /**
   * The text of a project file, and the scope of the paths in it. The file itself may be anywhere; the caller checks
   * that it is a project before it uses the scope.
   *
   * @throws `project.unreadable`
   */
  async readProject(given: string, maxBytes: number): Promise<{ readonly text: string; readonly scope: Scope }> {
    const path = resolve(this.#working, given);
    const [real, folder] = await Promise.all([realpath(path), realpath(dirname(path))]).catch((cause: unknown) => {
      throw unreadable(given, unreadableReason(cause), cause);
    });
    await using file = await openFile(given, real);
    const { size } = await file.stat();
    if (size > maxBytes) throw unreadable(given, `has ${size} bytes; at most ${maxBytes} are allowed`);
    return { text: await file.readFile('utf8'), scope: { base: folder, project: folder } };
  }

  /**
   * A file to upload. Each read checks the path again: a link can change in between.
   *
   * @throws `mcp.not_allowed`, `project.unreadable`
   */
  async source(given: string, scope: Scope): Promise<MediaSource> {
    const path = resolve(scope.base, given);
    const openAllowed = async () => {
      // The path itself comes first: what is outside is refused the same way whether it exists or not.
      const real = await realpath(path).catch(async (cause: unknown) => {
        this.#requireReadable(given, await realOrParent(path), scope);
        throw unreadable(given, unreadableReason(cause), cause);
      });
      this.#requireReadable(given, real, scope);
      const file = await openFile(given, real);
      try {
        this.#requireReadable(given, await pathOf(file, real), scope);
        return file;
      } catch (error) {
        await file.close();
        throw error;
      }
    };
    await using first = await openAllowed();
    const { size } = await first.stat();
    return {
      size,
      read: async (start, end) => {
        await using file = await openAllowed();
        const { buffer, bytesRead } = await file.read(new Uint8Array(end - start), 0, end - start, start);
        if (bytesRead < end - start) throw unreadable(given, 'has become shorter while it was read');
        return buffer;
      },
    };
  }

  /**
   * Where a file may be written: the path with all links of its folder resolved.
   *
   * @throws `mcp.not_allowed`, `mcp.exists` if something is there and `overwrite` is false, or if it is no file.
   */
  async target(given: string, overwrite: boolean): Promise<string> {
    const path = resolve(this.#working, given);
    const folder = await realpath(dirname(path)).catch(async (cause: unknown) => {
      this.#requireWritable(given, await realOrParent(dirname(path)));
      throw new ExportError('invalid', 'cli.unwritable', `The folder of ${shownText(given)} does not exist.`, {
        cause,
      });
    });
    const real = join(folder, basename(path));
    this.#requireWritable(given, real);
    if (!/.\.mp4$/i.test(real)) {
      throw new ExportError(
        'invalid',
        'mcp.not_allowed',
        `The name of a video must end in .mp4, not ${shownText(given)}.`,
      );
    }
    const there = await lstat(real).catch(() => null);
    if (there !== null && !(overwrite && there.isFile())) throw alreadyThere(given, there.isFile());
    return real;
  }

  #requireReadable(given: string, real: string, { project }: Scope): void {
    if (this.#isAllowed(real, project === null ? [this.#working] : [project, this.#working])) return;
    throw refusal('read', given, real, project);
  }

  #requireWritable(given: string, real: string): void {
    if (!this.#isAllowed(real, [this.#working])) throw refusal('written', given, real, null);
  }

  /** A folder that nobody allowed does not count if it is the home folder or contains it: secrets are there. */
  #isAllowed(real: string, assumed: readonly string[]): boolean {
    const counting = assumed.filter((folder) => folder !== this.#home && !contains(folder, this.#home));
    return [...this.#allowed, ...counting].some((folder) => contains(folder, real) && !isHidden(folder, real));
  }
}

/** The error of a file that is not overwritten. */
export function alreadyThere(given: string, isFile = true): ExportError {
  const message = isFile
    ? `The file ${shownText(given)} exists. Choose another name, or set overwrite to true.`
    : `${shownText(given)} exists and is no regular file. Choose another name.`;
  return new ExportError('invalid', 'mcp.exists', message);
}

function refusal(done: 'read' | 'written', given: string, real: string, project: string | null): ExportError {
  const leads = real.endsWith(given.replace(/^(\.{0,2}\/)+/, '')) ? '' : `, which leads to ${shownText(real)},`;
  const where = project === null ? 'the working folder' : 'the folder of the project file or the working folder';
  const message =
    `${shownText(given)}${leads} may not be ${done}: it is not below ${where}, or it is hidden, or that folder ` +
    'contains the home folder. A person can allow its folder: tiercut mcp --allow DIR.';
  return new ExportError('invalid', 'mcp.not_allowed', message);
}

/** Whether a path is below a folder. Both are without links. */
function contains(folder: string, path: string): boolean {
  const [first] = relative(folder, path).split(sep);
  return first !== '' && first !== '..';
}

/** Whether a name on the way from a folder to a path is hidden. */
function isHidden(folder: string, path: string): boolean {
  return relative(folder, path)
    .split(sep)
    .some((name) => name.startsWith('.'));
}

/** The real path of the nearest parent that exists, with the rest of the path as it was given. */
async function realOrParent(path: string): Promise<string> {
  const real = await realpath(path).catch(() => null);
  if (real !== null) return real;
  return dirname(path) === path ? path : join(await realOrParent(dirname(path)), basename(path));
}

/** Opens a regular file: a pipe would wait for a writer, and a device has no end. */
async function openFile(given: string, real: string): Promise<FileHandle> {
  const { O_RDONLY, O_NONBLOCK, O_NOFOLLOW } = constants;
  const file = await open(real, O_RDONLY | O_NONBLOCK | O_NOFOLLOW).catch((cause: unknown) => {
    throw unreadable(given, unreadableReason(cause), cause);
  });
  if ((await file.stat()).isFile()) return file;
  await file.close();
  throw unreadable(given, 'is no regular file');
}

/** Where an open file is: a folder of its path can have become a link after it was resolved. */
function pathOf(file: FileHandle, path: string): Promise<string> {
  return realpath(process.platform === 'linux' ? `/proc/self/fd/${file.fd}` : path);
}

function unreadable(given: string, why: string, cause?: unknown): ExportError {
  return new ExportError('missing', 'project.unreadable', `The file ${shownText(given)} ${why}.`, { cause });
}
