import type { Deployment } from '../service/service-fixture.ts';
import type { ClusterFixture } from './cluster-fixture.ts';

/** A cluster that several suites use one after the other: it stays when one of them is done. */
export function lent(cluster: ClusterFixture): Deployment {
  return {
    get base() {
      return cluster.base;
    },
    nodes: cluster.nodes,
    files: (part) => cluster.files(part),
    [Symbol.asyncDispose]: async () => {},
  };
}
