import { randomUUID } from 'node:crypto';
import type { NewExport } from '../../src/store/records/export-record.ts';
import { parse } from '../request-builder.ts';

const SETTINGS = parse({
  tier_list: { title: 'Best of', rows: [], items: [] },
  timeline_data: { subtitles: [{ text: 'Hello', start: 0, duration: 10 }] },
  settings: { fps: 29.97 },
}).settings;

/** An export of three outputs of 300 frames each. */
export function newExport(change: Partial<NewExport> = {}): NewExport {
  const id = randomUUID();
  const output = (preset: string, width: number, height: number) => ({
    preset,
    width,
    height,
    totalFrames: 300,
    engineVersion: 'test',
    short: null,
  });
  return {
    id,
    tenant: 'default',
    createdAtMs: 1_700_000_000_123,
    selectedPreset: 'preset_one',
    settings: SETTINGS,
    title: 'Best of',
    fileName: 'best-of.mp4',
    durationSeconds: 10,
    totalFrames: 300,
    warnings: [],
    requestHash: 'f'.repeat(64),
    idempotencyKey: null,
    callbackUrl: null,
    callbackEvents: [],
    externalId: null,
    metadata: {},
    project: null,
    retentionMs: null,
    uploads: [
      { field: 'clip', hash: 'c'.repeat(64), bytes: 3 * 2 ** 30 },
      { field: 'Bild 1', hash: 'd'.repeat(64), bytes: 1 },
    ],
    outputs: [output('preset_one', 1920, 1080), output('preset_two', 1080, 1920), output('preset_three', 1080, 1080)],
    ...change,
  };
}
