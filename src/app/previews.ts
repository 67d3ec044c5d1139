import type { Timer } from '../base/timer.ts';
import type { HostEvents, PreviewHost } from '../preview/host.ts';
import type { PreviewEvent } from '../preview/log.ts';
import { openOwnTab } from '../preview/own-tab.ts';
import { Preview } from '../preview/preview.ts';
import type { PreviewTarget } from '../preview/target.ts';
import type { Workspace } from '../workspace/workspace.ts';

export interface PreviewsDeps {
  /** Gets the element in which previews wait that are not on the page. */
  readonly container: HTMLElement;
  readonly timer: Timer;
  /** The origin on which pages are shown, perhaps with a `*` for each one's own; empty for none. */
  readonly origin: string;
  /** Whether the rules for reading show a file of a workspace, by its absolute path. */
  isVisible(workspaceID: string, path: string): Promise<boolean>;
  /** The hosts that pages may reach, as sources of a content security policy. */
  sources(): Promise<string>;
  /** Called with everything that happens in the preview of a workspace. */
  happened(workspaceID: string, event: PreviewEvent): void;
}

/** The origin that the owner of this site provides for previews. */
export function previewOriginOf(page: Document): string {
  const content = page.querySelector<HTMLMetaElement>('meta[name="vitrine-preview"]')?.content.trim() ?? '';
  if (!URL.canParse(content.replace('*', 'a'))) return '';
  // On the page's own origin, what is shown would have its storage and its keys.
  return new URL(content.replace('*', 'a')).origin === location.origin ? '' : content;
}

/** The previews of the open workspaces. */
export class Previews {
  readonly #deps: PreviewsDeps;
  readonly #known = new WeakMap<Workspace, Preview>();
  #parking: HTMLElement | undefined;

  constructor(deps: PreviewsDeps) {
    this.#deps = deps;
  }

  readonly of = async (workspace: Workspace): Promise<Preview> => {
    const known = this.#known.get(workspace);
    if (known) return known;
    const { timer, isVisible, sources, happened } = this.#deps;
    const preview = new Preview({
      workspace,
      // A page needs real time to load, even where a test has made up the time of the log.
      clock: { now: () => Date.now() },
      timer,
      isVisible: (path) => isVisible(workspace.id, path),
      sources,
      start: (target, events, place = this.#park()) => this.#start(workspace, target, events, place),
      openTab: (events) => openOwnTab(window, timer, events),
    });
    this.#known.set(workspace, preview);
    preview.log.onAdd((event) => happened(workspace.id, event));
    workspace.onStatus(({ state }) => {
      if (state === 'closed') preview.close();
    });
    return preview;
  };

  async #start(
    workspace: Workspace,
    target: PreviewTarget,
    events: HostEvents,
    container: HTMLElement,
  ): Promise<PreviewHost> {
    const { origin, timer } = this.#deps;
    if (!origin) return startWithout(container, events, false);
    const { startOnOrigin } = await import('../preview/second-origin.ts');
    const own = origin.replace('*', labelOf(workspace.id, target));
    try {
      return await startOnOrigin({ origin: own, container, timer }, events);
    } catch {
      // It is out of reach, or this browser lets it store nothing here.
      return startWithout(container, events, true);
    }
  }

  /** An element outside of what is visible, in which pages still have a size. */
  #park(): HTMLElement {
    if (this.#parking) return this.#parking;
    const { container } = this.#deps;
    const parking = container.ownerDocument.createElement('div');
    Object.assign(parking.style, {
      position: 'fixed',
      insetInlineStart: '-10000px',
      insetBlockStart: '0',
      width: '1280px',
      height: '800px',
      visibility: 'hidden',
      contain: 'strict',
    });
    parking.inert = true;
    container.append(parking);
    return (this.#parking = parking);
  }
}

async function startWithout(
  container: HTMLElement,
  events: HostEvents,
  isRefused: boolean,
): Promise<PreviewHost> {
  const { startOpaque } = await import('../preview/opaque-frame.ts');
  return startOpaque(container, events, isRefused);
}

/** A DNS label for a target, which stays the same, so that the storage of its origin does too. */
function labelOf(workspaceID: string, target: PreviewTarget): string {
  const own = workspaceID
    .toLowerCase()
    .replace(/[^a-z\d]/g, '')
    .slice(0, 32);
  if (target.kind === 'server') return `${own}-${target.port}`;
  let hash = 0;
  for (const character of target.path) hash = (Math.imul(hash, 31) + (character.codePointAt(0) ?? 0)) >>> 0;
  return `${own}-f${hash.toString(36)}`;
}
