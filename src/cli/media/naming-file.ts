import { ExportError } from '../../errors.ts';
import { shownText } from '../../timeline/json/shown-value.ts';
import { unreadableReason } from '../project/project-file.ts';

/**
 * The engine's errors do not name files, because clients of the service read them; a CLI user may see the name. (C32)
 */
export function namingFile(error: unknown, file: string): unknown {
  if (error instanceof Error && 'syscall' in error) {
    const message = `The file ${shownText(file)} ${unreadableReason(error)}.`;
    return new ExportError('missing', 'project.unreadable', message, { cause: error });
  }
  if (!(error instanceof ExportError)) return error;
  return new ExportError(error.kind, error.code, error.message, { path: file, cause: error });
}
