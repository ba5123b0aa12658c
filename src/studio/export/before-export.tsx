import { useEffect, useRef } from 'preact/hooks';
import { type BoardSummary, isBoardAlone, revealAll } from '../document/automatic-reveals.ts';
import { Icon } from '../kit/icon.tsx';
import { say } from '../kit/messages.ts';
import { spreadEvenly } from '../session/reveal-edits.ts';
import { decided, edit, face, rate } from '../session/session.ts';
import { lengthInFrames, seek } from '../session/transport.ts';
import * as texts from '../texts/en/export.ts';

/** Shown before an export without any reveal: what the video would show, how to add reveals, and how to export anyway. */
export function BeforeExport({
  summary,
  onGo,
  onExport,
}: {
  readonly summary: BoardSummary;
  readonly onGo: () => void;
  readonly onExport: () => void;
}) {
  const first = useRef<HTMLButtonElement>(null);
  useEffect(() => first.current?.focus(), []);
  const seconds = Math.round((lengthInFrames() * rate.value.den * 10) / rate.value.num) / 10;
  const rank = () => {
    face.value = 'board';
    onGo();
    const first = decided.value.template?.episode === undefined ? '.pool .tile' : '.ef-items select';
    requestAnimationFrame(() => document.querySelector<HTMLElement>(first)?.focus());
  };
  const reveal = () => {
    if (isBoardAlone(decided.value)) edit(texts.revealInTurn, revealAll);
    else spreadEvenly();
    face.value = 'preview';
    seek(0);
    onGo();
    say(texts.revealedInTurn);
  };
  return (
    <div class="note before">
      <span>
        <b>{summary.ranked === 0 ? texts.notRankedYet : texts.nothingRevealed}</b>
        {summary.ranked === 0
          ? texts.boardOfEmptyRows(seconds, summary.items)
          : texts.boardWithoutReveals(seconds, summary.ranked)}
      </span>
      <div class="ea-row">
        <button ref={first} type="button" class="bt prim" onClick={summary.ranked === 0 ? rank : reveal}>
          <Icon name={summary.ranked === 0 ? 'board' : 'reveal'} />
          {summary.ranked === 0 ? texts.rankFirst : texts.revealInTurn}
        </button>
        <button type="button" class="bt" onClick={onExport}>
          {texts.exportAnyway}
        </button>
      </div>
    </div>
  );
}

/** Reports items that are not ranked; null if there are none. */
export function notRanked({ items, ranked, seen }: BoardSummary): string | null {
  if (!seen || ranked === items) return null;
  return texts.itemsNotRanked(items - ranked, items);
}
