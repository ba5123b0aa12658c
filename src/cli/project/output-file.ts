import { mkdtemp, rm, stat } from 'node:fs/promises';
import { dirname, extname, join, parse, resolve } from 'node:path';
import { ExportError } from '../../errors.ts';
import { shownText } from '../../timeline/json/shown-value.ts';

/** The format of a file by its extension, from a table without dots. @throws `cli.usage` */
export function formatByEnding<T>(file: string, formats: Readonly<Record<string, T>>): T {
  const ending = extname(file).slice(1).toLowerCase();
  if (Object.hasOwn(formats, ending)) return formats[ending]!;
  const known = Object.keys(formats).map((known) => `.${known}`);
  const allowed = known.length === 1 ? known[0] : `${known.slice(0, -1).join(', ')} or ${known.at(-1)}`;
  throw new ExportError('invalid', 'cli.usage', `The name of the file must end in ${allowed}, not ${shownText(file)}.`);
}

/** Refuses a path that is a folder before any work is done. @throws `cli.unwritable` */
export async function requireNoFolder(file: string): Promise<void> {
  const there = await stat(file).catch(() => null);
  if (!there?.isDirectory()) return;
  const message = `${shownText(file)} is a folder.`;
  throw new ExportError('invalid', 'cli.unwritable', message);
}

/** A folder for temporary work, removed on dispose. */
interface WorkFolder extends AsyncDisposable {
  readonly path: string;
}

/**
 * A work folder beside the output file, so that the finished file can be moved there in one step. @throws
 * `cli.unwritable`
 */
export async function workFolderBeside(file: string): Promise<WorkFolder> {
  const folder = dirname(resolve(file));
  const path = await mkdtemp(join(folder, '.tiercut-')).catch((cause: unknown) => {
    throw unwritable(folder, cause);
  });
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) };
}

/** The error that a folder cannot be written to, with the reason. */
export function unwritable(folder: string, cause: unknown): ExportError {
  const message = `The folder ${shownText(folder)} ${reasonOf(cause)}.`;
  return new ExportError('invalid', 'cli.unwritable', message, { cause });
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'does not exist',
  ENOTDIR: 'is not a folder',
  EEXIST: 'is not a folder',
  EACCES: 'may not be written to',
  EPERM: 'may not be written to',
  EROFS: 'is on a disk that can only be read',
  ENOSPC: 'is on a disk that is full',
};

function reasonOf(cause: unknown): string {
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
  return REASONS[code] ?? 'cannot be written to';
}

/** `videos/out.mp4` becomes `videos/out-portrait.mp4`. */
export function beside(out: string, what: string): string {
  const { dir, name, ext } = parse(out);
  return join(dir, `${name}-${what}${ext}`);
}
