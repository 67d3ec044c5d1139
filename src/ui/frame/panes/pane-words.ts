import type { LayoutName, MainPane, SidePane } from '../../state/layout.svelte.ts';
import { messages } from '../../languages/messages.ts';

/** Texts about the panes of the page. */
export const paneWords = messages('pane', {
  width: { sidebar: 'Width of the list of sessions', workbench: 'Width of the workbench' } satisfies Record<
    SidePane,
    string
  >,
  fill: {
    sessions: 'Fill the page with the list of sessions',
    chat: 'Fill the page with the conversation',
    workbench: 'Fill the page with the workbench',
  } satisfies Record<MainPane, string>,
  unfill: 'Show all panes again',
  layouts: {
    all: { name: 'All panes', about: 'As you last had them' },
    talking: { name: 'Talking', about: 'The conversation alone' },
    reviewing: { name: 'Reviewing', about: 'Changes, beside a narrow conversation' },
    watching: { name: 'Watching', about: 'Inspector or log beside the conversation' },
  } satisfies Record<LayoutName, { name: string; about: string }>,
  hint: 'Drag, or use the arrow keys. A double-click gives the usual width.',
  pixels: (width: number) => `${width} pixels`,
});
