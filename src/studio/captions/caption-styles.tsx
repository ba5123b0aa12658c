import type { Draft } from 'immer';
import { useEffect, useRef } from 'preact/hooks';
import { captionDefaultsIn } from '../../plan/theme/caption-defaults.ts';
import { type Frames, frameAt, secondsOf } from '../../time.ts';
import { CAPTION_STYLES, type CaptionStyleName, type ThemeName } from '../../timeline/choices.ts';
import { captionBase } from '../../timeline/default-looks.ts';
import { type CaptionLine, captionLines } from '../document/caption-lines.ts';
import type { Project } from '../document/project.ts';
import { Radios } from '../kit/radios.tsx';
import { decided, edit, playhead, rate, timelineData } from '../session/session.ts';
import { seek } from '../session/transport.ts';
import { useTryOut } from '../session/try-out.ts';
import * as texts from '../texts/en/captions.ts';

/** Sets one style for all captions and removes those of single lines. (C62) */
export function CaptionStyles() {
  const { subtitle_style: style, theme = 'midnight' } = decided.value.settings;
  const themeName = typeof theme === 'object' ? (theme.base ?? 'midnight') : theme;
  const tryOut = useTryOut();
  useEffect(seekToCaption, []);
  const put = (chosen: CaptionStyleName) => (draft: Draft<Project>) => {
    draft.settings.subtitle_style = chosen;
    for (const line of draft.timeline_data.subtitles) if (line.words !== undefined) delete line.style;
  };
  return (
    <section class="captions-looks" aria-label={texts.style}>
      <p>
        <b>{texts.styleHead}</b> <span class="q">{texts.forAllLines}</span>
      </p>
      <Radios
        label={texts.style}
        class="captions-styles"
        each="captions-style"
        value={captionBase(style)}
        choices={CAPTION_STYLES.map((name) => ({ value: name, words: <Sample name={name} theme={themeName} /> }))}
        onPoint={(chosen) => tryOut(chosen && put(chosen))}
        onChoose={(chosen) => edit(texts.changeStyle, put(chosen))}
      />
    </section>
  );
}

/** Two words of the captions in a style, on the frame that the preview shows. */
function Sample({ name, theme }: { readonly name: CaptionStyleName; readonly theme: ThemeName }) {
  const { weight, uppercase, outlineWidth, highlight, highlightColor, background } = captionDefaultsIn(theme, name);
  const [first, second] = sampleWords();
  return (
    <>
      <span class="captions-sample" aria-hidden="true">
        <ShownFrame />
        <span
          style={{
            fontWeight: weight,
            textTransform: uppercase ? 'uppercase' : 'none',
            background: background === null ? 'none' : `rgb(0 0 0 / ${background.alpha})`,
            WebkitTextStroke: background === null ? `${2 * outlineWidth}em #000` : '0',
          }}
        >
          {first}{' '}
          <em
            data-highlight={name === 'plain' ? 'none' : highlight}
            style={name === 'plain' ? {} : { '--highlight': highlightColor }}
          >
            {second}
          </em>
        </span>
      </span>
      {texts.styleName(name)}
    </>
  );
}

/** Two short words in a row that were said, from the line at the playhead on. */
function sampleWords(): readonly [string, string] {
  const lines = captionLines(timelineData.value);
  const pairs = lines.flatMap(({ words }) =>
    words.slice(1).map(({ text }, index) => [words[index]!.text, text] as const),
  );
  const short = pairs.find(([a, b]) => a.length + b.length <= SAMPLE_LETTERS && b.length >= 3) ?? pairs[0];
  return short ?? ['', lines[0]?.words[0]?.text ?? ''];
}

const SAMPLE_LETTERS = 9;

/** The part of the shown frame above its captions. */
function ShownFrame() {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    const frame = document.querySelector<HTMLElement>('.pv-frame');
    if (frame === null) return;
    const draw = () => {
      const from = frame.querySelector('canvas');
      const onto = canvas.current;
      if (frame.dataset.settled !== 'true' || from === null || onto === null) return;
      const height = from.height * UPPER_PART;
      const width = Math.min(from.width, (height * onto.width) / onto.height);
      onto.getContext('2d')?.drawImage(from, (from.width - width) / 2, 0, width, height, 0, 0, onto.width, onto.height);
    };
    // What a worker has drawn is there with the next picture of the screen.
    const soon = () => requestAnimationFrame(() => requestAnimationFrame(draw));
    const watching = new MutationObserver(soon);
    watching.observe(frame, { attributes: true, attributeFilter: ['data-frame', 'data-settled'] });
    soon();
    return () => watching.disconnect();
  }, []);
  return <canvas ref={canvas} width={160} height={100} />;
}

const UPPER_PART = 0.62;

/** A style is seen on a caption: goes to the first one, unless one is shown. */
function seekToCaption(): void {
  const lines = captionLines(timelineData.peek());
  const now = secondsOf(playhead.peek() as Frames, rate.peek());
  const [first] = lines;
  const isShown = ({ start, duration }: CaptionLine) => start <= now && now < start + duration;
  if (first !== undefined && !lines.some(isShown)) seek(frameAt(first.start + first.duration / 2, rate.peek()));
}
