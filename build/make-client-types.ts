import { writeFile } from 'node:fs/promises';
import { CLIENT_TYPES, clientTypes } from './client-types.ts';

/** `npm run client:types`: writes the types of the client package. */

await writeFile(CLIENT_TYPES, await clientTypes());
