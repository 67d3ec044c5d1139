import { createContext } from 'svelte';
import type { Hash } from '../base/hash.ts';
import type { App } from './app.ts';
import type { CommandID } from './commands.ts';
import type { ComparisonState } from './glass/compare/comparison-state.svelte.ts';
import type { ShownPast } from './glass/inspector/shown-past.svelte.ts';
import type { RecordingRuns } from './glass/recording/recording-runs.svelte.ts';
import type { YouRequests } from './glass/you/you-requests.svelte.ts';
import type { LessonsPanel } from './lessons/lessons-panel.svelte.ts';
import type { View } from './state/app-view.svelte.ts';
import type { CurrentModel } from './state/current-model.svelte.ts';
import type { Dialogs } from './state/dialogs.svelte.ts';
import type { Draft } from './state/draft.svelte.ts';
import type { Layout } from './state/layout.svelte.ts';
import type { LiveSessions } from './state/live-sessions.svelte.ts';
import type { Prompts } from './state/prompts.ts';
import type { SessionList } from './state/session-list.svelte.ts';
import type { ShownWorkspace } from './state/shown-workspace.svelte.ts';
import type { Stepping } from './state/stepping.svelte.ts';
import type { Toasts } from './state/toasts.svelte.ts';

const [getApp, setApp] = createContext<Partial<App>>();
export const provideApp = setApp;

/** A part of the app. A test provides only the parts that its component uses. */
export function useApp<Name extends keyof App>(name: Name): App[Name] {
  const part = getApp()[name];
  if (!part) throw new Error(`No ${name}`);
  return part;
}

export const [useComparison, provideComparison] = createContext<ComparisonState>();
export const [useDialogs, provideDialogs] = createContext<Dialogs>();
export const [useDraft, provideDraft] = createContext<Draft>();
export const [useLayout, provideLayout] = createContext<Layout>();
export const [useLessonsPanel, provideLessonsPanel] = createContext<LessonsPanel>();
export const [useLive, provideLive] = createContext<LiveSessions>();
export const [useModel, provideModel] = createContext<CurrentModel>();
export const [usePast, providePast] = createContext<ShownPast>();
export const [usePrompts, providePrompts] = createContext<Prompts>();
export const [useRuns, provideRuns] = createContext<RecordingRuns>();
export const [useSessionList, provideSessionList] = createContext<SessionList>();
export const [useSteps, provideSteps] = createContext<Stepping>();
export const [useToasts, provideToasts] = createContext<Toasts>();
export const [useView, provideView] = createContext<View>();
export const [useWorkspace, provideWorkspace] = createContext<ShownWorkspace>();
export const [useYou, provideYou] = createContext<YouRequests>();

/** Reads content by its hash, from the shown recording first. */
export const [useContent, provideContent] =
  createContext<(hash: Hash) => Promise<Uint8Array<ArrayBuffer> | undefined>>();

/** Runs a command of the page, unless it does not apply now. */
export const [useCommands, provideCommands] = createContext<(id: CommandID) => void>();
