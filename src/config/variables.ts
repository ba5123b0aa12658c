import { LIMIT_VARIABLES } from './limit-variables.ts';
import { SERVICE_VARIABLES } from './service-variables.ts';

/** Every variable there is. `readConfig` reads the environment with this table; nothing else does. */
export const VARIABLES = { ...SERVICE_VARIABLES, ...LIMIT_VARIABLES } as const;
