import * as z from 'zod/mini';

/** zod tests whether it can compile functions. The page's CSP forbids that and would report each test. */
z.config({ jitless: true });
