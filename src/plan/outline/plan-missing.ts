import { ExportError } from '../../errors.ts';

const PLAN_MISSING = 'export.plan_missing';

/** The plan of an export is permanently gone. */
export function planMissing(cause?: unknown): ExportError {
  const message = 'The stored plan of this export is missing or damaged. Send the request again.';
  return new ExportError('internal', PLAN_MISSING, message, { cause });
}

export function isPlanMissing(error: unknown): error is ExportError {
  return error instanceof ExportError && error.code === PLAN_MISSING;
}
