import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { ShippedPackage } from './shipped-packages.ts';

interface CycloneDx {
  readonly metadata: { readonly component: { readonly version: string } };
  readonly components: readonly { readonly 'bom-ref': string }[];
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[];
}

/** The shipped packages as a CycloneDX document: what `npm sbom` makes of the lock file, without the tools that do not ship. */
export async function billOfMaterials(root: string, shipped: readonly ShippedPackage[]): Promise<string> {
  const args = ['sbom', '--package-lock-only', '--sbom-format=cyclonedx', '--sbom-type=application'];
  const { stdout } = await promisify(execFile)('npm', args, { cwd: root, maxBuffer: 1 << 26 });
  const bom = JSON.parse(stdout) as CycloneDx;
  const self = `tiercut@${bom.metadata.component.version}`;
  const refs = new Set([self, ...shipped.map(({ name, version }) => `${name}@${version}`)]);
  const ships = (ref: string) => refs.has(ref);
  return JSON.stringify({
    ...bom,
    // npm names it after the folder it is in.
    metadata: { ...bom.metadata, component: { ...bom.metadata.component, name: 'tiercut' } },
    components: bom.components.filter((component) => ships(component['bom-ref'])),
    dependencies: bom.dependencies
      .filter(({ ref }) => ships(ref))
      .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter(ships) })),
  });
}
