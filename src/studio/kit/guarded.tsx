import { Component, type ComponentChildren } from 'preact';
import * as texts from '../texts/en/page.ts';

interface GuardedProps {
  /** What a person calls the panel. */
  readonly name: string;
  /** The classes of the panel: what is said instead stands in its place. */
  readonly class: string;
  readonly children: ComponentChildren;
}

/** A fault in one panel leaves the others and the project as they are. */
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
