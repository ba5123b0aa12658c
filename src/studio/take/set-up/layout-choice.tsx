import { LAYOUT_NAMES, type LayoutName, layoutPlaces, layoutWords } from '../../document/layout-commands.ts';
import { type Choice, Radios } from '../../kit/radios.tsx';
import { shownPreset } from '../../session/shown-preset.ts';
import * as texts from '../../texts/en/take.ts';
import { takeLayout } from '../control/take-state.ts';

/** The layouts of camera and board to choose from, each with its picture. */
export function LayoutChoice() {
  const preset = shownPreset.value;
  const all: readonly Choice<string>[] = LAYOUT_NAMES.map((name) => {
    const { board, cam } = layoutPlaces(name, preset);
    return {
      value: name,
      words: (
        <>
          <span
            class="lay"
            style={{
              aspectRatio: `${preset.width} / ${preset.height}`,
              '--ratio': String(preset.width / preset.height),
            }}
          >
            {(
              [
                ['lay-cam', cam],
                ['lay-board', board],
              ] as const
            ).map(([kind, { x, y, width, height }]) => (
              <i
                key={kind}
                class={kind}
                style={{ left: `${x}%`, top: `${y}%`, width: `${width}%`, height: `${height}%` }}
              />
            ))}
          </span>
          {layoutWords(name)}
        </>
      ),
    };
  });
  return (
    <div class="tk-layouts">
      <h2>{texts.layout}</h2>
      <Radios
        label={texts.layout}
        class="tk-lays"
        value={takeLayout.value as string}
        choices={all}
        onChoose={(name) => {
          takeLayout.value = name as LayoutName;
        }}
      />
    </div>
  );
}
