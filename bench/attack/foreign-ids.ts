import { assertUnknownTo } from '../../test/hostile/requests/foreign-export.ts';
import type { RemoteAttack } from './attack.ts';
import { smallExport } from './small-export.ts';

/** The export of another tenant, on every route and method. */
export const foreignIds: RemoteAttack = {
  name: 'foreign-ids',
  rule: 'H19',
  needs: 'keys',
  async run(target) {
    const { export_id } = await smallExport(target);
    const tried = await assertUnknownTo(target.base, target.bob, export_id);
    return { held: true, figure: `${tried} requests, each answered like an id that never was` };
  },
};
