import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { createHead } from '../http/serve.ts';
import { eventsOf, seen, statusOf } from '../service/export-client.ts';
import { filesBelow } from '../service/service-fixture.ts';
import { type FaultyCluster, LEASE_SECONDS, type STAGES } from './faulty-cluster.ts';

/** Something goes wrong while exports are made. What it leaves to be waited for is the caller's to wait for, last. */
export type Scene = (cluster: FaultyCluster, label: string) => Promise<(() => Promise<void>) | undefined>;

function workerKilledWhile(stage: keyof typeof STAGES): Scene {
  return async (cluster, label) => {
    await cluster.create(label);
    await cluster.strike(await cluster.workerAt(stage));
    return undefined;
  };
}

/** @param cutSeconds how long the network is away */
export function faultScenes(cutSeconds: number): Readonly<Record<string, Scene>> {
  return {
    'a worker is killed while a chunk is rendered': workerKilledWhile('a chunk is rendered'),
    'a worker is killed while a later chunk is rendered': workerKilledWhile('a second chunk is rendered'),
    'a worker is killed while the sound is made': workerKilledWhile('the sound is made'),
    'a worker is killed while the pieces are put together': workerKilledWhile('the pieces are put together'),

    'a node is killed right after it has acknowledged': async (cluster, label) => {
      const [node] = cluster.nodes.apis;
      const made = await cluster.create(label);
      await cluster.strike(node!);
      assert.equal((await statusOf(cluster.nodes, made.export_id)).export_id, made.export_id);
      return undefined;
    },

    'a node is killed while a file is uploaded to it': async (cluster) => {
      const [node] = cluster.nodes.apis;
      const socket = connect(Number(new URL(node!.base).port), '127.0.0.1');
      socket.on('error', () => {});
      socket.write(createHead(1_000_000, 'Prefer: respond-async'));
      socket.write('--b0undary\r\nContent-Disposition: form-data; name="clip"; filename="c.mp4"\r\n\r\nsome bytes');
      const unfinished = () => filesBelow(join(node!.folder, 'work'), '').filter((file) => file.endsWith('.tmp'));
      await Promise.race([seen('the upload', () => unfinished().length > 0, 5).catch(() => {}), delay(2000)]);
      await cluster.strike(node!);
      assert.deepEqual(unfinished(), [], 'nothing is left of it after the next start');
      return undefined;
    },

    'a node is killed while a client follows an export there': async (cluster, label) => {
      const [node] = cluster.nodes.apis;
      const { export_id } = await cluster.create(label);
      for await (const { data } of eventsOf(node!, export_id)) if (data.state !== 'queued') break;
      await cluster.strike(node!);
      const other = cluster.nodes.apis[1]!;
      return async () => {
        for await (const { data } of eventsOf(other, export_id)) if (data.state === 'completed') return;
        assert.equal((await statusOf(other, export_id)).state, 'completed');
      };
    },

    'a worker is stopped past its lease, and goes on afterwards': async (cluster, label) => {
      await cluster.create(label);
      const worker = await cluster.workerAt('a chunk is rendered');
      worker.signal('SIGSTOP');
      const stoppedMs = performance.now();
      return async () => {
        // Lease, and as long as it takes until somebody looks.
        await delay(Math.max(0, (LEASE_SECONDS + 6) * 1000 - (performance.now() - stoppedMs)));
        worker.signal('SIGCONT');
      };
    },

    'PostgreSQL crashes while exports are made and acknowledged': async (cluster, label) => {
      await cluster.create(label);
      await cluster.workerAt('a chunk is rendered');
      // One that is under way is acknowledged or not; if it is, it is kept.
      const other = cluster.create(`${label}, meanwhile`).catch(() => {});
      await cluster.crashPostgres();
      await other;
      return undefined;
    },

    [`a worker's network is away for ${cutSeconds} s`]: async (cluster, label) => {
      await cluster.create(label);
      cluster.wire.cut();
      const cutMs = performance.now();
      return async () => {
        await delay(Math.max(0, cutSeconds * 1000 - (performance.now() - cutMs)));
        cluster.wire.mend();
      };
    },

    'a node is started while others work': async (cluster, label) => {
      await cluster.create(label);
      await cluster.workerAt('a chunk is rendered');
      const late = await cluster.nodes.addWorker();
      return async () => {
        await late.stop();
        await late[Symbol.asyncDispose]();
        cluster.nodes.workers.splice(cluster.nodes.workers.indexOf(late), 1);
      };
    },
  };
}
