import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { ExportError } from '../../src/errors.ts';
import { BoardKeys } from '../../src/plan/keys/board-key.ts';
import { burstsAt, confettiEnd, confettiSeed } from '../../src/plan/reveal/confetti.ts';
import { frames } from '../../src/time.ts';
import { parse, plan, TIER_LIST } from '../request-builder.ts';

const made = (tier_tiles: object[], settings: object = {}, tier_list: object = TIER_LIST) =>
  plan({ tier_list, timeline_data: { tier_blocks: [{ start: 0, duration: 20 }], tier_tiles }, settings }, {});

/** The items whose landings throw confetti, by their index in the list. */
function throwing(tier_tiles: object[], effects: object): number[] {
  return made(tier_tiles, { effects }).board!.events.flatMap(({ item, confetti }) => (confetti === null ? [] : [item]));
}

test('[C55] a landing throws confetti if its row or its own tile says so; the tile takes precedence', () => {
  const chips = { tier_item_id: 'chips', position: 2 };
  const nuts = { tier_item_id: 'nuts', position: 5, effect: 'none' };
  const fruit = { tier_item_id: 'fruit', position: 8, effect: 'confetti' };
  assert.deepEqual(throwing([chips, nuts, fruit], {}), [2]);
  assert.deepEqual(throwing([chips, nuts, fruit], { s: 'confetti' }), [0, 2]);
  assert.deepEqual(throwing([chips, nuts, fruit], { s: 'none', a: 'confetti' }), [2]);
});

test('[C55] a move counts for the row it lands in, and a hidden one throws nothing', () => {
  const up = { tier_item_id: 'fruit', position: 4, to_row: 's' };
  assert.deepEqual(throwing([up], { s: 'confetti' }), [2]);
  assert.deepEqual(throwing([up], { a: 'confetti' }), []);
  const revealed = { tier_item_id: 'fruit', position: 10 };
  const { events } = made([up, revealed], { effects: { s: 'confetti' } }).board!;
  assert.deepEqual(
    events.map(({ to, confetti }) => [to !== null, confetti !== null]),
    [
      [true, false],
      [false, true],
    ],
    'it is revealed in the row it was moved to before',
  );
});

test('[C55] settings.effects must name existing rows', () => {
  const documents = { tier_list: TIER_LIST, timeline_data: { tier_blocks: [{ start: 0, duration: 9 }] } };
  const found = (effects: object) => {
    try {
      parse({ ...documents, settings: { effects } });
      return [];
    } catch (error) {
      return error instanceof ExportError ? error.issues.map(({ path, code }) => [path, code]) : [];
    }
  };
  assert.deepEqual(found({ s: 'confetti' }), []);
  assert.deepEqual(found({ s: 'confetti', z: 'confetti' }), [['/settings/effects/z', 'row.unknown']]);
  assert.deepEqual(found({ s: 'fireworks' }), [['/settings/effects/s', 'field.choice']]);
});

test('[C55, R18] confetti lasts for 2 s from the landing, and keys have its number, not the id', () => {
  const tiles = [{ tier_item_id: 'chips', position: 2, effect: 'confetti' }];
  for (const fps of [10, 29.97, 60]) {
    const { board, rate, spans } = made(tiles, { fps });
    const [event] = board!.events;
    const end = confettiEnd(event!, rate);
    assert.ok(Math.abs(((end - event!.lands) * rate.den) / rate.num - 2) < rate.den / rate.num);
    const inAir = (frame: number) => burstsAt(board!, frames(frame)).length;
    assert.deepEqual([event!.lands - 1, event!.lands, end - 1, end].map(inAir), [0, 1, 1, 0]);
    const last = spans.find((span) => span.end === end);
    assert.ok(
      last?.layers.some((layer) => layer.kind === 'board' && layer.changes),
      'a span ends with it',
    );
  }
  const renamed = {
    ...TIER_LIST,
    rows: TIER_LIST.rows.map((row) => ({
      ...row,
      item_ids: row.item_ids.map((id) => (id === 'chips' ? 'crisps' : id)),
    })),
    items: TIER_LIST.items.map((item) => (item.id === 'chips' ? { ...item, id: 'crisps' } : item)),
  };
  const other = [{ tier_item_id: 'crisps', position: 2, effect: 'confetti' }];
  const keys = (of: ReturnType<typeof made>) => of.chunks.map(({ key }) => key);
  assert.notEqual(confettiSeed('chips'), confettiSeed('crisps'));
  assert.notDeepEqual(keys(made(other, {}, renamed))[0], keys(made(tiles))[0], 'it flies another way');
  const quiet = (id: string) => [{ tier_item_id: id, position: 2 }];
  assert.deepEqual(keys(made(quiet('crisps'), {}, renamed)), keys(made(quiet('chips'))));
});

test('[C55] the bursts of a frame are found among thousands, in the order of the events', () => {
  const { board, rate } = made([{ tier_item_id: 'chips', position: 2, effect: 'confetti' }]);
  const [event] = board!.events;
  const throwers = fc.array(fc.tuple(fc.nat(200), fc.boolean()), { maxLength: 30 });
  fc.assert(
    fc.property(throwers, fc.nat(300), (thrown, at) => {
      const events = thrown.map(([lands, isThrown], i) => ({
        ...event!,
        lands: frames(lands),
        confetti: isThrown ? i : null,
      }));
      const inAir = events.filter((one) => one.confetti !== null && one.lands <= at && confettiEnd(one, rate) > at);
      assert.deepEqual(
        burstsAt({ events, rate }, frames(at)).map(({ seed }) => seed),
        inAir.map(({ confetti }) => confetti),
      );
    }),
  );
  let reads = 0;
  const events = Array.from({ length: 4000 }, (_, i) => ({
    ...event!,
    get lands() {
      reads += 1;
      return frames(i * 100);
    },
  }));
  burstsAt({ events, rate }, frames(0));
  reads = 0;
  assert.equal(burstsAt({ events, rate }, frames(200_010)).length, 1);
  assert.ok(reads < 100, `${reads} reads`);
});

test('[C55, R18] a burst is computed once for all its chunks', () => {
  const { board } = made([{ tier_item_id: 'chips', position: 2, effect: 'confetti' }]);
  let reads = 0;
  const items = board!.items.map((item) => ({
    ...item,
    get note() {
      reads += 1;
      return item.note;
    },
  }));
  const keys = new BoardKeys({ ...board!, items }, [], false, (value) => JSON.stringify(value));
  const { end } = board!.events[0]!;
  const at = (start: number) => keys.at({ start: frames(start), end: frames(start + 1) });
  const [, , first] = at(end);
  assert.equal(reads, 1);
  const [, , second] = at(end + 1);
  assert.notDeepEqual(second, first, 'it is older there');
  assert.equal(reads, 1);
});
