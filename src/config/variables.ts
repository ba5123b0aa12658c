import { LIMIT_VARIABLES } from './limit-variables.ts';
import { SERVICE_VARIABLES } from './service-variables.ts';

/** All variables. Only `readConfig` reads the environment with this table. */
export const VARIABLES = { ...SERVICE_VARIABLES, ...LIMIT_VARIABLES } as const;
