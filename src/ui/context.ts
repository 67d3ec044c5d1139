import { createContext } from 'svelte';
import type { App } from './app.ts';
import type { CommandID } from './commands.ts';
import type { ComparisonState } from './glass/compare/comparison-state.svelte.ts';
import type { LessonsPanel } from './lessons/lessons-panel.svelte.ts';
import type { AppView } from './state/app-view.svelte.ts';
import type { Dialogs } from './state/dialogs.svelte.ts';
import type { Layout } from './state/layout.svelte.ts';
import type { Toasts } from './state/toasts.svelte.ts';

const [getApp, setApp] = createContext<Partial<App>>();
export const provideApp = setApp;

/** A part of the app. A test provides only the parts that its component uses. */
export function useApp<Name extends keyof App>(name: Name): App[Name] {
  const part = getApp()[name];
  if (!part) throw new Error(`No ${name}`);
  return part;
}

export const [useView, provideView] = createContext<AppView>();
export const [useComparison, provideComparison] = createContext<ComparisonState>();
export const [useDialogs, provideDialogs] = createContext<Dialogs>();
export const [useLayout, provideLayout] = createContext<Layout>();
export const [useLessonsPanel, provideLessonsPanel] = createContext<LessonsPanel>();
export const [useToasts, provideToasts] = createContext<Toasts>();

/** Runs a command of the page, unless it does not apply now. */
export const [useCommands, provideCommands] = createContext<(id: CommandID) => void>();
