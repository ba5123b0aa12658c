import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ShippedPackage } from './shipped-packages.ts';

const INTRODUCTION = `Tiercut itself is under the MIT license (LICENSE). It ships with, or installs, the packages below.

The FFmpeg libraries inside node-av are built with GPL parts and with libfdk-aac. README.md says what that means for redistribution.
`;

/**
 * The licenses of all shipped packages as one text. Binaries for other platforms are in the lock file but not installed here, so they are
 * listed without a license text.
 */
export async function thirdPartyLicenses(shipped: readonly ShippedPackage[]): Promise<string> {
  const namesByText = new Map<string, string[]>();
  for (const { name, version, license, folder } of shipped) {
    const text = await licenseText(folder);
    namesByText.set(text, [...(namesByText.get(text) ?? []), `${name} ${version}: ${license}`]);
  }
  const sections = [...namesByText].map(([text, names]) => `${[...new Set(names)].sort().join('\n')}\n\n${text}\n`);
  return [INTRODUCTION, ...sections.sort()].join(`\n${'-'.repeat(80)}\n\n`);
}

async function licenseText(folder: string): Promise<string> {
  const files = await readdir(folder).catch(() => []);
  const names = files.filter((file) => /^(licen[cs]e|copying|notice|ofl)/i.test(file)).sort();
  const texts = await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')));
  return (
    texts.map((text) => text.trim()).join('\n\n') ||
    '(The package has no license text, or is not installed on this platform.)'
  );
}
