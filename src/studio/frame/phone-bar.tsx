import { exportOpen, exportStep } from '../export/export-state.ts';
import { chooseFiles, MEDIA_FILES } from '../files/choose-files.ts';
import { takeFiles } from '../files/take-files.ts';
import { DrawerButtons } from '../kit/drawers.tsx';
import { Icon } from '../kit/icon.tsx';
import { openTake } from '../session/take.ts';
import { ExportShare, SavedWord } from './top-bar.tsx';

/** On a phone the two things that matter are within reach of a thumb. */
export function PhoneBar() {
  return (
    <nav class="pbar" aria-label="Export">
      <div>
        <SavedWord />
        <button type="button" class="lk" aria-label="Add pictures" onClick={() => chooseFiles(MEDIA_FILES, takeFiles)}>
          <Icon name="plus" />
          Add
        </button>
      </div>
      <button type="button" class="ib" aria-label="Record a take" title="Record a take" onClick={openTake}>
        <Icon name="record" />
      </button>
      <DrawerButtons />
      <button
        type="button"
        class="bt prim big"
        onClick={() => {
          exportOpen.value = true;
        }}
      >
        <Icon name="export" />
        Export
        {exportStep.value.step === 'made' && <ExportShare />}
      </button>
    </nav>
  );
}
