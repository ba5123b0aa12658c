import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { call, foldersOfPerson, isStored, SECRETS, startAgent } from '../../test/cli/agent.ts';
import { ScratchFolder } from '../../test/cli/tiercut.ts';
import type { RemoteAttack } from './attack.ts';
import { smallExport } from './small-export.ts';

const TOOLS = ['validate', 'frame', 'render'];

/** Project files of a stranger, given to `tiercut mcp`: what they may not name is not uploaded, and no file is replaced. */
export const mcpFiles: RemoteAttack = {
  name: 'mcp-files',
  rule: 'H54',
  needs: 'key',
  async run(target) {
    using folder = new ScratchFolder();
    const { at, projectOf, outside } = foldersOfPerson(folder);
    await using held = new AsyncDisposableStack();
    const key = target.ann.authorization?.replace('Bearer ', '') ?? '';
    const start = { base: target.base, key, cwd: at('home', 'work'), home: at('home') };
    const client = held.adopt(await startAgent(start), (each) => each.close());
    const paths = [...outside, 'media/pipe.png'];
    for (const where of paths) {
      for (const tool of TOOLS) {
        const { isError, shown } = await call(client, tool, {
          file: projectOf(where),
          ...(tool === 'frame' && { at: 0 }),
        });
        assert.ok(isError, `${tool} takes ${where}`);
        assert.match(shown.code, /^(mcp\.not_allowed|project\.unreadable)$/, `${tool} ${where}`);
      }
    }
    for (const secret of [...SECRETS, readFileSync('/etc/passwd', 'utf8')]) {
      assert.equal(await isStored(target.base, target.ann, secret), false, `uploaded: ${secret.slice(0, 20)}`);
    }
    const { export_id } = await smallExport(target);
    const mine = at('home', 'work', 'mine.mp4');
    writeFileSync(mine, 'of the person');
    const saved = await call(client, 'follow', { export_id, save_to: mine });
    assert.equal(saved.shown.code, 'mcp.exists', JSON.stringify(saved.shown));
    const keys = await call(client, 'follow', {
      export_id,
      save_to: at('home', '.ssh', 'id_rsa'),
      overwrite: true,
    });
    assert.equal(keys.shown.code, 'mcp.not_allowed', JSON.stringify(keys.shown));
    const kept =
      readFileSync(mine, 'utf8') === 'of the person' &&
      readFileSync(at('home', '.ssh', 'id_rsa'), 'utf8') === 'SECRET KEY';
    return {
      held: kept,
      figure: kept
        ? `${paths.length} paths, ${TOOLS.length} tools: nothing is uploaded or replaced`
        : 'a file is replaced',
    };
  },
};
