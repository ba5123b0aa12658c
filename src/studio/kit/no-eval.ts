import * as z from 'zod';

/** zod tries whether it may make functions of text; the page's policy says no, and counts the attempt. */
z.config({ jitless: true });
