import type { Preset } from '../../timeline/presets.ts';
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
import { formatName } from '../kit/shown-values.ts';
import { decided, edit, project } from '../session/session.ts';
import { useTryOut } from '../session/try-out.ts';
import * as texts from '../texts/en/late.ts';

/** Applies a layout to camera and board in one click; shown if both exist. */
export function LayoutMenu() {
  const { presets } = studioConfig;
  const tryOut = useTryOut();
  if (!hasLayout(project.value)) return null;
  // While a choice is tried out, the chosen one stays.
  const now = layoutOf(decided.value, presets);
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
      <h2 class="lay-title">{texts.layout}</h2>
      <p class="lay-hint q by-mouse">{texts.pointAtLayout}</p>
      <p class="lay-heads" aria-hidden="true">
        <span />
        {presets.map(({ name }) => (
          <span key={name}>{formatName(name)}</span>
        ))}
      </p>
      <Radios
        label={texts.layout}
        class="layouts"
        each="lay-row"
        value={now ?? ''}
        choices={LAYOUT_NAMES.map((name) => ({ value: name, words: <Pictures name={name} /> }))}
        onPoint={(name) => tryOut(name === null ? null : (draft) => applyLayout(draft, name as LayoutName, presets))}
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
      {studioConfig.presets.map((preset) => (
        <LayoutPicture key={preset.name} name={name} preset={preset} />
      ))}
    </>
  );
}

interface LayoutPictureProps {
  readonly name: LayoutName;
  readonly preset: Pick<Preset, 'width' | 'height'>;
}

/** Where board and camera are in a format. */
export function LayoutPicture({ name, preset: { width, height } }: LayoutPictureProps) {
  const { board, cam } = layoutPlaces(name, { width, height });
  return (
    <span class="lay" style={{ aspectRatio: `${width} / ${height}` }}>
      {[cam, board].map((box, i) => (
        <i
          key={i === 0 ? 'cam' : 'board'}
          class={i === 0 ? 'lay-cam' : 'lay-board'}
          style={{ left: `${box.x}%`, top: `${box.y}%`, width: `${box.width}%`, height: `${box.height}%` }}
        />
      ))}
    </span>
  );
}
