import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { Database, Transaction } from '../../src/store/database.ts';

/** What every `Database` must do. `open` gives an empty one and closes it after the test. */
export function databaseSuite(adapter: string, open: (t: TestContext) => Promise<Database>): void {
  async function withTable(t: TestContext): Promise<Database> {
    const database = await open(t);
    await database.query('create table notes (id text primary key, number integer)');
    return database;
  }
  const add = (tx: Transaction, id: string, number: number | null = null) =>
    tx.query('insert into notes (id, number) values ($1, $2)', [id, number]);
  const ids = async (tx: Transaction) =>
    (await tx.query<{ id: string }>('select id from notes order by id')).map(({ id }) => id);

  test(`${adapter}: values are read as they were written`, async (t) => {
    const database = await withTable(t);
    const texts = ['', 'it’s "quoted" $1', '日本語 🎬', 'two\nlines'];
    for (const [number, text] of texts.entries()) await add(database, text, number);
    await add(database, 'null', null);
    await add(database, 'large', 2 ** 31 - 1);
    const rows = await database.query('select id, number from notes where number < 10 order by number');
    assert.deepEqual(
      rows,
      texts.map((id, number) => ({ id, number })),
    );
    assert.deepEqual(await database.query('select number from notes where id = $1', ['null']), [{ number: null }]);
    assert.deepEqual(await database.query('select number from notes where id = $1', ['large']), [
      { number: 2 ** 31 - 1 },
    ]);
  });

  test(`${adapter}: parameters may be used twice and in any order`, async (t) => {
    const database = await withTable(t);
    await add(database, 'a', 7);
    assert.deepEqual(await database.query('select id from notes where number = $2 and id = $1 and $2 > 1', ['a', 7]), [
      { id: 'a' },
    ]);
  });

  test(`${adapter}: too few or too many parameters are reported as a bug`, async (t) => {
    const database = await withTable(t);
    await assert.rejects(database.query('select id from notes where id = $1 and number = $2', ['a']));
    await assert.rejects(database.query('select id from notes where id = $1', ['a', 'b']));
  });

  test(`${adapter}: a transaction that resolves is committed, and returns its result`, async (t) => {
    const database = await withTable(t);
    const result = await database.transaction(async (tx) => {
      await add(tx, 'a');
      await add(tx, 'b');
      return (await ids(tx)).length;
    });
    assert.equal(result, 2);
    assert.deepEqual(await ids(database), ['a', 'b']);
  });

  test(`${adapter}: a transaction that rejects changes nothing, and passes its error to the caller`, async (t) => {
    const database = await withTable(t);
    const reason = new Error('changed my mind');
    const failing = database.transaction(async (tx) => {
      await add(tx, 'a');
      throw reason;
    });
    await assert.rejects(failing, (error) => error === reason);
    assert.deepEqual(await ids(database), []);
    await add(database, 'b');
    assert.deepEqual(await ids(database), ['b'], 'the database is usable afterwards');
  });

  test(`${adapter}: a statement that fails rolls back the whole transaction`, async (t) => {
    const database = await withTable(t);
    await add(database, 'a');
    const failing = database.transaction(async (tx) => {
      await add(tx, 'b');
      await add(tx, 'a');
    });
    await assert.rejects(failing);
    assert.deepEqual(await ids(database), ['a']);
  });

  test(`${adapter}: no reader sees half of a transaction`, async (t) => {
    const database = await withTable(t);
    const half = Promise.withResolvers<void>();
    const writing = database.transaction(async (tx) => {
      await add(tx, 'a');
      await half.promise;
      await add(tx, 'b');
    });
    const reading = ids(database);
    half.resolve();
    await writing;
    const seen = await reading;
    assert.ok(seen.length === 0 || seen.length === 2, `saw ${seen}`);
  });

  test(`${adapter}: a reader of committed data does not wait for a transaction, and does not see its changes`, async (t) => {
    const database = await withTable(t);
    await add(database, 'a');
    const half = Promise.withResolvers<void>();
    const writing = database.transaction(async (tx) => {
      await add(tx, 'b');
      await half.promise;
    });
    assert.deepEqual(await ids(database.committed), ['a']);
    half.resolve();
    await writing;
    assert.deepEqual(await ids(database.committed), ['a', 'b'], 'at once after it was committed');
  });

  test(`${adapter}: committed data is read-only`, async (t) => {
    const database = await withTable(t);
    await assert.rejects(add(database.committed, 'a'));
    assert.deepEqual(await ids(database), []);
  });

  test(`${adapter}: concurrent transactions do not lose each other's changes`, async (t) => {
    const database = await withTable(t);
    await add(database, 'sum', 0);
    const increment = (tx: Transaction) => tx.query(`update notes set number = number + 1 where id = 'sum'`);
    await Promise.all(Array.from({ length: 50 }, () => database.transaction(increment)));
    assert.deepEqual(await database.query('select number from notes'), [{ number: 50 }]);
  });

  for (const [whose, options] of [
    ['of a tenant', () => ({ lockTenant: `it's ann` })],
    ['of all tenants together', (n: number) => ({ lockTenant: `tenant ${n}`, lockAllTenants: true })],
  ] as const) {
    test(`${adapter}: [H39] counts against the limits ${whose} run one after the other`, async (t) => {
      const database = await withTable(t);
      const asLongAsThereIsRoom = (number: number) =>
        database.transaction(async (tx) => {
          const taken = (await tx.query('select id from notes')).length;
          // Long enough for the others to have counted as well.
          for (let n = 0; n < 20; n += 1) await tx.query('select 1');
          if (taken < 3) await add(tx, `${number}`);
        }, options(number));
      await Promise.all(Array.from({ length: 12 }, (_, n) => asLongAsThereIsRoom(n)));
      assert.equal((await ids(database)).length, 3);
    });
  }

  test(`${adapter}: an ended transaction cannot be used`, async (t) => {
    const database = await withTable(t);
    const kept = await database.transaction(async (tx) => ({ tx }));
    await assert.rejects(kept.tx.query('select 1'));
  });

  test(`${adapter}: a closed database refuses calls`, async (t) => {
    const database = await withTable(t);
    const last = add(database, 'a');
    await database.close();
    await last;
    await assert.rejects(database.query('select 1'));
    await assert.rejects(database.committed.query('select 1'));
    await database.close();
  });
}
