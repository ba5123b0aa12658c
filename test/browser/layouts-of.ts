import { boardRoom, layoutBoard } from '../../src/paint/layout/board-layout.ts';
import { layoutSubtitle, wordBoxes } from '../../src/paint/layout/text/subtitle-layout.ts';
import type { MeasureText } from '../../src/paint/layout/text/text-measure.ts';
import type { RenderPlan } from '../../src/plan/model/render-plan.ts';

/** The position of everything in a plan, exactly: boards, then texts with their words. Runs here and in a page. */
export function layoutsOf({ painted, board, canvas, theme }: RenderPlan, measure: MeasureText): unknown[] {
  const boards = painted.board.map(({ rect }) => layoutBoard(board!, boardRoom(rect, canvas, theme), measure));
  const texts = painted.subtitle.map((subtitle) => {
    const layout = layoutSubtitle(subtitle, measure);
    return layout && { layout, words: wordBoxes(subtitle, layout, measure) };
  });
  return [...boards, ...texts];
}
