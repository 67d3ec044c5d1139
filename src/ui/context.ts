import { createContext } from 'svelte';
import type { AppView } from './state/app-view.svelte.ts';

/** The page's state, for components far below the root. */
export const [useApp, provideApp] = createContext<AppView>();
