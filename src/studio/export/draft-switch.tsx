import { draftsWanted, wantDrafts } from './draft.ts';

/** Whether the service renders while the project is edited. */
export function DraftSwitch() {
  return (
    <label class="ck draft-switch">
      <input
        type="checkbox"
        checked={draftsWanted.value}
        onChange={({ currentTarget }) => wantDrafts(currentTarget.checked)}
      />
      <span>
        Render while I edit
        <small class="q">
          Exports are ready sooner. Your media go to {location.host} after each pause; a thin line above the timeline
          shows what is rendered.
        </small>
      </span>
    </label>
  );
}
