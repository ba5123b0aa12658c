import { createHash } from 'node:crypto';
import { constants, createReadStream, createWriteStream } from 'node:fs';
import { type FileHandle, lstat, mkdir, open } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createInflateRaw } from 'node:zlib';
import {
  ARCHIVE_FILE,
  type ArchivedFile,
  type ArchiveManifest,
  MISSING_FILE,
  PROJECT_FILE,
  readManifest,
} from '../../../archive/project-archive.ts';
import { contentPlace, type PackedFile, readIndex, type ZipSource } from '../../../archive/zip-file.ts';
import { ExportError } from '../../../errors.ts';
import { readJson } from '../../../timeline/json/json-text.ts';
import { shownText } from '../../../timeline/json/shown-value.ts';

/** Far more than the list of a project's files needs. */
const MAX_LIST_BYTES = 32 * 2 ** 20;
const LIST_LIMITS = { maxBytes: MAX_LIST_BYTES, maxDepth: 8, maxValues: 1_000_000 };
/** Documents, which other programs may have compressed well. */
const MAX_TEXT_BYTES = 32 * 2 ** 20;
/** Media do not compress, so a file that becomes this much larger is made to fill the disk. */
const MAX_INFLATION = 100;
const BLOCK_BYTES = 2 ** 18;

/** An archive on disk: a project folder. Nothing outside of it is read. */
export interface ArchiveFolder {
  readonly folder: string;
  readonly manifest: ArchiveManifest;
}

/** @throws `archive.invalid` */
export async function openArchiveFolder(folder: string): Promise<ArchiveFolder> {
  const place = join(folder, ARCHIVE_FILE);
  await using file = await openInside(folder, ARCHIVE_FILE);
  const { size } = await file.stat();
  if (size > MAX_LIST_BYTES) throw invalid(place, `has ${size} bytes. The limit is ${MAX_LIST_BYTES}`);
  const reading = readJson(await file.readFile('utf8'), LIST_LIMITS);
  if ('fault' in reading) throw invalid(place, `cannot be read: ${reading.fault.message.replace(/\.$/, '')}`);
  try {
    return { folder, manifest: readManifest(reading.value) };
  } catch (cause) {
    if (!(cause instanceof ExportError)) throw cause;
    throw new ExportError(cause.kind, cause.code, `${shownText(folder)}: ${cause.message}`, { cause });
  }
}

/** All files that the list of an archive has. */
export function filesOf({ manifest: { revisions, media, thumbnail } }: ArchiveFolder): readonly ArchivedFile[] {
  return [...revisions, ...media, ...(thumbnail === null ? [] : [thumbnail])];
}

/** Checks length and hash of a file of the archive, or only its length. @throws `archive.invalid` */
export async function checkFile({ folder }: ArchiveFolder, listed: ArchivedFile, withHash = true): Promise<void> {
  await using file = await openInside(folder, listed.path);
  const place = join(folder, listed.path);
  const { size } = await file.stat();
  if (size !== listed.bytes) throw invalid(place, `has ${size} bytes, and ${ARCHIVE_FILE} lists ${listed.bytes}`);
  if (!withHash) return;
  const hash = createHash('sha256');
  const block = Buffer.alloc(BLOCK_BYTES);
  for (let { bytesRead } = await file.read(block); bytesRead > 0; { bytesRead } = await file.read(block))
    hash.update(block.subarray(0, bytesRead));
  if (hash.digest('hex') !== listed.sha256) throw invalid(place, `does not have the hash that ${ARCHIVE_FILE} lists`);
}

/** The text of a document. Call `checkFile` before. */
export async function readText({ folder }: ArchiveFolder, { path, bytes }: ArchivedFile): Promise<string> {
  if (bytes > MAX_TEXT_BYTES) throw invalid(join(folder, path), `has ${bytes} bytes. The limit is ${MAX_TEXT_BYTES}`);
  await using file = await openInside(folder, path);
  return file.readFile('utf8');
}

/** A regular file of the folder: neither it nor the folder between them may be a link. */
async function openInside(folder: string, path: string): Promise<FileHandle> {
  const place = join(folder, path);
  const [between, ...deeper] = path.split('/').slice(0, -1);
  if (deeper.length > 0) throw invalid(place, 'is not a place of an archive');
  if (between !== undefined) {
    const stats = await lstat(join(folder, between)).catch(() => null);
    if (stats !== null && !stats.isDirectory()) throw invalid(join(folder, between), 'is not a folder');
  }
  const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;
  const file = await open(place, O_RDONLY | (O_NOFOLLOW ?? 0) | (O_NONBLOCK ?? 0)).catch((cause: unknown) => {
    const code = (cause as NodeJS.ErrnoException).code;
    throw invalid(
      place,
      code === 'ELOOP' ? 'is a link' : code === 'ENOENT' ? 'does not exist' : 'cannot be read',
      cause,
    );
  });
  if ((await file.stat()).isFile()) return file;
  await file.close();
  throw invalid(place, 'is not a file');
}

/**
 * Unpacks an archive into a new folder: its list, and only the files that the list has, with the lengths that it has.
 *
 * @throws `archive.invalid`
 */
export async function unpackArchive(archive: string, folder: string): Promise<ArchiveFolder> {
  await using file = await open(archive, 'r');
  const { size } = await file.stat();
  const read = async (start: number, end: number): Promise<DataView> => {
    const bytes = new Uint8Array(Math.max(0, Math.min(size, end) - start));
    const { bytesRead } = bytes.length === 0 ? { bytesRead: 0 } : await file.read(bytes, 0, bytes.length, start);
    return new DataView(bytes.buffer, 0, bytesRead);
  };
  const source = { size, read };
  const index = await readIndex(source, { notZip: 'is not a .zip file, or a part of it is missing' }).catch((cause) => {
    throw cause instanceof RangeError ? invalid(archive, cause.message) : cause;
  });
  const list = index.find(({ path }) => path === ARCHIVE_FILE);
  if (list === undefined) throw invalid(archive, `has no ${ARCHIVE_FILE}`);
  const files = new Map(index.map((packed) => [packed.path, packed]));
  if (files.size !== index.length) throw invalid(archive, 'has two files with the same name');
  await mkdir(folder, { recursive: true });
  const into = { archive, folder, source };
  await unpackFile(into, list, MAX_LIST_BYTES);
  const unpacked = await openArchiveFolder(folder);
  for (const { path, bytes } of filesOf(unpacked)) {
    const packed = files.get(path);
    if (packed === undefined) throw invalid(archive, `has no ${path}, which ${ARCHIVE_FILE} lists`);
    if (packed.size !== bytes) throw invalid(archive, `has ${packed.size} bytes of ${path}, not ${bytes}`);
    await unpackFile(into, packed, bytes);
  }
  for (const path of [PROJECT_FILE, MISSING_FILE]) {
    const packed = files.get(path);
    if (packed !== undefined) await unpackFile(into, packed, MAX_TEXT_BYTES * 2);
  }
  return unpacked;
}

interface Unpacking {
  readonly archive: string;
  readonly folder: string;
  readonly source: ZipSource;
}

async function unpackFile({ archive, folder, source }: Unpacking, packed: PackedFile, max: number) {
  const { path, size, method } = packed;
  const where = `${archive}: ${path}`;
  if (size > max) throw invalid(where, `has ${size} bytes. The limit is ${max}`);
  if (method !== 0 && method !== 8) throw invalid(where, 'uses an unsupported compression method');
  if (size > MAX_TEXT_BYTES && size > packed.packed * MAX_INFLATION)
    throw invalid(where, `would become ${Math.floor(size / packed.packed)} times as large as it is in the archive`);
  const from = await contentPlace(source, packed);
  if (from === null || from + packed.packed > source.size) throw invalid(where, 'is damaged');
  const place = join(folder, path);
  await mkdir(dirname(place), { recursive: true });
  const bytes =
    packed.packed === 0 ? Readable.from([]) : createReadStream(archive, { start: from, end: from + packed.packed - 1 });
  let written = 0;
  const bounded = new Transform({
    transform: (block: Buffer, _, done) => {
      written += block.length;
      done(written > size ? invalid(where, 'has more bytes than the archive declares') : null, block);
    },
  });
  const inflated = method === 8 ? [createInflateRaw()] : [];
  try {
    await pipeline([bytes, ...inflated, bounded, createWriteStream(place, { flags: 'wx', flush: true })]);
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code?.startsWith('Z_')) throw invalid(where, 'is damaged', cause);
    throw cause;
  }
  if (written !== size) throw invalid(where, 'is damaged');
}

function invalid(place: string, why: string, cause?: unknown): ExportError {
  return new ExportError('malformed', 'archive.invalid', `${shownText(place)} ${why}.`, { cause });
}
