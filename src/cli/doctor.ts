import { readConfig } from '../config/config.ts';
import { readArguments } from './command-line/read-arguments.ts';
import {
  checkDisk,
  checkFonts,
  checkJail,
  checkMachine,
  checkRender,
  checkShared,
  type Finding,
} from './doctor-checks.ts';
import type { Terminal } from './terminal.ts';

const MARKS: Readonly<Record<Finding['state'], string>> = { ok: 'ok     ', weak: 'weak   ', missing: 'MISSING' };

/** `tiercut doctor`: tests what this machine offers to renders. Exits with 1 if something is missing. */
export async function doctorCommand(args: readonly string[], terminal: Terminal): Promise<number> {
  const { options } = readArguments('doctor', args);
  const config = readConfig();
  const findings = [
    ...checkMachine(config),
    ...(await checkDisk(config)),
    ...(await checkShared(config)),
    await checkFonts(),
    ...(await checkJail(config)),
    await checkRender(config),
  ];
  const healthy = findings.every(({ state }) => state !== 'missing');
  if (options.json) terminal.out(JSON.stringify({ ok: healthy, findings }, null, 2));
  else {
    const width = Math.max(...findings.map(({ name }) => name.length));
    for (const { name, state, detail } of findings) terminal.out(`${MARKS[state]}  ${name.padEnd(width)}  ${detail}`);
  }
  return healthy ? 0 : 1;
}
