import topFive from '../../../examples/templates/top-five/project.json' with { type: 'json' };
import versus from '../../../examples/templates/versus/project.json' with { type: 'json' };
import weekly from '../../../examples/templates/weekly/project.json' with { type: 'json' };
import { readProjectText } from '../document/project-text.ts';
import { startProject } from '../keeping/autosave.ts';
import { studioConfig } from '../kit/assets.ts';
import { face, playhead } from '../session/session.ts';
import { type TemplateName, templates } from '../texts/en/first-visit.ts';

const FILES: Readonly<Record<TemplateName, object>> = { weekly, 'top-five': topFive, versus };

/** The frame at which the board of each is nearly full, which shows more than the first one. */
const SHOWN: Readonly<Record<TemplateName, number>> = { weekly: 620, 'top-five': 430, versus: 410 };

/** Starts a copy of a template that the studio offers. */
export async function startTemplate(name: TemplateName): Promise<void> {
  const { project } = readProjectText(JSON.stringify(FILES[name]), studioConfig.limits);
  const started = { ...project, template: { ...project.template!, name: templates[name].name } };
  await startProject(started, {
    view: () => {
      face.value = 'preview';
      playhead.value = SHOWN[name];
    },
  });
}
