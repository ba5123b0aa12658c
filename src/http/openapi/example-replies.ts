import type { ExportState, ExportView } from '../../exports/api/export-view.ts';
import type { HttpConfig } from '../server/http-config.ts';
import { exportMetadata } from '../wire/export-metadata.ts';
import { EXAMPLE_REQUEST } from './example-request.ts';

const ID = '6f1c9a52-1f0b-4b6e-9d0a-3a5c2e7f8b10';
const CREATED_AT_MS = Date.UTC(2026, 0, 2, 12);
const DAY_MS = 86_400_000;

/** The metadata of an export, made by the same code as all metadata, so that the example stays true. */
export function exampleExport(
  { presets }: Pick<HttpConfig, 'presets'>,
  state: Extract<ExportState, 'queued' | 'completed'>,
) {
  const done = state === 'completed';
  const [{ name: preset, width, height }] = presets;
  const view: ExportView = {
    id: ID,
    revision: done ? 12 : 1,
    stateRevision: done ? 12 : 1,
    fetching: null,
    settled: done,
    state,
    progress: done ? 1 : 0,
    settings: {
      ...{ preset, width, height, fps: 30, quality: 'balanced', encoderPreset: 'veryfast' },
      ...{ audioBitrateKbps: 192, fileName: 'Snacks, ranked.mp4' },
    },
    durationSeconds: 10,
    outputs: presets.map((preset) => ({
      preset: preset.name,
      state,
      progress: done ? 1 : 0,
      width: preset.width,
      height: preset.height,
      bytes: done ? 1_482_301 : null,
      sha256: done ? '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08' : null,
      failure: null,
      destination: null,
    })),
    shorts: [],
    warnings: [],
    createdAtMs: CREATED_AT_MS,
    expiresAtMs: done ? CREATED_AT_MS + DAY_MS : null,
    failure: null,
    title: EXAMPLE_REQUEST.tier_list.title,
    externalId: 'project-7',
  };
  return exportMetadata(view);
}

/** A list of one, with a next page. */
export function exampleList(config: Pick<HttpConfig, 'presets'>) {
  const exports = [exampleExport(config, 'completed')];
  return { ok: true, exports, next: 'MTc2NzM1NTIwMDAwMCA2ZjFj', warnings: [] };
}
