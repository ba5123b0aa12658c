import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import { SECONDS } from '../../plan/reveal/course.ts';
import { type Frames, frameAt, frames, secondsOf } from '../../time.ts';
import { sendToRow } from '../carry/item-drag.ts';
import { ItemPicture } from '../carry/item-picture.tsx';
import { rowOfItem } from '../document/board-commands.ts';
import { changeEntries } from '../document/move-entries.ts';
import type { EntryOf } from '../document/project.ts';
import { shortenedBy, withVerdict } from '../document/reveal-course.ts';
import { Icon } from '../kit/icon.tsx';
import { editTimeline } from '../session/edit-timeline.ts';
import { type HeldReveal, heldReveal, heldSeconds, verdictHere, verdictWords } from '../session/reveal-edits.ts';
import { edit, planned, playhead, project, rate, selection, timelineData } from '../session/session.ts';
import { seek } from '../session/transport.ts';
import { fields, units } from '../texts/en/fields.ts';
import * as texts from '../texts/en/inspector.ts';
import * as page from '../texts/en/page.ts';
import { stepped, TypedInput } from './field-input.tsx';
import { RowChips } from './row-chips.tsx';

type Tile = EntryOf<'tier_tiles'>;

/** The fields of a tile that this panel shows instead of the form. */
export const REVEAL_FIELDS = ['tier_item_id', 'position', 'hold', 'stamp_at'] as const;

/** Steps through the reveals in time order; the playhead goes along. */
export function RevealSteps({ tile }: { readonly tile: Tile }) {
  const all = byTime();
  const at = all.findIndex(({ id }) => id === tile.id);
  const go = (by: 1 | -1) => {
    const next = all[(at + by + all.length) % all.length]!;
    selection.value = { kind: 'entries', refs: [{ lane: 'tier_tiles', id: next.id }] };
    seek(frameAt(next.position, rate.value));
  };
  return (
    <div class="nav">
      <button type="button" class="ib" aria-label={texts.previousReveal} onClick={() => go(-1)}>
        <Icon name="left" />
      </button>
      <button type="button" class="ib" aria-label={texts.nextReveal} onClick={() => go(1)}>
        <Icon name="right" />
      </button>
    </div>
  );
}

function byTime(): readonly Tile[] {
  return timelineData.value.tier_tiles.toSorted((a, b) => a.position - b.position);
}

/** The item of a reveal, its row, and its times: when the card comes up, its verdict, and when it lands. (C55) */
export function RevealPanel({ tile }: { readonly tile: Tile }) {
  const reveal = heldReveal.value;
  const put = (name: string, label: string, value: unknown) =>
    edit(label, (draft) => changeEntries(draft, [{ lane: 'tier_tiles', id: tile.id }], name, value));
  return (
    <>
      <ItemLink tile={tile} />
      <div class="fld">
        <span class="l" id="row-of-reveal">
          {texts.row}
        </span>
        <RowChips
          labelledBy="row-of-reveal"
          isOn={(id) => id === (tile.to_row ?? rowOfItem(project.value, tile.tier_item_id)?.id ?? null)}
          onChoose={(id) =>
            tile.to_row === undefined ? sendToRow(tile.tier_item_id, id) : put('to_row', texts.moveReveal, id)
          }
        />
      </div>
      <div class="fields">
        <Seconds
          label={fields.tile.position[0]}
          value={tile.position}
          keep={(seconds) => seconds !== null && put('position', texts.moveReveal, seconds)}
          toPlayhead={{
            label: texts.revealToPlayhead,
            run: () => put('position', texts.moveReveal, toMillis(secondsOf(frames(playhead.value), rate.value))),
          }}
        />
        {reveal !== null && <Verdict reveal={reveal} />}
        <Lands tile={tile} />
      </div>
      {reveal !== null && <Planned reveal={reveal} />}
    </>
  );
}

function Verdict({ reveal }: { readonly reveal: HeldReveal }) {
  const [asSeconds, held] = [secondsOf(reveal.verdict as Frames, rate.value), heldSeconds(reveal)];
  const put = (frame: number) =>
    editTimeline(page.moveVerdict, (data, rules) =>
      withVerdict(data, reveal.ref, frame - reveal.at, { course: reveal.course, rules }),
    );
  return (
    <>
      <Seconds
        label={fields.tile.stamp_at[0]}
        value={asSeconds}
        keep={(seconds) => seconds !== null && put(frameAt(seconds, rate.value))}
        toPlayhead={{ label: texts.verdictToPlayhead, run: verdictHere }}
      />
      <Seconds
        label={texts.heldFor}
        value={held}
        keep={(seconds) => {
          if (seconds === null) return editTimeline(page.moveVerdict, (data) => withUsualHold(data, reveal.tile.id!));
          const { num, den } = rate.value;
          const up = reveal.at + reveal.course.starts + frameAt(SECONDS.spotlight.entrance, rate.value);
          put(up + Math.round((seconds * num) / den));
        }}
      />
    </>
  );
}

/** Without a time of its own, the card is held up as long as the settings say. */
function withUsualHold(data: typeof timelineData.value, id: string): typeof timelineData.value {
  return {
    ...data,
    tier_tiles: data.tier_tiles.map((tile) => {
      if (tile.id !== id) return tile;
      const { hold: _, stamp_at: __, ...rest } = tile;
      return rest;
    }),
  };
}

function Lands({ tile }: { readonly tile: Tile }) {
  const id = useId();
  const course = planned.value.reveals.byTile.get(tile.id);
  if (course === undefined) return null;
  const lands = frameAt(tile.position, rate.value) + course.lands;
  return (
    <div class="fld">
      <label for={id}>{texts.landsAt}</label>
      <Unit>
        <output id={id} class="num reveal-lands">
          {Number(secondsOf(lands as Frames, rate.value).toFixed(2))}
        </output>
      </Unit>
    </div>
  );
}

/** The planned times of a spotlight, which are in no field of the tile. (R26) */
function Planned({ reveal }: { readonly reveal: HeldReveal }) {
  const isAsAsked = reveal.course.style === 'spotlight' && shortenedBy(reveal.course) === 0;
  return (
    <p class={`field-note ${isAsAsked ? 'q' : 'iswarn'}`}>
      {!isAsAsked && <Icon name="warn" />}
      <span>{verdictWords(reveal)}.</span>
    </p>
  );
}

interface SecondsProps {
  readonly label: string;
  readonly value: number;
  /** Null if the field was emptied. */
  readonly keep: (seconds: number | null) => unknown;
  readonly toPlayhead?: { readonly label: string; readonly run: () => void };
}

/** A time in seconds; documents have microseconds, and a person reads thousandths. */
function Seconds({ label, value, keep, toPlayhead }: SecondsProps) {
  const id = useId();
  const shown = String(toMillis(value));
  const read = (text: string) => {
    const trimmed = text.trim().replace(',', '.');
    const seconds = Number(trimmed);
    if (trimmed === shown || !Number.isFinite(seconds) || seconds < 0) return;
    keep(trimmed === '' ? null : seconds);
  };
  const input = (
    <TypedInput
      about={{ id }}
      inputMode="decimal"
      class="num"
      placeholder=""
      text={shown}
      keep={read}
      onStep={(_, by) => keep(Math.max(0, stepped(toMillis(value), by)))}
    />
  );
  return (
    <div class="fld">
      <label for={id}>{label}</label>
      {toPlayhead === undefined ? (
        <Unit>{input}</Unit>
      ) : (
        <div class="with">
          {input}
          <button
            type="button"
            class="ib"
            aria-label={toPlayhead.label}
            title={toPlayhead.label}
            onClick={toPlayhead.run}
          >
            <Icon name="target" />
          </button>
        </div>
      )}
    </div>
  );
}

function Unit({ children }: { readonly children: ComponentChildren }) {
  return (
    <span class="unit-field">
      {children}
      <span class="unit">{units.seconds}</span>
    </span>
  );
}

function toMillis(seconds: number): number {
  return Math.round(seconds * 1000) / 1000;
}

function ItemLink({ tile }: { readonly tile: Tile }) {
  const item = project.value.tier_list.items.find(({ id }) => id === tile.tier_item_id);
  if (item === undefined) return null;
  const all = byTime();
  return (
    <button
      type="button"
      class="reveal-item"
      title={texts.showItem}
      onClick={() => {
        selection.value = { kind: 'items', ids: [item.id] };
      }}
    >
      <span class="who-picture">
        <ItemPicture item={item} />
      </span>
      <span class="mt">
        <b>{item.name ?? item.id}</b>
        <small>{texts.nthReveal(all.findIndex(({ id }) => id === tile.id) + 1, all.length)}</small>
      </span>
    </button>
  );
}
