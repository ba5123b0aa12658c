import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
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

const manifests = readdirSync(FOLDER)
  .filter((name) => name.endsWith('.yaml'))
  .flatMap((name) => loadAll(readFileSync(join(FOLDER, name), 'utf8')) as Manifest[]);
const pods = manifests.flatMap(({ kind, spec }) => (spec?.template ? [{ kind, ...spec.template.spec }] : []));

test('the manifests contain what a cluster needs', () => {
  assert.deepEqual(manifests.map(({ kind, metadata }) => `${kind} ${metadata.name}`).sort(), [
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
