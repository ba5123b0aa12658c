import { after, before, describe } from 'node:test';
import { formsSuite } from '../hostile/requests/forms-suite.ts';
import { SLOW_CLIENTS_SETTINGS, slowClientsSuite } from '../hostile/requests/slow-clients-suite.ts';
import { WEBHOOKS_SETTINGS, webhooksSuite } from '../hostile/requests/webhooks-suite.ts';
import { ClusterFixture } from './cluster-fixture.ts';
import { lent } from './lent-cluster.ts';

/**
 * The rules for one attacked process also hold for two API nodes and two workers. Each request goes to another node.
 */
describe('hostile clients of two nodes', () => {
  let cluster: ClusterFixture;
  before(async () => {
    cluster = await ClusterFixture.start({ settings: { ...SLOW_CLIENTS_SETTINGS, ...WEBHOOKS_SETTINGS } });
  });
  after(() => cluster[Symbol.asyncDispose]());
  const shared = async () => lent(cluster);

  describe('forms', () => formsSuite(shared, { damaged: 60, cutEvery: 7 }));
  describe('slow clients', () => slowClientsSuite(shared));
  describe('webhooks', () =>
    webhooksSuite(async (settings) => {
      if ('TIERCUT_PRIVATE_CALLBACKS' in settings) return ClusterFixture.start({ apis: 1, workers: 1, settings });
      return shared();
    }));
});
