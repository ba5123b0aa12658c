import {
  applyLayout,
  hasLayout,
  LAYOUT_NAMES,
  type LayoutName,
  layoutOf,
  layoutPlaces,
  layoutWords,
} from '../document/layout-commands.ts';
import { studioConfig } from '../kit/assets.ts';
import { Icon } from '../kit/icon.tsx';
import { Menu } from '../kit/menu.tsx';
import { Radios } from '../kit/radios.tsx';
import { edit, project } from '../session/session.ts';
import * as texts from '../texts/en/late.ts';

/** Applies a layout to camera and board in one click; shown if both exist. */
export function LayoutMenu() {
  const { presets } = studioConfig;
  if (!hasLayout(project.value)) return null;
  const now = layoutOf(project.value, presets);
  return (
    <Menu
      class="bt plain lay-button"
      button={
        <>
          <Icon name="layout" />
          {texts.layoutOf(now === null ? texts.byHand : layoutWords(now))}
          <Icon name="down" />
        </>
      }
    >
      <Radios
        label={texts.layout}
        class="layouts"
        each="lay-row"
        value={now ?? ''}
        choices={LAYOUT_NAMES.map((name) => ({ value: name, words: <Pictures name={name} /> }))}
        onChoose={(name) =>
          edit(texts.layoutOf(layoutWords(name as LayoutName)), (draft) =>
            applyLayout(draft, name as LayoutName, presets),
          )
        }
      />
    </Menu>
  );
}

function Pictures({ name }: { readonly name: LayoutName }) {
  return (
    <>
      <b>{layoutWords(name)}</b>
      {studioConfig.presets.map((preset) => {
        const { board, cam } = layoutPlaces(name, preset);
        return (
          <span key={preset.name} class="lay" style={{ aspectRatio: `${preset.width} / ${preset.height}` }}>
            {[cam, board].map(({ x, y, width, height }, i) => (
              <i
                key={i === 0 ? 'cam' : 'board'}
                class={i === 0 ? 'lay-cam' : 'lay-board'}
                style={{ left: `${x}%`, top: `${y}%`, width: `${width}%`, height: `${height}%` }}
              />
            ))}
          </span>
        );
      })}
    </>
  );
}
