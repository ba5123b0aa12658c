import { ChangeHub } from '../../../src/store/nodes/change-hub.ts';
import { changesSuite } from '../changes-suite.ts';

changesSuite('hub', async () => {
  const hub = new ChangeHub();
  return { here: hub, there: hub };
});
