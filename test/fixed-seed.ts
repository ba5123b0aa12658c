/**
 * Loaded before every test file: properties look at the same examples in every run, so that a red run is about the change
 * at hand. `SEED=7 npm test` looks elsewhere; a failure names its seed.
 */
import fc from 'fast-check';

fc.configureGlobal({ seed: Number(process.env.SEED ?? 20_261_115) });
