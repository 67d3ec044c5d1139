import { MediaQuery } from 'svelte/reactivity';
import type { Workspace } from '../../workspace/workspace.ts';
import type { PreferenceKey, Preferences } from './preferences.ts';

export type Theme = 'system' | 'light' | 'dark';
/** The tabs of the workbench. */
export const TABS = ['files', 'changes', 'terminal', 'preview', 'inspector', 'log'] as const;
export type Tab = (typeof TABS)[number];
/** A narrow page shows one of these at a time. On a wide page, only the tabs of the workbench are chosen. */
export type Pane = 'sessions' | 'chat' | 'lesson' | Tab;

/** The panes beside the conversation, whose width can be changed. */
export type SidePane = 'sidebar' | 'workbench';

/** The panes that a wide page shows side by side. Each can fill it. */
export type MainPane = 'sessions' | 'chat' | 'workbench';

/** The layouts of a wide page; `all` shows the panes as the person last had them. */
export const LAYOUTS = ['all', 'talking', 'reviewing', 'watching'] as const;
export type LayoutName = (typeof LAYOUTS)[number];

interface ShownPanes {
  /** `null` until the person opens or closes it: it is then shown where there is room. */
  readonly sidebar: boolean | null;
  readonly bench: boolean;
  readonly tab: Tab;
}

/** A line that the terminal of a workspace is asked to run, as soon as it is there. */
export interface AskedLine {
  readonly workspace: Workspace;
  readonly line: string;
}

/** The layout of the page, as the person left it on this device. */
export class Layout {
  readonly #preferences: Preferences;
  readonly #hasServers: () => boolean;
  #theme = $state.raw<Theme>('system');
  #pane = $state.raw<Pane>('chat');
  #tab = $state.raw<Tab>('files');
  #sidebar = $state.raw<boolean | null>(null);
  #bench = $state.raw(true);
  #typedInto = $state(0);
  #widths = $state.raw<Readonly<Partial<Record<PreferenceKey, string>>>>({});
  #asked = $state.raw<AskedLine | null>(null);
  #name = $state.raw<LayoutName>('all');
  #filled = $state.raw<MainPane | null>(null);
  readonly #narrow = new MediaQuery('width <= 760px');
  /** Three panes have room side by side. */
  readonly #wide = new MediaQuery('width > 960px');

  /** `hasServers` tells whether the shown workspace can have servers. It is reactive. */
  constructor(preferences: Preferences, hasServers: () => boolean) {
    this.#preferences = preferences;
    this.#hasServers = hasServers;
    this.#theme = oneOf(preferences.get('theme'), ['system', 'light', 'dark']);
    this.#tab = oneOf(preferences.get('tab'), TABS);
    this.#name = oneOf(preferences.get('layout'), LAYOUTS);
    const sidebar = preferences.get('sidebar');
    this.#sidebar = sidebar ? sidebar !== 'off' : null;
    this.#bench = preferences.get('workbench') !== 'off';
  }

  get theme(): Theme {
    return this.#theme;
  }
  /** The tabs that the shown workspace has. */
  readonly tabs: readonly Tab[] = $derived.by(() =>
    this.#hasServers() ? TABS : TABS.filter((tab) => tab !== 'preview'),
  );
  /** The pane that a narrow page shows. */
  get pane(): Pane {
    return this.#pane === 'preview' ? this.#shown(this.#pane) : this.#pane;
  }
  get tab(): Tab {
    return this.#shown(this.#tab);
  }
  get sidebar(): boolean {
    return this.filled ? this.filled === 'sessions' : (this.#sidebar ?? this.#wide.current);
  }
  get bench(): boolean {
    return this.filled ? this.filled === 'workbench' : this.#bench;
  }
  /** Whether a tab of the workbench is in view. */
  shows(tab: Tab): boolean {
    return this.narrow ? this.pane === tab : this.bench && this.tab === tab;
  }
  /** Whether an open lesson is in view. */
  get showsLesson(): boolean {
    return this.narrow ? this.#pane === 'lesson' : this.sidebar;
  }
  /** True on a page that shows one pane at a time. */
  get narrow(): boolean {
    return this.#narrow.current;
  }
  get name(): LayoutName {
    return this.#name;
  }
  /** The pane that fills the page, until another one is asked for. It is not kept for the next visit. */
  get filled(): MainPane | null {
    return this.narrow ? null : this.#filled;
  }

  fill(pane: MainPane | null): void {
    this.#filled = pane;
  }

  /** Arranges the panes. What the person changes afterwards holds until they are arranged again. */
  arrange(name: LayoutName): void {
    const { tab } = this;
    const panes = { sidebar: this.#sidebar, bench: this.#bench, tab };
    if (this.#name === 'all') this.#preferences.set('usual-panes', JSON.stringify(panes));
    this.#filled = null;
    this.#name = name;
    this.#preferences.set('layout', name);
    this.#setPanes(name === 'all' ? this.#usualPanes(panes) : arrangedFor(name, tab));
  }

  /** The width that the person gave to a pane, as a CSS length; `null` if it is that of the design. */
  width(pane: SidePane): string | null {
    const key = this.#widthKey(pane);
    const kept = this.#widths[key] ?? this.#preferences.get(key);
    return kept && `${Number(kept)}px`;
  }

  /** `pixels` is `null` for the width of the design. */
  setWidth(pane: SidePane, pixels: number | null): void {
    const key = this.#widthKey(pane);
    const kept = pixels === null ? '' : String(Math.round(pixels));
    this.#widths = { ...this.#widths, [key]: kept };
    this.#preferences.set(key, kept);
  }

  setTheme(theme: Theme): void {
    this.#theme = theme;
    this.#preferences.set('theme', theme);
  }

  show(pane: Pane): void {
    this.#pane = pane;
    if (this.#filled !== mainPaneOf(pane)) this.#filled = null;
    if (pane === 'sessions' || pane === 'chat' || pane === 'lesson') return;
    this.#tab = pane;
    this.#preferences.set('tab', pane);
    if (!this.bench) this.toggleBench();
  }

  /** A counter that grows each time the person asks for the terminal in order to type. */
  get typedInto(): number {
    return this.#typedInto;
  }

  /**
   * Shows the terminal, which then takes the keyboard focus, unless the focus moves elsewhere before the
   * terminal has loaded.
   */
  typeInTerminal(): void {
    this.show('terminal');
    const { activeElement } = document;
    if (activeElement instanceof HTMLElement && !activeElement.closest('.xterm')) activeElement.blur();
    this.#typedInto++;
  }

  /** The command that the terminal is asked to run and has not taken yet. */
  get asked(): AskedLine | null {
    return this.#asked;
  }

  /** Shows the terminal, and lets it run a line. */
  runInTerminal(asked: AskedLine): void {
    this.show('terminal');
    this.#asked = asked;
  }

  /** Called by the terminal that does what was asked. */
  taken(): void {
    this.#asked = null;
  }

  /** Lessons take the place of the sidebar, so the sidebar must be open. */
  showLesson(): void {
    this.show('lesson');
    if (!this.sidebar) this.toggleSidebar();
  }

  toggleSidebar(): void {
    this.#setPanes({ sidebar: !this.sidebar, bench: this.#bench, tab: this.#tab });
  }

  toggleBench(): void {
    this.#setPanes({ sidebar: this.#sidebar, bench: !this.bench, tab: this.#tab });
  }

  #setPanes({ sidebar, bench, tab }: ShownPanes): void {
    this.#filled = null;
    this.#sidebar = sidebar;
    this.#bench = bench;
    this.#tab = tab;
    this.#preferences.set('sidebar', sidebar === null ? '' : onOff(sidebar));
    this.#preferences.set('workbench', onOff(bench));
    this.#preferences.set('tab', tab);
  }

  /** The panes as they were before another layout was chosen. */
  #usualPanes(otherwise: ShownPanes): ShownPanes {
    try {
      const kept = JSON.parse(this.#preferences.get('usual-panes') ?? '') as Partial<ShownPanes>;
      return { sidebar: kept.sidebar ?? null, bench: kept.bench !== false, tab: oneOf(kept.tab, TABS) };
    } catch {
      return otherwise;
    }
  }

  /** The workbench is not as wide beside a conversation that is read as beside one that is only followed. */
  #widthKey(pane: SidePane): PreferenceKey {
    return pane === 'workbench' && (this.#name === 'reviewing' || this.#name === 'watching')
      ? `workbench-width-${this.#name}`
      : `${pane}-width`;
  }

  #shown(tab: Tab): Tab {
    return this.tabs.includes(tab) ? tab : 'files';
  }
}

function arrangedFor(name: Exclude<LayoutName, 'all'>, tab: Tab): ShownPanes {
  if (name === 'talking') return { sidebar: false, bench: false, tab };
  if (name === 'reviewing') return { sidebar: false, bench: true, tab: 'changes' };
  return { sidebar: false, bench: true, tab: tab === 'log' ? 'log' : 'inspector' };
}

function mainPaneOf(pane: Pane): MainPane | 'lesson' {
  return pane === 'sessions' || pane === 'chat' || pane === 'lesson' ? pane : 'workbench';
}

const onOff = (isOn: boolean) => (isOn ? 'on' : 'off');

function oneOf<T extends string>(value: string | null | undefined, choices: readonly [T, ...T[]]): T {
  return choices.find((choice) => choice === value) ?? choices[0];
}
