import type { AttackedService } from '../../test/hostile/attacked-service.ts';
import type { ServiceSettings } from '../../test/service/service-fixture.ts';

/** What an attack found. The figure is what it measured, for a person: `0.02 s of processor time for 48 requests`. */
export interface Finding {
  readonly held: boolean;
  readonly figure: string;
}

/** The service that is attacked, as a client sees it. */
export interface Target {
  /** `http://127.0.0.1:41317`. It changes when the service starts again: read it for every request. */
  readonly base: string;
  /** The key of a tenant, as headers; empty if the service has no keys. */
  readonly ann: Readonly<Record<string, string>>;
  /** The key of another tenant. */
  readonly bob: Readonly<Record<string, string>>;
  /** What the service spends while `work` runs: processor seconds of its processes, or elapsed seconds if they are not ours. */
  cost(work: () => Promise<unknown>): Promise<number>;
}

/** A service of its own: its log, folder, memory and processor time are visible; it can be killed and started again. */
export interface OwnTarget extends Target {
  readonly service: AttackedService;
}

interface Row {
  /** Short and unique: `slow-headers`. */
  readonly name: string;
  /** The rule that it tries to break: `H42`. */
  readonly rule: string;
  /** How long it may take; 60 if it does not say. An attack without an end is broken. */
  readonly seconds?: number;
}

/** An attack of any client: with `address` it needs no key, with `key` the key of a tenant, with `keys` those of two. */
export interface RemoteAttack extends Row {
  readonly needs: 'address' | 'key' | 'keys';
  /** @throws if it is broken. An assertion says enough. */
  run(target: Target, signal: AbortSignal): Promise<Finding>;
}

/** An attack that needs a service of its own, with these settings; only `npm run attack` without an address runs it. */
export interface ServiceAttack extends Row {
  readonly needs: 'service';
  readonly settings?: ServiceSettings;
  /** @throws if it is broken. An assertion says enough. */
  run(target: OwnTarget, signal: AbortSignal): Promise<Finding>;
}

/** A row of `ATTACKS`. It sends a fixed number of requests and ends by itself. */
export type Attack = RemoteAttack | ServiceAttack;
