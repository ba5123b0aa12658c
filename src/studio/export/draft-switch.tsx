import * as texts from '../texts/en/export.ts';
import { draftsWanted, wantDrafts } from './draft.ts';

/** The switch for rendering while the project is edited. */
export function DraftSwitch() {
  return (
    <label class="ck draft-switch">
      <input
        type="checkbox"
        checked={draftsWanted.value}
        onChange={({ currentTarget }) => wantDrafts(currentTarget.checked)}
      />
      <span>
        {texts.renderWhileEditing}
        <small class="q">{texts.renderWhileEditingMore(location.host)}</small>
      </span>
    </label>
  );
}
