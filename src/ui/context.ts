import { createContext } from 'svelte';
import type { App } from './app.ts';
import type { AppView } from './state/app-view.svelte.ts';
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
export const [useLayout, provideLayout] = createContext<Layout>();
export const [useToasts, provideToasts] = createContext<Toasts>();
