/**
 * Loaded before every test file: properties use the same examples in every run, so that a failure is caused by the
 * change. `SEED=7 npm test` uses others; a failure names its seed.
 */
import fc from 'fast-check';

fc.configureGlobal({ seed: Number(process.env.SEED ?? 20_261_115) });
