import { mount, unmount } from 'svelte';
import { FaultError, type Fault } from '../base/fault.ts';
import type { App } from './app.ts';
import { loadMarkdown } from './kit/markdown/load.svelte.ts';
import Page from './Page.svelte';
import { createStores } from './state/stores.ts';
import './styles/index.css';

/**
 * Puts the page into `target` and opens what the address names. `prompt` fills the message box and is never
 * sent. `recording` is the address of a recording to show, unless the address names a session; with `plays` it
 * plays at once. `lesson` is
 * the id of a lesson to open. `repository` is offered and not opened. `returned` is the address's parameters after a sign-in. `settings` is the page of the settings to open. `agent` is chosen for the first message. `fault` says what was wrong with the address.
 */
export function mountPage(
  target: HTMLElement,
  app: App,
  options: {
    readonly prompt?: string;
    readonly recording?: string;
    readonly plays?: boolean;
    readonly lesson?: string;
    readonly repository?: { readonly repository: string; readonly ref?: string };
    readonly settings?: string;
    readonly returned?: string;
    readonly agent?: string;
    readonly fault?: Fault;
  } = {},
): () => void {
  const stores = createStores(app);
  const { view } = stores;
  if (options.prompt) stores.draft.set(options.prompt);
  if (options.agent) void view.beginning.chooseAgent(options.agent);
  if (options.repository) stores.dialogs.offerRepository(options.repository);
  if (options.settings !== undefined) stores.dialogs.openSettings(options.settings, options.returned);
  // The first paint gives way to the page.
  target.replaceChildren();
  const page = mount(Page, { target, props: { stores } });
  if (options.fault) stores.toasts.fail(new FaultError(options.fault));
  if (options.recording && location.hash === '')
    void view.openRecording({ address: options.recording }, { plays: options.plays });
  else void view.openAddress(location.hash);
  if (options.lesson) stores.lessonsPanel.open({ kind: 'lesson', id: options.lesson });
  // These load after the first paint, so that the first answer need not wait for them.
  requestAnimationFrame(() =>
    setTimeout(() => {
      void loadMarkdown();
      void import('./conversation/Conversation.svelte').catch(() => undefined);
    }),
  );
  return () => {
    stores.close();
    void unmount(page);
  };
}
