import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { requestOf } from '../load/requests.ts';
import { createAsync, eventsOf, statusOf } from '../service/export-client.ts';
import { descendantsOf } from '../service/process-tree.ts';
import { batchWhileNodesDie } from './batch-scene.ts';
import { SlowPost, STAGES } from './fault-stages.ts';
import { type FaultyCluster, LEASE_SECONDS } from './faulty-cluster.ts';
import { cutFirstToSay } from './tcp-proxy.ts';

/** A fault while exports are made. The caller awaits the remaining work last. */
export type Scene = (cluster: FaultyCluster, label: string) => Promise<(() => Promise<void>) | undefined>;
export type Scenes = Readonly<Record<string, Scene>>;

/** A lease, plus the time until a node checks for expired ones. */
const TAKEN_OVER_MS = (LEASE_SECONDS + 5) * 1000;
/** The first and the last statement of a transaction on an export. */
export const COMMIT = ['for no key update', 'commit\0'] as const;
/**
 * A prepared statement is sent by its name alone; the statement that counts a tenant's limits is sent as text each
 * time.
 */
const COMMIT_OF_NEW = ['pg_advisory_xact_lock(7404', 'commit\0'] as const;

/** A node is killed at a stage: the one that is at it, if it has that role. */
function killedWhile(role: 'worker' | 'api', stage: string): Scene {
  return async (cluster, label) => {
    const { node, rest, lost } = await STAGES[stage]!(cluster, label);
    const { apis, workers } = cluster.nodes;
    const isAtIt = (role === 'worker' ? workers : apis).includes(node);
    const victim = isAtIt ? node : role === 'worker' ? workers[0]! : await cluster.api();
    await cluster.strike(victim);
    await (victim === node ? lost() : rest());
    return undefined;
  };
}

/** Of both kinds, at every stage. */
const KILLS: Scenes = Object.fromEntries(
  Object.keys(STAGES).flatMap((stage) => [
    [`a worker is killed while ${stage}`, killedWhile('worker', stage)],
    [`a node that answers is killed while ${stage}`, killedWhile('api', stage)],
  ]),
);

export const NODE_SCENES: Scenes = {
  ...KILLS,

  'every node is killed in the middle of a batch': batchWhileNodesDie,

  'a node is killed right after it has acknowledged': async (cluster, label) => {
    const node = await cluster.api();
    const made = await createAsync(node, requestOf(label));
    cluster.promised.push(made);
    await cluster.strike(node);
    assert.equal((await statusOf(cluster.nodes, made.export_id)).export_id, made.export_id);
    return undefined;
  },

  'a node is killed while a client follows an export there': async (cluster, label) => {
    const { export_id } = await cluster.create(label);
    const [node, other] = [await cluster.api(), await cluster.api()];
    for await (const { data } of eventsOf(node, export_id)) if (data.state !== 'queued') break;
    await cluster.strike(node);
    return async () => {
      for await (const { data } of eventsOf(other, export_id)) if (data.state === 'completed') return;
      assert.equal((await statusOf(other, export_id)).state, 'completed');
    };
  },

  'the process that renders is killed': async (cluster, label) => {
    const { node } = await STAGES['a chunk is rendered']!(cluster, label);
    for (const child of descendantsOf(node.pid)) process.kill(child, 'SIGKILL');
    return undefined;
  },

  'a worker is stopped past its lease, and goes on afterwards': async (cluster, label) => {
    const { node } = await STAGES['a chunk is rendered']!(cluster, label);
    return stopped(node);
  },

  'a worker is stopped past its lease while its video is put in its place': async (cluster, label) => {
    const { node } = await STAGES['its video is put in its place']!(cluster, label);
    return stopped(node);
  },

  'a node that answers is stopped for a while, in the middle of a create': async (cluster, label) => {
    const { node, rest } = await STAGES['its media are looked into']!(cluster, label);
    const after = stopped(node);
    return async () => {
      await after();
      await rest();
    };
  },

  'a worker is stopped, and another takes over': async (cluster, label) => {
    const { node } = await STAGES['a chunk is rendered']!(cluster, label);
    const { code, seconds } = await node.stop();
    assert.equal(code, 0);
    assert.ok(seconds < 20, `${seconds} s`);
    node.launch();
    return () => node.listening();
  },

  'an export is deleted while its worker is killed': async (cluster, label) => {
    const { node } = await STAGES['a chunk is rendered']!(cluster, label);
    const [made] = cluster.promised.splice(-1);
    const path = `/video/exports/${made!.export_id}`;
    const [reply] = await Promise.all([
      fetch(`${cluster.nodes.base}${path}`, { method: 'DELETE' }),
      cluster.strike(node),
    ]);
    assert.equal(reply.status, 204);
    for (const api of cluster.nodes.apis) assert.equal((await fetch(`${api.base}${path}`)).status, 404);
    return undefined;
  },

  'a worker is started while others work': async (cluster, label) => {
    await STAGES['a chunk is rendered']!(cluster, label);
    const late = await cluster.add('worker');
    return () => cluster.retire(late);
  },

  'a node that answers is started while others work': async (cluster, label) => {
    const { promised } = cluster;
    await STAGES['a chunk is rendered']!(cluster, label);
    const late = await cluster.add('api');
    assert.equal((await statusOf(late, promised.at(-1)!.export_id)).export_id, promised.at(-1)!.export_id);
    return () => cluster.retire(late);
  },
};

export const POSTGRES_SCENES: Scenes = {
  'PostgreSQL crashes while a worker commits what it has done': async (cluster, label) => {
    await cluster.create(label);
    const wires = cluster.nodes.workers.map((worker) => cluster.wiresOf(worker).database);
    const wire = await cutFirstToSay(wires, ...COMMIT);
    await cluster.postgres.stop('immediate');
    wire.mend();
    await cluster.postgres.start();
    return undefined;
  },

  'PostgreSQL crashes while a node commits what it has taken in, and the client asks again': async (cluster, label) => {
    const node = await cluster.api();
    const { database } = cluster.wiresOf(node);
    const key = { 'idempotency-key': randomUUID() };
    const post = new SlowPost(node, requestOf(label), key);
    const [answered] = [post.answer(), await database.cutWhenSaid(...COMMIT_OF_NEW)];
    await cluster.postgres.stop('immediate');
    database.mend();
    await cluster.postgres.start();
    const first = await answered;
    const again = await new SlowPost(await cluster.api(), requestOf(label), key).answer();
    assert.ok(again?.status === 202, JSON.stringify(again));
    if (first?.status === 202) assert.equal(again.body.export_id, first.body.export_id);
    cluster.promised.push(again.body);
    return undefined;
  },

  'PostgreSQL is restarted while exports are made and taken in': async (cluster, label) => {
    await STAGES['a chunk is rendered']!(cluster, label);
    // A create in progress is acknowledged or not; if it is, it is kept.
    const other = cluster.create(`${label}, meanwhile`).catch(() => {
      cluster.unanswered += 1;
    });
    await cluster.restartPostgres('fast');
    await other;
    return undefined;
  },
};

/** SIGSTOP; later, when another node has its jobs, SIGCONT. */
function stopped(node: { signal(signal: 'SIGSTOP' | 'SIGCONT'): void }): () => Promise<void> {
  node.signal('SIGSTOP');
  const stoppedMs = performance.now();
  return async () => {
    await delay(Math.max(0, TAKEN_OVER_MS - (performance.now() - stoppedMs)));
    node.signal('SIGCONT');
  };
}
