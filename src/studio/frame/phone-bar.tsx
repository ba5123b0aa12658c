import { exportOpen, exportStep } from '../export/export-state.ts';
import { chooseFiles, MEDIA_FILES } from '../files/choose-files.ts';
import { takeFiles } from '../files/take-files.ts';
import { DrawerButtons } from '../kit/drawers.tsx';
import { Icon } from '../kit/icon.tsx';
import { openTake } from '../session/take.ts';
import * as texts from '../texts/en/frame.ts';
import * as page from '../texts/en/page.ts';
import { ExportShare, SavedWord } from './top-bar.tsx';

/** On a phone, the two main actions are within reach of a thumb. */
export function PhoneBar() {
  return (
    <nav class="pbar" aria-label={page.exportPanel}>
      <div>
        <SavedWord />
        <button
          type="button"
          class="lk"
          aria-label={texts.addPictures}
          onClick={() => chooseFiles(MEDIA_FILES, takeFiles)}
        >
          <Icon name="plus" />
          {page.add}
        </button>
      </div>
      <button type="button" class="ib" aria-label={page.recordTake} title={page.recordTake} onClick={openTake}>
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
        {page.exportPanel}
        {exportStep.value.step === 'made' && <ExportShare />}
      </button>
    </nav>
  );
}
