import { randomUUID } from 'node:crypto';
import type { NewExport } from '../../store/export-record.ts';
import { secondsOf } from '../../time.ts';
import type { Submission } from '../api/submission.ts';
import type { RequestFile } from '../media/request-files.ts';
import { readCallbackEvents } from './callback-events.ts';
import type { PlannedOutput } from './planning.ts';
import type { RequestRules } from './read-request.ts';

const HOUR_MS = 3_600_000;

/** The part of a plan that the record of an export needs. */
interface RecordedPlan
  extends Pick<PlannedOutput, 'preset' | 'title' | 'rate' | 'totalFrames' | 'warnings' | 'shorts'> {
  readonly canvas: { readonly width: number; readonly height: number };
}

export function newExport(
  submission: Submission,
  plans: readonly RecordedPlan[],
  uploads: ReadonlyMap<string, RequestFile>,
  settings: NewExport['settings'],
  { presets, engineVersion }: RequestRules,
  createdAtMs: number,
): NewExport {
  const id = randomUUID();
  const [selected] = plans as [RecordedPlan, ...RecordedPlan[]];
  const place = new Map(presets.map(({ name }, index) => [name, index]));
  const inOrder = plans.toSorted((a, b) => place.get(a.preset)! - place.get(b.preset)!);
  return {
    id,
    tenant: submission.tenant,
    createdAtMs,
    selectedPreset: selected.preset,
    settings,
    title: selected.title,
    fileName: settings.fileName,
    durationSeconds: secondsOf(selected.totalFrames, selected.rate),
    totalFrames: selected.totalFrames,
    warnings: selected.warnings,
    requestHash: submission.requestHash,
    idempotencyKey: submission.idempotencyKey,
    callbackUrl: submission.callbackUrl,
    callbackEvents: readCallbackEvents(submission.callbackEvents),
    externalId: submission.externalId,
    retentionMs: submission.retentionHours === null ? null : Number(submission.retentionHours) * HOUR_MS,
    uploads: [...uploads].map(([field, { sha256, bytes }]) => ({ field, hash: sha256, bytes })),
    outputs: [...inOrder.map((plan) => ({ ...plan, short: null })), ...inOrder.flatMap(({ shorts }) => shorts)].map(
      ({ preset, canvas: { width, height }, totalFrames, short }) => {
        return { preset, width, height, totalFrames, engineVersion, short };
      },
    ),
  };
}
