import { readConfig } from '../config/config.ts';
import { nearestName } from '../timeline/json/nearest-name.ts';
import { shownText } from '../timeline/json/shown-value.ts';
import { presetNames } from '../timeline/presets.ts';
import { bashCompletion } from './command-line/completion-bash.ts';
import { fishCompletion } from './command-line/completion-fish.ts';
import { completionModel } from './command-line/completion-model.ts';
import { zshCompletion } from './command-line/completion-zsh.ts';
import { readArguments, usageError } from './command-line/read-arguments.ts';
import type { Terminal } from './terminal.ts';

const SHELLS = { bash: bashCompletion, zsh: zshCompletion, fish: fishCompletion } as const;

/** `tiercut completion bash`: a script that makes the shell complete `tiercut`, including this deployment's presets. */
export async function completionCommand(args: readonly string[], terminal: Terminal): Promise<number> {
  const { operand: shell } = readArguments('completion', args);
  if (!Object.hasOwn(SHELLS, shell)) {
    const near = nearestName(shell, Object.keys(SHELLS));
    const meant = near === null ? '' : ` Did you mean ${near}?`;
    throw usageError('completion', [`The shell must be bash, zsh or fish, not ${shownText(shell)}.${meant}`]);
  }
  const presets = presetNames(readConfig().presets);
  terminal.out(SHELLS[shell as keyof typeof SHELLS](completionModel(presets)).trimEnd());
  return 0;
}
