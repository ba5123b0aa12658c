import { asked } from '../../sync/sync-state.ts';
import { ConflictDialog } from './conflict-dialog.tsx';
import { KeepDialog, LeaveDialog } from './keep-dialogs.tsx';
import { ProjectsDialog } from './projects-dialog.tsx';
import { ShareDialog } from './share-dialog.tsx';

const DIALOGS = {
  projects: ProjectsDialog,
  keep: KeepDialog,
  leave: LeaveDialog,
  conflict: ConflictDialog,
  share: ShareDialog,
};

/** The dialogs about projects, one at a time. */
export function ProjectDialogs() {
  if (asked.value === null) return null;
  const Asked = DIALOGS[asked.value];
  return <Asked onClose={close} />;
}

function close(): void {
  asked.value = null;
}
