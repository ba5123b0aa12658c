import { shareOf } from '../export/export-progress.ts';
import { exportStep, isUnderWay } from '../export/export-state.ts';
import { percent } from '../texts/en/page.ts';

/** The progress of a running export. */
export function ExportShare() {
  const now = exportStep.value;
  if (now.step !== 'made' || !isUnderWay(now)) return null;
  return <small class="num">{percent(Math.floor(shareOf(now.view) * 100))}</small>;
}
