import { Component, type ComponentChildren } from 'preact';
import * as texts from '../texts/en/page.ts';

interface GuardedProps {
  /** The display name of the panel. */
  readonly name: string;
  /** The classes of the panel, also used by the error message that replaces it. */
  readonly class: string;
  readonly children: ComponentChildren;
}

/** Error boundary of a panel: the other panels and the project stay usable. */
export class Guarded extends Component<GuardedProps, { readonly failed: boolean }> {
  static override getDerivedStateFromError() {
    return { failed: true };
  }

  override componentDidCatch(error: unknown): void {
    reportError(error);
  }

  override render({ name, class: place, children }: GuardedProps) {
    if (this.state.failed !== true) return children;
    return (
      <section class={`${place} panel-fault`} aria-label={name}>
        <p role="alert">{texts.panelStopped(name)}</p>
        <button type="button" class="bt" onClick={() => this.setState({ failed: false })}>
          {texts.reloadPanel}
        </button>
      </section>
    );
  }
}
