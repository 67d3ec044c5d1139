import type { App } from '../app.ts';
import { Restoration } from '../conversation/restore/restoration.svelte.ts';
import { ComparisonState } from '../glass/compare/comparison-state.svelte.ts';
import { ShownPast } from '../glass/inspector/shown-past.svelte.ts';
import { RecordingRuns } from '../glass/recording/recording-runs.svelte.ts';
import { YouRequests } from '../glass/you/you-requests.svelte.ts';
import { LessonsPanel } from '../lessons/lessons-panel.svelte.ts';
import { AppView } from './app-view.svelte.ts';
import { CurrentModel } from './current-model.svelte.ts';
import { Dialogs } from './dialogs.svelte.ts';
import { Draft } from './draft.svelte.ts';
import { tabDrafts, type Drafts } from './drafts.ts';
import { Finding } from './finding.svelte.ts';
import { Layout } from './layout.svelte.ts';
import { Look } from './look.svelte.ts';
import { LiveSessions } from './live-sessions.svelte.ts';
import { framePainter, type Painter } from './painter.ts';
import { browserPreferences, type Preferences } from './preferences.ts';
import { Prompts } from './prompts.svelte.ts';
import { SessionList } from './session-list.svelte.ts';
import { SessionModels } from './session-models.svelte.ts';
import { ShownWorkspace } from './shown-workspace.svelte.ts';
import { Stepping } from './stepping.svelte.ts';
import { Toasts } from './toasts.svelte.ts';

export type Stores = ReturnType<typeof createStores>;

interface StoresOptions {
  readonly painter?: Painter;
  readonly preferences?: Preferences;
  readonly drafts?: Drafts;
  /** The models that sessions were given. These outlast the tab. */
  readonly choices?: Drafts;
}

/**
 * The state of the page, one store for each matter. The page's components get them by the hooks of
 * `context.ts`.
 */
export function createStores(
  app: App,
  {
    painter = framePainter(),
    preferences = browserPreferences(),
    drafts = tabDrafts(),
    choices = tabDrafts(() => localStorage),
  }: StoresOptions = {},
) {
  const toasts = new Toasts();
  const dialogs = new Dialogs();
  const past = new ShownPast();
  const draft = new Draft(drafts);
  const workspace = new ShownWorkspace(app);
  const layout = new Layout(
    preferences,
    // The workspace may change into one of the other kind, with another status.
    () => workspace.status !== null && workspace.workspace?.servers !== undefined,
  );
  const lessonsPanel = new LessonsPanel(layout);
  const shownID = () => view.session?.id ?? '';
  const live = new LiveSessions(app, () => view.belowChanged());
  const steps = new Stepping(
    (id) => app.sessions.stepper(id),
    () => live.above(shownID()).at(-1) ?? shownID(),
    preferences,
  );
  const models = new SessionModels(app, choices);
  const model = new CurrentModel(app.models, models, {
    sessionID: shownID,
    workspaceID: () => workspace.id,
    effort: () => view.session?.effort ?? null,
    inSettings: () => dialogs.settingsOpen,
  });
  const list = createSessionList(app, toasts, () => view);
  const view: AppView = new AppView({
    app,
    painter,
    workspace,
    list,
    live,
    models,
    steps,
    draft,
    layout,
    lessons: lessonsPanel,
    toasts,
  });
  const { configurations, promptHistory } = app;
  const prompts = new Prompts({
    models: app.models,
    ...{ view, configurations, workspace, model, draft, drafts, promptHistory, past, dialogs, toasts },
  });
  void list.refresh();
  return {
    app,
    view,
    list,
    live,
    workspace,
    layout,
    look: new Look(preferences),
    toasts,
    dialogs,
    finding: new Finding(),
    draft,
    model,
    prompts,
    restoration: new Restoration({ view, model, draft, dialogs, toasts, prompts }),
    steps,
    past,
    lessonsPanel,
    comparison: new ComparisonState(),
    runs: new RecordingRuns(),
    you: new YouRequests(app.you, shownID, (id) => live.above(id)),
    close(): void {
      for (const store of [list, live, workspace, model, view]) store.close();
    },
  };
}

/** The page's view is created after the list, so the list gets it as a function. */
function createSessionList({ sessions, workspaces }: App, toasts: Toasts, view: () => AppView): SessionList {
  return new SessionList({
    sessions,
    workspaces,
    toasts,
    shown: {
      listed: () => view().listed(),
      leaveSession: (id) => view().leaveSession(id),
      leaveWorkspace: (id) => view().leaveWorkspace(id),
    },
  });
}
