import type { BlobKey } from '../blob-store.ts';
import type { Transaction } from '../database.ts';
import type { RecordedError, RecordedOutputState, SoundState } from './export-record.ts';
import { CHANGED } from './export-row.ts';

/** The result of starting an output. */
interface OutputStart {
  /** Zero if everything is cached; the assembly can start at once. */
  readonly jobsLeft: number;
  /** True for the first output that starts, unless the sound is cached. */
  readonly soundNeeded: boolean;
}

/** How many jobs of an output are left. At zero the assembly can start; only one caller gets zero. */
interface OutputProgress {
  readonly jobsLeft: number;
  readonly framesDone: number;
}

/**
 * The progress of outputs. Each operation is part of the transaction that ends the job, so nothing is counted twice,
 * and exactly one caller is the last.
 */
export class OutputRecords {
  /**
   * Starts a waiting output with this many chunk jobs; `framesDone` of it are cached, and the sound too if `soundDone`.
   * null if it has already started.
   */
  async start(
    exportId: string,
    preset: string,
    found: { readonly chunkJobs: number; readonly framesDone: number; readonly soundDone: boolean },
    tx: Transaction,
  ): Promise<OutputStart | null> {
    const before = await this.#soundState(exportId, tx);
    // A queued sound is left to its job, which counts it for every output that waits for it.
    const sound = before === 'waiting' ? (found.soundDone ? 'completed' : 'queued') : before;
    const jobsLeft = found.chunkJobs + (sound === 'completed' ? 0 : 1);
    const started = await tx.query(
      `update outputs set state = 'queued', jobs_left = $3, frames_done = $4
       where export_id = $1 and preset = $2 and state = 'waiting' returning preset`,
      [exportId, preset, jobsLeft, found.framesDone],
    );
    if (started.length === 0) return null;
    if (sound !== before) await tx.query('update exports set sound_state = $2 where id = $1', [exportId, sound]);
    await changed(exportId, tx);
    return { jobsLeft, soundNeeded: before === 'waiting' && sound === 'queued' };
  }

  /**
   * Resets an unfinished output to its initial state, with the length and size of a new plan, and the sound as well.
   * The caller drops its jobs.
   */
  async restart(
    exportId: string,
    preset: string,
    plan: {
      readonly width: number;
      readonly height: number;
      readonly totalFrames: number;
      /** Of the whole video; null for a short. */
      readonly durationSeconds: number | null;
      readonly engineVersion: string;
    },
    tx: Transaction,
  ): Promise<void> {
    await tx.query(
      `update outputs set state = 'waiting', jobs_left = 0, frames_done = 0, total_frames = $3, width = $4, height = $5,
         engine_version = $6
       where export_id = $1 and preset = $2 and state in ('waiting', 'queued', 'rendering')`,
      [exportId, preset, plan.totalFrames, plan.width, plan.height, plan.engineVersion],
    );
    await tx.query('delete from live_frames where export_id = $1 and preset = $2', [exportId, preset]);
    await tx.query(`update exports set sound_state = 'waiting', ${CHANGED} where id = $1`, [exportId]);
    if (plan.durationSeconds === null) return;
    await tx.query('update exports set total_frames = $2, duration_seconds = $3 where id = $1', [
      exportId,
      plan.totalFrames,
      plan.durationSeconds,
    ]);
  }

  /** The states of its outputs; empty if there is no export. */
  async statesOf(exportId: string, tx: Transaction): Promise<ReadonlyMap<string, RecordedOutputState>> {
    const sql = 'select preset, state from outputs where export_id = $1';
    const rows = await tx.query<{ preset: string; state: RecordedOutputState }>(sql, [exportId]);
    return new Map(rows.map(({ preset, state }) => [preset, state]));
  }

  /**
   * Records that a worker has started it or died. False if it already has the state, or is neither queued nor
   * rendering. (C35)
   */
  async setState(
    exportId: string,
    preset: string,
    to: Extract<RecordedOutputState, 'queued' | 'rendering'>,
    tx: Transaction,
  ): Promise<boolean> {
    const moved = await tx.query(
      `update outputs set state = $3
       where export_id = $1 and preset = $2 and state in ('queued', 'rendering') and state <> $3 returning preset`,
      [exportId, preset, to],
    );
    if (moved.length > 0) await changed(exportId, tx);
    return moved.length > 0;
  }

  /** Counts a job of chunks, starting at `first`, as done with this many frames. */
  async finishChunks(
    exportId: string,
    preset: string,
    { first, frames }: { readonly first: number; readonly frames: number },
    tx: Transaction,
  ): Promise<OutputProgress> {
    const [[row]] = await Promise.all([
      tx.query<{ jobs_left: number; frames_done: number }>(
        `update outputs set jobs_left = jobs_left - 1, frames_done = frames_done + $3
         where export_id = $1 and preset = $2 and state in ('queued', 'rendering') returning jobs_left, frames_done`,
        [exportId, preset, frames],
      ),
      tx.query('delete from live_frames where export_id = $1 and preset = $2 and first_chunk = $3', [
        exportId,
        preset,
        first,
      ]),
      countOn(exportId, tx),
    ]);
    if (row === undefined) throw new Error(`${preset} of export ${exportId} has chunks, but is not under way`);
    return { jobsLeft: row.jobs_left, framesDone: row.frames_done };
  }

  /**
   * Counts the sound as done, for started outputs and for those that start later. Returns the outputs that wait for
   * nothing else; none if the sound was done before.
   */
  async finishSound(exportId: string, tx: Transaction): Promise<string[]> {
    if ((await this.#soundState(exportId, tx)) === 'completed') return [];
    const [rows] = await Promise.all([
      tx.query<{ preset: string; place: number; jobs_left: number }>(
        `update outputs set jobs_left = jobs_left - 1
         where export_id = $1 and state in ('queued', 'rendering') returning preset, place, jobs_left`,
        [exportId],
      ),
      tx.query(`update exports set sound_state = 'completed', revision = revision + 1 where id = $1`, [exportId]),
    ]);
    const ready = rows.filter(({ jobs_left: jobsLeft }) => jobsLeft === 0);
    return ready.sort((a, b) => a.place - b.place).map(({ preset }) => preset);
  }

  /** Records the MP4 in the blob store. Completing an output that still waits for jobs is a bug. */
  async complete(
    exportId: string,
    preset: string,
    { bytes, sha256, blob }: { readonly bytes: number; readonly sha256: string; readonly blob: BlobKey },
    tx: Transaction,
  ): Promise<void> {
    const rows = await tx.query(
      `update outputs set state = 'completed', bytes = $3, sha256 = $4, blob = $5, frames_done = total_frames
       where export_id = $1 and preset = $2 and jobs_left = 0 and state in ('queued', 'rendering') returning preset`,
      [exportId, preset, bytes, sha256, blob],
    );
    if (rows.length === 0) throw new Error(`${preset} of export ${exportId} is not ready to be completed`);
    await changed(exportId, tx);
  }

  /** Fails an output but not its export, whose selected preset was finished before. (C12) */
  async fail(exportId: string, preset: string, error: RecordedError, tx: Transaction): Promise<void> {
    const rows = await tx.query(
      `update outputs set state = 'failed', error = $3
       where export_id = $1 and preset = $2 and state in ('waiting', 'queued', 'rendering') returning preset`,
      [exportId, preset, JSON.stringify(error)],
    );
    if (rows.length === 0) throw new Error(`${preset} of export ${exportId} fails, but has ended already`);
    await changed(exportId, tx);
  }

  /** Every output whose jobs are in the queue, of all exports. */
  async listUnderWay(tx: Transaction): Promise<{ exportId: string; preset: string; engineVersion: string }[]> {
    const sql = `select o.export_id, o.preset, o.engine_version from outputs o join exports e on e.id = o.export_id
      where o.state in ('queued', 'rendering') and e.state not in ('expired', 'cancelled') order by o.export_id, o.place`;
    const rows = await tx.query<{ export_id: string; preset: string; engine_version: string }>(sql);
    return rows.map(({ export_id: exportId, preset, engine_version: engineVersion }) => ({
      exportId,
      preset,
      engineVersion,
    }));
  }

  async #soundState(exportId: string, tx: Transaction): Promise<SoundState> {
    const [row] = await tx.query<{ sound_state: SoundState }>('select sound_state from exports where id = $1', [
      exportId,
    ]);
    if (row === undefined) throw new Error(`there is no export ${exportId}`);
    return row.sound_state;
  }
}

/** Marks a change of state. */
async function changed(exportId: string, tx: Transaction): Promise<void> {
  await tx.query(`update exports set ${CHANGED} where id = $1`, [exportId]);
}

/** Marks a change of numbers only. */
async function countOn(exportId: string, tx: Transaction): Promise<void> {
  await tx.query('update exports set revision = revision + 1 where id = $1', [exportId]);
}
