import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { CLIENT_TYPES, CLIENT_TYPES_COMMAND, clientTypes } from '../../build/client-types.ts';

test('[C31] the types of the client equal those of the OpenAPI document', async () => {
  const current = (await readFile(CLIENT_TYPES, 'utf8')) === (await clientTypes());
  assert.ok(
    current,
    `wire-types.ts of the client is out of date: run \`${CLIENT_TYPES_COMMAND}\` and commit the result`,
  );
});
