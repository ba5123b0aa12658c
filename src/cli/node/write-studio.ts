import { copyFile, mkdir, readdir, rename, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { modelsDirOf, readConfig } from '../../config/config.ts';
import { ExportError } from '../../errors.ts';
import { type InstalledSpeech, type StaticFile, staticStudio } from '../../http/pages/static/static-studio.ts';
import { installedModel, modelFolder } from '../../speech/models/installed-models.ts';
import { shownText } from '../../timeline/json/shown-value.ts';
import { readArguments } from '../command-line/read-arguments.ts';
import type { WorkTerminal } from '../command-line/terminal.ts';
import { unwritable } from '../project/output-file.ts';

/** `tiercut studio --static DIR`: the studio as files for any static host. (C97) */
export async function studioCommand(args: readonly string[], terminal: WorkTerminal): Promise<number> {
  const { options } = readArguments('studio', args);
  const { static: folder, force, captions } = options;
  const config = readConfig();
  const model = captions ? installedSpeech(modelsDirOf(config)) : null;
  await requireFolderFor(folder, force);
  const files = await staticStudio({ presets: config.presets, limits: config }, model);
  let bytes = 0;
  // Pages come last: they never name a file that is not there, also while the folder is served.
  for (const file of files.toSorted((a, b) => Number(isPage(a)) - Number(isPage(b)))) {
    terminal.signal.throwIfAborted();
    bytes += await write(join(folder, file.path), file).catch((cause: unknown) => {
      throw unwritable(folder, cause);
    });
  }
  const size = `${files.length} files, ${(bytes / 1e6).toFixed(0)} MB`;
  terminal.out(
    `The studio is in ${folder} (${size}). Any web server can serve the folder, over HTTPS or on localhost.`,
  );
  return 0;
}

/** The smallest of the installed models: every visitor who wants captions loads it. @throws `captions.no_model` */
function installedSpeech(modelsDir: string): InstalledSpeech {
  const name = installedModel(modelsDir, 'tiny') ?? installedModel(modelsDir);
  if (name !== null) return { name, folder: modelFolder(modelsDir, name) };
  const message = 'No speech model is installed. Run "tiercut captions install --model tiny" first.';
  throw new ExportError('missing', 'captions.no_model', message);
}

function isPage({ path }: StaticFile): boolean {
  return path.endsWith('.html');
}

/** @throws `cli.unwritable`, `cli.not_empty` */
async function requireFolderFor(folder: string, force: boolean): Promise<void> {
  try {
    await mkdir(folder, { recursive: true });
    const found = await readdir(folder);
    if (found.length === 0 || force) return;
    const message =
      `The folder ${shownText(folder)} is not empty. --force writes the studio into it and replaces what an earlier run has ` +
      'written; other files stay.';
    throw new ExportError('invalid', 'cli.not_empty', message);
  } catch (cause) {
    throw cause instanceof ExportError ? cause : unwritable(folder, cause);
  }
}

/** Replaces a file in one step. A file whose name has its hash is written once. @returns its bytes */
async function write(path: string, { path: name, content }: StaticFile): Promise<number> {
  await mkdir(dirname(path), { recursive: true });
  const fresh = `${path}.unfinished`;
  if (typeof content === 'object' && 'copyOf' in content) {
    const { size } = await stat(content.copyOf);
    const there = await stat(path).catch(() => null);
    if (name.startsWith('fonts/') && there?.size === size) return size;
    await copyFile(content.copyOf, fresh);
  } else await writeFile(fresh, content);
  await rename(fresh, path);
  return (await stat(path)).size;
}
