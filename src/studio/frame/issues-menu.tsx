import type { Issue } from '../../errors.ts';
import { selectionAt } from '../document/selection-at.ts';
import { focusDetails } from '../keys/move-focus.ts';
import { Icon } from '../kit/icon.tsx';
import { Menu } from '../kit/menu.tsx';
import { planned, project, selection } from '../session/session.ts';
import * as texts from '../texts/en/late.ts';

/** The number of errors and warnings, with a link to each. */
export function IssuesMenu() {
  const { warnings } = planned.value;
  // An empty project is not an error: the page shows where to start, and Export what is missing.
  const errors = planned.value.errors.filter(({ code }) => code !== 'timeline.empty');
  if (errors.length + warnings.length === 0) return null;
  const words = errors.length > 0 ? texts.problems(errors.length) : texts.warnings(warnings.length);
  return (
    <Menu
      label={words}
      class={`bt plain ${errors.length > 0 ? 'isbad' : 'iswarn'}`}
      button={
        <>
          <Icon name={errors.length > 0 ? 'error' : 'warn'} />
          <span>{words}</span>
        </>
      }
    >
      <ul class="issue-list">
        {[...errors, ...warnings].slice(0, 50).map((issue, i) => (
          <li key={`${issue.path} ${issue.code} ${i}`}>
            <IssueLine issue={issue} bad={i < errors.length} />
          </li>
        ))}
      </ul>
    </Menu>
  );
}

function IssueLine({ issue, bad }: { readonly issue: Issue; readonly bad: boolean }) {
  return (
    <button
      type="button"
      class={`issue ${bad ? 'isbad' : 'iswarn'}`}
      data-closes
      onClick={() => {
        selection.value = selectionAt(project.value, issue.path);
        focusDetails();
      }}
    >
      <Icon name={bad ? 'error' : 'warn'} />
      <span>{issue.message}</span>
    </button>
  );
}
