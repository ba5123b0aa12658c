import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { requestOf } from '../load/requests.ts';
import { ended } from '../service/export-client.ts';
import { COMMIT, type Scenes } from './fault-scenes.ts';
import { SlowPost } from './fault-stages.ts';
import type { FaultyCluster } from './faulty-cluster.ts';
import { noisyRequest, withLargeUpload } from './large-requests.ts';
import { cutFirstToSay, type TcpProxy } from './tcp-proxy.ts';

/** The network between a node and PostgreSQL fails for so long. */
export function databaseWireScenes(seconds: number): Scenes {
  return {
    [`a worker's network to PostgreSQL is away for ${seconds} s`]: async (cluster, label) => {
      await cluster.create(label);
      const wires = cluster.nodes.workers.map((worker) => cluster.wiresOf(worker).database);
      return mendedAfter(seconds, await cutFirstToSay(wires, ...COMMIT));
    },
    [`the network of a node that answers to PostgreSQL is away for ${seconds} s`]: async (cluster, label) => {
      const node = await cluster.api();
      const { database } = cluster.wiresOf(node);
      database.cut();
      const after = mendedAfter(seconds, database);
      const answered = new SlowPost(node, requestOf(label)).answer();
      return async () => {
        await after();
        const answer = await answered;
        if (answer?.status === 202) cluster.promised.push(answer.body);
        // If it gave up, it says so; statements that it sent before may still take effect.
        else {
          assert.equal(answer?.status, 503, JSON.stringify(answer));
          cluster.unanswered += 1;
        }
      };
    },
  };
}

/** The network between a node and S3 fails for so long. */
export function filesWireScenes(seconds: number): Scenes {
  return {
    [`S3 is away for ${seconds} s while a large upload is passed on`]: async (cluster, label) => {
      const node = await cluster.api();
      const files = cluster.wiresOf(node).files!;
      const cut = files.cutWhenSaid('partNumber=2');
      const answered = new SlowPost(node, withLargeUpload(requestOf(label))).answer();
      await cut;
      const after = mendedAfter(seconds, files);
      return async () => {
        await after();
        const answer = await answered;
        if (answer?.status === 202) cluster.promised.push(answer.body);
        else assert.equal(answer?.status, 503, JSON.stringify(answer));
      };
    },
    [`S3 is away for ${seconds} s while a chunk is published`]: async (cluster, label) => {
      await cluster.create(label);
      return mendedAfter(seconds, await cutFirstToSay(workersFiles(cluster), '/parts/'));
    },
    [`S3 is away for ${seconds} s while a long video is sent there in parts`]: async (cluster, label) => {
      await cluster.create(label, await noisyRequest(label));
      return mendedAfter(seconds, await cutFirstToSay(workersFiles(cluster), 'partNumber=1'));
    },
    [`S3 is away for ${seconds} s in the middle of a download`]: async (cluster, label) => {
      const { export_id, download_url } = await cluster.create(label, await noisyRequest(label));
      const { outputs, settings } = await ended(cluster.nodes, export_id);
      const node = await cluster.api();
      const files = cluster.wiresOf(node).files!;
      const reply = await fetch(`${node.base}${download_url}`);
      const reader = reply.body!.getReader();
      const hash = createHash('sha256').update((await reader.read()).value!);
      files.cut();
      const after = mendedAfter(seconds, files);
      return async () => {
        await after();
        try {
          for (let next = await reader.read(); !next.done; next = await reader.read()) hash.update(next.value);
        } catch {
          return; // broken off, and the client detects it
        }
        assert.equal(hash.digest('hex'), outputs[settings.preset]!.sha256);
      };
    },
  };
}

/** What a worker does with S3, by what it says there, and how much more it has sent by then. */
const MOMENTS: Readonly<Record<string, readonly [word: string, thenBytes: number]>> = {
  'while an upload is fetched': ['/uploads/', 0],
  'while a chunk is published': ['/parts/', 0],
  'in the middle of a part': ['partNumber=1', 2 ** 20],
  'between two parts': ['partNumber=2', 0],
  'before the upload is completed': ['CompleteMultipartUpload', 0],
};

/** Connections to S3 are reset so often in a row, each time at the same moment. */
export function resetScenes(times: number): Scenes {
  const often = times === 1 ? '' : ` ${times} times in a row`;
  return Object.fromEntries(
    Object.entries(MOMENTS).map(([when, [word, thenBytes]]) => [
      `connections to S3 are reset${often} ${when}`,
      async (cluster, label) => {
        const isLong = !when.startsWith('while');
        await cluster.create(label, isLong ? await noisyRequest(label) : requestOf(label));
        const wires = workersFiles(cluster);
        for (let n = 0; n < times; n += 1) {
          await Promise.race(wires.map((wire) => wire.resetWhenSaid(word, thenBytes)));
          for (const wire of wires) wire.mend();
        }
        return undefined;
      },
    ]),
  );
}

function workersFiles(cluster: FaultyCluster): TcpProxy[] {
  return cluster.nodes.workers.map((node) => cluster.wiresOf(node).files!);
}

let turn = 0;

/** It is cut already. Every other time the connections are dropped meanwhile, as by a firewall. */
function mendedAfter(seconds: number, wire: TcpProxy): () => Promise<void> {
  const cutMs = performance.now();
  turn += 1;
  const forgotten = turn % 2 === 0;
  return async () => {
    await delay(Math.max(0, seconds * 1000 - (performance.now() - cutMs)));
    if (forgotten) wire.reset();
    wire.mend();
  };
}
