import { createContext } from 'svelte';
import type { Hash } from '../base/hash.ts';
import type { App } from './app.ts';
import type { CommandID } from './commands.ts';
import type { View } from './state/app-view.svelte.ts';
import type { Stores } from './state/stores.ts';

/** The state of the page, for the components below the one that provides it. */
export interface Provided extends Omit<Stores, 'app' | 'view' | 'close'> {
  readonly app: Partial<App>;
  readonly view: View;
  /** In place of `view` on a page that has nothing but a recording. */
  readonly shown: Shown;
  /** Reads content by its hash, from the shown recording first. */
  readonly content: (hash: Hash) => Promise<Uint8Array<ArrayBuffer> | undefined>;
  /** Runs a command of the page, unless it does not apply now. */
  readonly run: (id: CommandID) => void;
  /** Whether a command of the page applies now. */
  readonly canRun: (id: CommandID) => boolean;
}

const [provided, provide] = createContext<Partial<Provided>>();

/** The part of the view that a page with nothing but a recording has, too. */
export type Shown = Pick<View, 'session' | 'player' | 'play'>;

/** A test provides only what its component uses. */
export const provideStores = provide;

function use<Name extends keyof Provided>(name: Name): Provided[Name] {
  const store = provided()[name];
  if (!store) throw new Error(`No ${name}`);
  return store;
}

/** A store that a page with nothing but a recording does not have. */
export function useIfProvided<Name extends keyof Provided>(name: Name): Partial<Provided>[Name] {
  return provided()[name];
}

/** Components that also stand on a page with nothing but a recording take what they show from here. */
export const useShown = (): Shown => useIfProvided('shown') ?? use('view');

export function useApp<Name extends keyof App>(name: Name): App[Name] {
  const part = use('app')[name];
  if (!part) throw new Error(`No ${name}`);
  return part;
}

export const useCanRun = () => use('canRun');
export const useCommands = () => use('run');
export const useComparison = () => use('comparison');
export const useContent = () => use('content');
export const useDialogs = () => use('dialogs');
export const useDraft = () => use('draft');
export const useFinding = () => use('finding');
export const useLayout = () => use('layout');
export const useLessonsPanel = () => use('lessonsPanel');
export const useLive = () => use('live');
export const useLook = () => use('look');
export const useModel = () => use('model');
export const usePast = () => use('past');
export const usePrompts = () => use('prompts');
export const useRestoration = () => use('restoration');
export const useRuns = () => use('runs');
export const useSessionList = () => use('list');
export const useSteps = () => use('steps');
export const useToasts = () => use('toasts');
export const useView = () => use('view');
export const useWorkspace = () => use('workspace');
export const useYou = () => use('you');
