import assert from 'node:assert/strict';
import { svgBombs } from '../../test/hostile/files/svg-bombs.ts';
import { clipsForm, itemsForm } from '../../test/hostile/media/media-request.ts';
import { metadataOf, post } from '../../test/service/export-client.ts';
import type { RemoteAttack } from './attack.ts';

/** SVGs over every limit: as pictures of items each becomes a card with a warning, and as a clip none is accepted. */
export const svgBombsAsItems: RemoteAttack = {
  name: 'svg',
  rule: 'H12',
  needs: 'key',
  seconds: 120,
  async run(target) {
    const bombs = svgBombs('/etc/passwd');
    const count = Object.keys(bombs).length;
    const cost = await target.cost(async () => {
      const { state, warnings } = await metadataOf(await post(target, itemsForm(bombs), target.ann), 201);
      assert.equal(state, 'completed');
      const refused = warnings.filter(({ code }) => code === 'paint.image_too_complex');
      assert.deepEqual(
        refused.map(({ path }) => Number(/^\/tier_list\/items\/(\d+)/.exec(path)?.[1])).sort(),
        [...Array(count).keys()],
        JSON.stringify(warnings),
      );
    });
    const huge = { 'huge.svg': '<svg xmlns="http://www.w3.org/2000/svg" width="99999" height="99999"/>' };
    const clips = await post(target, clipsForm({ ...bombs, ...huge }), target.ann);
    await clips.text();
    return {
      held: clips.status === 422,
      figure: `${count} items become cards, ${cost.toFixed(1)} s; as clips ${clips.status}`,
    };
  },
};
