import { writeFile } from 'node:fs/promises';
import { PYTHON_TYPES, pythonTypes } from './python-types.ts';

/** `npm run client:python`: writes the generated part of the Python client. */

await writeFile(PYTHON_TYPES, pythonTypes());
