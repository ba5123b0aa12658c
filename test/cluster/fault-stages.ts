import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import type { ExportMetadata } from '../../src/http/replies/export-replies.ts';
import { FORM_TYPE, formBody } from '../http/form-body.ts';
import { requestOf } from '../load/requests.ts';
import { type ExportRequest, seen, statusOf } from '../service/export-client.ts';
import { descendantsOf } from '../service/process-tree.ts';
import { filesBelow, type ServiceFixture } from '../service/service-fixture.ts';
import type { FaultyCluster } from './faulty-cluster.ts';

const MAX_TRIES = 5;

/** The moment of the fault has not come on any node. */
export class StageMissed extends Error {
  override readonly name = 'StageMissed';
}

/** An export has reached a stage, at this node. */
interface Reached {
  readonly node: ServiceFixture;
  /** What its client still does. */
  readonly rest: () => Promise<void>;
  /** The same, where the node is gone. */
  readonly lost: () => Promise<void>;
}

/** Brings a new export to a stage, and returns at that moment. */
export type Stage = (cluster: FaultyCluster, label: string) => Promise<Reached>;

/** The stations of an export, in their order. */
export const STAGES: Readonly<Record<string, Stage>> = {
  'a file is uploaded': async (cluster, label) => {
    const node = await cluster.api();
    const post = new SlowPost(node, requestOf(label));
    post.sendUpTo(0.5);
    await seen('the upload', () => workOf(node).some((file) => file.endsWith('.tmp')));
    return { node, rest: () => post.finish(cluster), lost: () => post.abandon(cluster) };
  },
  'its media are looked into': async (cluster, label) => {
    const node = await cluster.api();
    const before = descendantsOf(node.pid).length;
    const post = new SlowPost(node, requestOf(label));
    post.sendUpTo(1);
    await seen('the child that looks', () => descendantsOf(node.pid).length > before);
    return { node, rest: () => post.finish(cluster), lost: () => post.abandon(cluster) };
  },
  'a chunk is rendered': atWorker(/made\/preset_one-\d+\.mp4/),
  'its sound is made': atWorker(/made\/sound\.m4a/),
  'its output is assembled': atWorker(/made\/preset_one\.mp4|lent\/part-0\.mp4/),
  'its video is put in its place': atWorker(/taken\/preset_one\.mp4/),
};

async function nothing(): Promise<void> {}

/** A worker is seen at it; if none was, because everything went too fast, another export is tried. */
function atWorker(file: RegExp): Stage {
  return async (cluster, label) => {
    for (let tries = 1; ; tries += 1) {
      const made = await cluster.create(`${label}, try ${tries}`);
      const node = await workerWith(cluster, file, made);
      if (node !== null) return { node, rest: nothing, lost: nothing };
      if (tries === MAX_TRIES) throw new StageMissed(`no worker was seen with ${file}`);
    }
  };
}

/** The first worker that is seen with such a file; null once the export has ended. */
async function workerWith(
  { nodes }: FaultyCluster,
  file: RegExp,
  made: ExportMetadata,
): Promise<ServiceFixture | null> {
  let over = false;
  void (async () => {
    // Never back to false: the caller sets it to true meanwhile.
    while (!over) if (await hasEnded(nodes, made)) over = true;
  })();
  try {
    return await seen(`a worker with ${file}, or the end`, () => {
      const node = nodes.workers.find((worker) => workOf(worker).some((name) => file.test(name)));
      return node ?? (over ? 'over' : null);
    }).then((found) => (found === 'over' ? null : found));
  } finally {
    over = true;
  }
}

async function hasEnded(nodes: FaultyCluster['nodes'], { export_id }: ExportMetadata): Promise<boolean> {
  await new Promise((done) => setTimeout(done, 250));
  return statusOf(nodes, export_id).then(
    ({ state }) => state !== 'queued' && state !== 'rendering',
    () => false,
  );
}

/** The files in a node's work folder. */
export function workOf({ folder }: ServiceFixture): string[] {
  try {
    return filesBelow(join(folder, 'work'), '');
  } catch {
    return []; // it is just being created again
  }
}

/** The same clip as a file of its own for each request: what is known of a file is not looked for again. */
function unknown(file: Buffer, request: string): Buffer {
  if (file.toString('latin1', 4, 8) !== 'ftyp') return file;
  const digest = createHash('sha256').update(request).digest('hex');
  const box = Buffer.concat([Buffer.alloc(4), Buffer.from(`free${digest}`)]);
  box.writeUInt32BE(box.length);
  return Buffer.concat([file, box]);
}

/** A create request that can be sent in steps. */
export class SlowPost {
  readonly #request: ClientRequest;
  readonly #body: Buffer;
  readonly #answered: Promise<IncomingMessage>;
  #sent = 0;

  constructor({ base }: ServiceFixture, { documents, files = {} }: ExportRequest, headers = {}) {
    const texts = Object.entries(documents).map(([name, value]) => ({ name, content: JSON.stringify(value) }));
    const uploads = Object.entries(files).map(([name, file]) => ({
      name,
      content: unknown(readFileSync(file as string), JSON.stringify(documents)),
      fileName: `${name}.mp4`,
    }));
    this.#body = formBody([...texts, ...uploads]);
    this.#request = request(`${base}/video/exports`, {
      method: 'POST',
      agent: false,
      headers: {
        'content-type': FORM_TYPE,
        'content-length': this.#body.length,
        prefer: 'respond-async',
        ...headers,
      },
    });
    this.#answered = once(this.#request, 'response').then(([answer]) => answer as IncomingMessage);
    this.#answered.catch(() => {}); // requested by `answer`
    this.#request.on('error', () => {});
  }

  sendUpTo(share: number): void {
    const end = Math.floor(this.#body.length * share);
    this.#request.write(this.#body.subarray(this.#sent, end));
    this.#sent = end;
  }

  /** The response once all is sent; null if the connection breaks before. */
  async answer(): Promise<{ readonly status: number; readonly body: ExportMetadata } | null> {
    this.#request.end(this.#body.subarray(this.#sent));
    try {
      const answer = await this.#answered;
      return { status: answer.statusCode!, body: (await json(answer)) as ExportMetadata };
    } catch {
      return null;
    }
  }

  /** Sends the rest, which must be accepted. */
  async finish(cluster: FaultyCluster): Promise<void> {
    const answer = await this.answer();
    assert.equal(answer?.status, 202, JSON.stringify(answer));
    cluster.promised.push(answer.body);
  }

  /** The node that got the request is gone. It may or may not have received all of it. */
  async abandon(cluster: FaultyCluster): Promise<void> {
    const answer = await this.answer();
    if (answer?.status === 202) cluster.promised.push(answer.body);
    else cluster.unanswered += 1;
  }
}
