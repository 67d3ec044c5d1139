import { run } from './commands.ts';
import * as context from './context.ts';
import type { Stores } from './state/stores.ts';

/** Provides the stores to the components below the one that calls this. */
export function provideStores(stores: Stores): void {
  const { view } = stores;
  context.provideApp(stores.app);
  context.provideCommands((id) => run(id, stores));
  context.provideComparison(stores.comparison);
  context.provideContent((hash) => view.blob(hash));
  context.provideDialogs(stores.dialogs);
  context.provideDraft(stores.draft);
  context.provideLayout(stores.layout);
  context.provideLessonsPanel(stores.lessonsPanel);
  context.provideLive(stores.live);
  context.provideModel(stores.model);
  context.providePast(stores.past);
  context.providePrompts(stores.prompts);
  context.provideRuns(stores.runs);
  context.provideSessionList(stores.list);
  context.provideSteps(stores.steps);
  context.provideToasts(stores.toasts);
  context.provideView(view);
  context.provideWorkspace(stores.workspace);
  context.provideYou(stores.you);
}
