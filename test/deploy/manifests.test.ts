import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { Ajv } from 'ajv';
import { COMMANDS } from '../../src/cli/command-line/commands.ts';
import { readConfig } from '../../src/config/config.ts';
import { deploymentOf } from '../../src/config/deployment.ts';
import { Metrics } from '../../src/http/server/metrics.ts';

const require = createRequire(import.meta.url);
const { loadAll } = require('js-yaml') as { loadAll(text: string): unknown[] };
const ROOT = join(import.meta.dirname, '..', '..');
const FOLDER = join(ROOT, 'deploy', 'kubernetes');
const MONITORING = join(ROOT, 'deploy', 'monitoring');

interface Probe {
  readonly httpGet: { readonly path: string; readonly port: string };
}

interface Container {
  readonly name: string;
  readonly image: string;
  readonly command: readonly string[];
  readonly ports?: readonly { readonly name: string; readonly containerPort: number }[];
  readonly env?: readonly { readonly name: string; readonly value: string }[];
  readonly securityContext: object;
  readonly startupProbe?: Probe;
  readonly livenessProbe?: Probe;
  readonly readinessProbe?: Probe;
}

interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly data?: Readonly<Record<string, string>>;
  readonly spec?: {
    readonly selector?: { readonly matchLabels?: object };
    readonly scaleTargetRef?: { readonly name: string };
    readonly template?: {
      readonly metadata: { readonly labels: object };
      readonly spec: { readonly securityContext: object; readonly containers: readonly Container[] };
    };
  };
}

/** As `kubectl kustomize` reads them. */
interface Kustomization {
  readonly namespace?: string;
  readonly resources: readonly string[];
  readonly images?: readonly { readonly name: string; readonly newName?: string; readonly newTag?: string }[];
  readonly replicas?: readonly { readonly name: string; readonly count: number }[];
  readonly patches?: readonly { readonly patch: string }[];
}

const FILE = 'kustomization.yaml';

function kustomizationOf(folder: string): Kustomization {
  return loadAll(readFileSync(join(folder, FILE), 'utf8'))[0] as Kustomization;
}

/** The manifests of a folder and of those that it is made of. */
function manifestsOf(folder: string): Manifest[] {
  return kustomizationOf(folder).resources.flatMap((resource) => {
    const path = join(folder, resource);
    return resource.endsWith('.yaml') ? (loadAll(readFileSync(path, 'utf8')) as Manifest[]) : manifestsOf(path);
  });
}

const FOLDERS = readdirSync(FOLDER);
const inFolder = Object.fromEntries(FOLDERS.map((name) => [name, manifestsOf(join(FOLDER, name))]));
const manifests = [
  ...new Map(
    Object.values(inFolder)
      .flat()
      .map((one) => [labelOf(one), one]),
  ).values(),
];

function labelOf({ kind, metadata }: Pick<Manifest, 'kind' | 'metadata'>): string {
  return `${kind} ${metadata.name}`;
}
const pods = manifests.flatMap(({ kind, spec }) => (spec?.template ? [{ kind, ...spec.template.spec }] : []));

test('the manifests contain what a cluster needs', () => {
  assert.deepEqual(manifests.map(labelOf).sort(), [
    'ConfigMap tiercut',
    'Deployment tiercut-api',
    'Deployment tiercut-worker',
    'HorizontalPodAutoscaler tiercut-worker',
    'Job tiercut-migrate',
    'NetworkPolicy tiercut',
    'NetworkPolicy tiercut-api',
    'PodDisruptionBudget tiercut-api',
    'PodDisruptionBudget tiercut-worker',
    'ScaledObject tiercut-worker',
    'Service tiercut',
    'ServiceAccount tiercut',
  ]);
  for (const { kind, spec, metadata } of manifests) {
    if (kind === 'Deployment') assert.deepEqual(spec?.selector?.matchLabels, spec?.template?.metadata.labels);
    if (spec?.scaleTargetRef) assert.equal(spec.scaleTargetRef.name, 'tiercut-worker', metadata.name);
  }
});

test('the settings are variables of this release, and are valid together for every role', () => {
  const { data } = manifests.find(({ kind }) => kind === 'ConfigMap')!;
  const secrets = { TIERCUT_DATABASE_URL: 'postgres://t:p@db/t', TIERCUT_API_KEYS: 'ann:key-of-ann-1234567' };
  const own = Object.fromEntries(
    pods.flatMap(({ containers }) => containers.flatMap(({ env = [] }) => env.map(({ name, value }) => [name, value]))),
  );
  const config = readConfig({ ...data, ...secrets, ...own });
  for (const role of ['api', 'work'] as const) assert.equal(deploymentOf(config, role).blobs?.scheme, 's3');
  assert.equal(config.metricsAddress?.port, 9090);
});

test('commands exist, probes use declared ports, and containers have no unnecessary rights', () => {
  assert.equal(pods.length, 3);
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string };
  const locked = { allowPrivilegeEscalation: false, readOnlyRootFilesystem: true, capabilities: { drop: ['ALL'] } };
  for (const { containers, securityContext } of pods) {
    assert.partialDeepStrictEqual(securityContext, { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } });
    for (const container of containers) {
      const { name, image, command, ports = [], startupProbe, livenessProbe, readinessProbe } = container;
      assert.equal(image, `tiercut:${version}`);
      assert.ok(Object.hasOwn(COMMANDS, command[2]!), command.join(' '));
      assert.deepEqual(container.securityContext, locked, name);
      for (const probe of [startupProbe, livenessProbe, readinessProbe]) {
        if (probe === undefined) continue;
        assert.ok(['/healthz', '/readyz'].includes(probe.httpGet.path));
        assert.ok(
          ports.some((port) => port.name === probe.httpGet.port),
          `${name} has no port ${probe.httpGet.port}`,
        );
      }
      if (name !== 'migrate') assert.ok(startupProbe && livenessProbe && readinessProbe, name);
    }
  }
});

test('every metric in alerts, dashboards and autoscalers exists', async () => {
  using metrics = new Metrics();
  const status = { takesIn: true, checks: [], exportsByState: {}, jobsWaiting: 0, jobsRunning: 0, freeDiskBytes: 1 };
  const known = new Set([...(await metrics.text(status)).matchAll(/^# TYPE (\w+)/gm)].map(([, name]) => name!));
  const texts = [
    ...['alerts.yaml', 'grafana-dashboard.json'].map((name) => readFileSync(join(MONITORING, name), 'utf8')),
    ...manifests.map((manifest) => JSON.stringify(manifest)),
  ];
  const used = texts.flatMap((text) => [...text.matchAll(/\btiercut_\w+/g)].map(([name]) => name));
  assert.ok(used.length > 20);
  for (const name of used) assert.ok(known.has(name.replace(/_(bucket|count|sum)$/, '')), name);
  const [alerts] = loadAll(readFileSync(join(MONITORING, 'alerts.yaml'), 'utf8')) as [
    { groups: { rules: { alert: string; expr: string; labels: object; annotations: object }[] }[] },
  ];
  for (const { alert, expr, labels, annotations } of alerts.groups.flatMap(({ rules }) => rules)) {
    assert.ok(expr && labels && annotations, alert);
  }
  const { panels } = JSON.parse(readFileSync(join(MONITORING, 'grafana-dashboard.json'), 'utf8'));
  assert.ok(panels.length >= 10);
});

const text = { type: 'string', minLength: 1 };
const listOf = (items: object) => ({ type: 'array', items, minItems: 1 });
const objectOf = (properties: object, required: readonly string[] = Object.keys(properties)) => ({
  ...{ type: 'object', properties, required, additionalProperties: false },
});
/** Of Kustomize, the fields that we use: any other is a mistake. */
const KUSTOMIZATION = objectOf(
  {
    apiVersion: { const: 'kustomize.config.k8s.io/v1beta1' },
    kind: { const: 'Kustomization' },
    namespace: text,
    resources: listOf(text),
    images: listOf(objectOf({ name: text, newName: text, newTag: text }, ['name', 'newName'])),
    replicas: listOf(objectOf({ name: text, count: { type: 'integer', minimum: 1 } })),
    patches: listOf(objectOf({ patch: text })),
  },
  ['apiVersion', 'kind', 'resources'],
);

test('each overlay is a Kustomization whose images, replicas and patches name what it is made of', () => {
  assert.deepEqual(FOLDERS.toSorted(), ['base', 'production', 'with-hpa', 'with-keda']);
  const check = new Ajv().compile(KUSTOMIZATION);
  for (const name of FOLDERS) {
    const folder = join(FOLDER, name);
    const own = kustomizationOf(folder);
    assert.ok(check(own), `${name}: ${JSON.stringify(check.errors)}`);
    const labels = inFolder[name]!.map(labelOf);
    assert.deepEqual(new Set(labels).size, labels.length, `${name} has nothing twice`);
    // Kustomize refuses files outside of the folder, and a folder above it.
    for (const resource of own.resources) assert.match(resource, /^(?:\.\.\/)?[a-z-]+(?:\.yaml)?$/);
    for (const file of readdirSync(folder)) assert.ok(file === FILE || own.resources.includes(file), file);
    for (const image of own.images ?? []) {
      const images = pods.flatMap(({ containers }) => containers.map(({ image: full }) => full.split(':')[0]));
      assert.ok(images.includes(image.name), image.name);
    }
    for (const { name: of } of own.replicas ?? []) assert.ok(labels.includes(`Deployment ${of}`), of);
    for (const { patch } of own.patches ?? []) {
      const [part] = loadAll(patch) as [Manifest];
      const target = inFolder[name]!.find((one) => labelOf(one) === labelOf(part));
      assert.equal(target?.apiVersion, part.apiVersion, `${name} has no ${labelOf(part)}`);
      for (const variable of Object.keys(part.data ?? {})) assert.ok(variable in target!.data!, variable);
      for (const field of Object.keys(part.spec ?? {})) assert.ok(field in target!.spec!, field);
    }
  }
  const { data } = inFolder.base!.find(({ kind }) => kind === 'ConfigMap')!;
  const [patched] = kustomizationOf(join(FOLDER, 'production')).patches!.flatMap(({ patch }) => {
    return (loadAll(patch) as Manifest[]).filter(({ kind }) => kind === 'ConfigMap');
  });
  const secrets = { TIERCUT_DATABASE_URL: 'postgres://t:p@db/t', TIERCUT_API_KEYS: 'ann:key-of-ann-1234567' };
  const config = readConfig({ ...data, ...patched!.data, ...secrets });
  assert.equal(deploymentOf(config, 'api').blobs?.scheme, 's3');
});

/** Where `.ci/generators` has installed the schemas of Kubernetes. */
const INSTALLED = process.env.TIERCUT_TEST_GENERATORS;
const skip = INSTALLED === undefined && 'TIERCUT_TEST_GENERATORS names no folder; .ci/generators makes one';

test('the manifests match the schemas of Kubernetes and KEDA', { skip }, async () => {
  const installed = createRequire(join(INSTALLED!, 'package.json'));
  const keda = join(INSTALLED!, 'node_modules/@kubernetes-models/keda');
  const modelOf = async ({ apiVersion, kind }: (typeof manifests)[number]) => {
    // KEDA's schemas are modules for `import` alone.
    if (apiVersion.startsWith('keda.sh/')) return import(pathToFileURL(join(keda, apiVersion, `${kind}.js`)).href);
    return installed(`kubernetes-models/${apiVersion.includes('/') ? apiVersion : 'v1'}/${kind}`);
  };
  for (const manifest of manifests) {
    const { kind } = manifest;
    const Kind = (await modelOf(manifest))[kind] as new (from: object) => { validate(): void };
    assert.doesNotThrow(() => new Kind(manifest).validate(), `${kind} ${manifest.metadata.name}`);
  }
});
