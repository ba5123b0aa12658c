import { Dialog } from '../shell/dialog.tsx';
import { exportOpen } from './export-state.ts';

export function ExportPanel() {
  if (!exportOpen.value) return null;
  return (
    <Dialog
      title="Export"
      onClose={() => {
        exportOpen.value = false;
      }}
    >
      <p />
    </Dialog>
  );
}
