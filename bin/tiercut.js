#!/usr/bin/env node
// Plain JavaScript for any Node that npm runs on: starts the program with the Node that comes with it.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { constants } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const NEEDED = 24;
const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** In a clone what builds its sources and runs them, else what was built. */
const entry = [join(root, 'build', 'run.ts'), join(root, 'dist', 'main.js')].find(existsSync);

/** The packaged Node; where npm was not allowed to unpack it, this one if it is new enough. */
function findNode() {
  try {
    const packaged = join(dirname(createRequire(import.meta.url).resolve('node/package.json')), 'bin', 'node');
    if (existsSync(packaged)) return packaged;
  } catch {
    // not installed
  }
  return Number.parseInt(process.versions.node, 10) >= NEEDED ? process.execPath : null;
}

const node = findNode();
if (node === null || entry === undefined) {
  process.stderr.write(
    entry === undefined
      ? 'Tiercut is not built: run "npm run prepack" in its folder.\n'
      : `Tiercut needs Node ${NEEDED}. It brings its own, which npm could not unpack: install again with scripts allowed for the package "node", or use Node ${NEEDED}.\n`,
  );
  process.exit(1);
}

const child = spawn(node, [entry, ...process.argv.slice(2)], { stdio: 'inherit' });
// The program decides what becomes of them; a Ctrl-C that reaches it from the terminal as well counts once.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
child.on('error', (error) => {
  process.stderr.write(`Tiercut could not be started: ${error.message}\n`);
  process.exit(1);
});
child.on('exit', (code, signal) => process.exit(code ?? 128 + constants.signals[signal]));
