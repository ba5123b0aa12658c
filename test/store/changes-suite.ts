import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { Changes } from '../../src/store/nodes/node-store.ts';

/** What every `Changes` must do. `open` gives the ends of two nodes, which may be one and the same. */
export function changesSuite(
  adapter: string,
  open: (t: TestContext) => Promise<{ readonly here: Changes; readonly there: Changes }>,
): void {
  test(`${adapter}: a follower of an export gets its changes from every node, and no others`, async (t) => {
    const { here, there } = await open(t);
    for (const [speaker, listener] of [
      [here, here],
      [here, there],
      [there, here],
    ] as const) {
      const [mine, other] = [listener.listen('mine'), listener.listen('other')];
      let reported = false;
      void other.next.then(() => {
        reported = true;
      });
      speaker.notify('mine');
      await mine.next;
      assert.equal(reported, false);
      other.stop();
    }
  });

  test(`${adapter}: earlier changes are not reported, and every listener gets each change`, async (t) => {
    const { here, there } = await open(t);
    const early = there.listen('x');
    here.notify('x');
    await early.next;
    const followers = Array.from({ length: 3 }, () => there.listen('x'));
    here.notify('x');
    await Promise.all(followers.map(({ next }) => next));
  });

  test(`${adapter}: a follower that stops is no longer waited for`, async (t) => {
    const { here } = await open(t);
    const follower = here.listen('x');
    follower.stop();
    await follower.next;
    here.notify('x');
  });
}
