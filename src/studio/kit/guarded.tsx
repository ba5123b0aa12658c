import { Component, type ComponentChildren } from 'preact';

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
        <p role="alert">
          The panel “{name}” has stopped because of a fault in the studio. Your project is not affected.
        </p>
        <button type="button" class="bt" onClick={() => this.setState({ failed: false })}>
          Load the panel again
        </button>
      </section>
    );
  }
}
