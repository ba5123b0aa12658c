import { setTimeout as delay } from 'node:timers/promises';
import { AttackedService } from '../../test/hostile/attacked-service.ts';
import type { Attack, Finding, OwnTarget, RemoteAttack, Target } from './attack.ts';

const DEFAULT_SECONDS = 60;
/** For the service to answer after an attack. */
const ALIVE_SECONDS = 20;

/** Two tenants; a create renders one preset. */
const OWN_SETTINGS = {
  TIERCUT_API_KEYS: 'ann:the-key-of-ann-01,bob:the-key-of-bob-01',
  TIERCUT_PRERENDER: 'selected',
};
const ANN = { authorization: 'Bearer the-key-of-ann-01' };
const BOB = { authorization: 'Bearer the-key-of-bob-01' };

/** A running service that somebody else has started. */
export interface RemoteService {
  readonly base: string;
  readonly keys: readonly string[];
}

/** One line of the report. */
export interface Outcome {
  readonly attack: Attack;
  readonly verdict: 'held' | 'broken' | 'skipped';
  readonly figure: string;
}

/** Starts services: one for all attacks of any client, and another for each attack that needs its own. */
export async function* attackOwnService(attacks: readonly Attack[], stop: AbortSignal): AsyncGenerator<Outcome> {
  const remote = attacks.filter((attack) => attack.needs !== 'service');
  if (remote.length > 0) {
    await using service = await AttackedService.start(OWN_SETTINGS);
    const target = ownTarget(service);
    for (const attack of remote) {
      yield await outcomeOf(attack, target, stop, async (signal) => {
        const finding = await attack.run(target, signal);
        await service.assertUnharmed();
        return finding;
      });
    }
  }
  for (const attack of attacks) {
    if (attack.needs !== 'service') continue;
    await using service = await AttackedService.start({ ...OWN_SETTINGS, ...attack.settings });
    const target = ownTarget(service);
    yield await outcomeOf(attack, target, stop, (signal) => attack.run(target, signal));
  }
}

/** Runs what a client can do to a service of which it has the address, and maybe keys. */
export async function* attackAddress(
  attacks: readonly Attack[],
  { base, keys }: RemoteService,
  stop: AbortSignal,
): AsyncGenerator<Outcome> {
  const [ann = {}, bob = {}] = keys.map((key) => ({ authorization: `Bearer ${key}` }));
  const target: Target = {
    base,
    ann,
    bob,
    cost: async (work) => {
      const begun = performance.now();
      await work();
      return (performance.now() - begun) / 1000;
    },
  };
  const open = (await fetch(`${base}/video/exports`, { headers: ann, signal: stop })).status === 200;
  for (const attack of attacks) {
    const missing = missingOf(attack.needs, open, keys.length);
    if (missing !== null) yield { attack, verdict: 'skipped', figure: `needs ${missing}` };
    else yield await outcomeOf(attack, target, stop, (signal) => (attack as RemoteAttack).run(target, signal));
  }
}

/** What the caller has to give for an attack; null if nothing is missing. */
function missingOf(needs: Attack['needs'], open: boolean, keys: number): string | null {
  if (needs === 'service') return 'a service of its own: npm run attack';
  if (needs === 'keys' && keys < 2) return 'the keys of two tenants: --key KEY --key KEY';
  if (needs !== 'address' && !open) return 'the key of a tenant: --key KEY';
  return null;
}

function ownTarget(service: AttackedService): OwnTarget {
  return {
    get base() {
      return service.base;
    },
    ann: ANN,
    bob: BOB,
    service,
    cost: async (work) => {
      const before = service.cpuSeconds();
      await work();
      return service.cpuSeconds() - before;
    },
  };
}

async function outcomeOf(
  attack: Attack,
  target: Target,
  stop: AbortSignal,
  run: (signal: AbortSignal) => Promise<Finding>,
): Promise<Outcome> {
  const seconds = attack.seconds ?? DEFAULT_SECONDS;
  const over = new AbortController();
  const signal = AbortSignal.any([stop, over.signal]);
  try {
    const late = delay(seconds * 1000, null, { signal, ref: false }).catch(() => null);
    const finding = await Promise.race([run(signal), late]);
    if (finding === null) return { attack, verdict: 'broken', figure: `no end after ${seconds} s` };
    const alive = await fetch(`${target.base}/healthz`, { signal: AbortSignal.timeout(ALIVE_SECONDS * 1000) });
    if (alive.status !== 200) throw new Error(`/healthz answers ${alive.status} afterwards`);
    return { attack, verdict: finding.held ? 'held' : 'broken', figure: finding.figure };
  } catch (error) {
    return { attack, verdict: 'broken', figure: oneLine(error) };
  } finally {
    over.abort();
  }
}

function oneLine(error: unknown): string {
  const text = error instanceof Error ? `${error.message}${error.cause ? ` (${error.cause})` : ''}` : String(error);
  return text.replaceAll(/\s+/g, ' ').slice(0, 300);
}
