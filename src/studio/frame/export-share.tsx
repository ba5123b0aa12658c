import { shareOf } from '../export/export-progress.ts';
import { exportStep, isUnderWay } from '../export/export-state.ts';
import { percent } from '../texts/en/page.ts';

/** How far the render is that goes on meanwhile. */
export function ExportShare() {
  const now = exportStep.value;
  if (now.step !== 'made' || !isUnderWay(now)) return null;
  return <small class="num">{percent(Math.floor(shareOf(now.view) * 100))}</small>;
}
