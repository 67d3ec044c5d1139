import type { LayoutName, MainPane } from './state/layout.svelte.ts';
import { ownKeys } from './state/own-keys.svelte.ts';
import type { Stores } from './state/stores.ts';
import { words } from './words.ts';

/** One action of the page, shared by buttons, keys, a palette and tests. */
export interface Command {
  readonly id: CommandID;
  readonly title: string;
  /** The usual keys, as {@link keyOf} spells them; `mod` is Cmd on a Mac and Ctrl elsewhere. */
  readonly keys?: string;
  /** A message that is exactly this text runs the command instead of being sent. */
  readonly slash?: string;
  /** The keys also work while a terminal or an editor has the keyboard. */
  readonly everywhere?: boolean;
  /** The keys mean something else in text fields, and are left to them. */
  readonly outsideFields?: boolean;
  /** With {@link outsideFields}: the message box is no such field. */
  readonly inComposer?: boolean;
  readonly when?: (stores: Stores) => boolean;
  readonly run: (stores: Stores) => void;
}

export type CommandID = keyof typeof words.commands;

/** Ids of the elements that commands focus or press. */
export const anchors = {
  composer: 'composer',
  mode: 'mode',
  agent: 'agent',
  search: 'session-search',
} as const;

export const commands: readonly Command[] = [
  command('newSession', {
    keys: 'mod+shift+o',
    everywhere: true,
    run: ({ view }) => void view.newSession().then(() => focus(anchors.composer)),
  }),
  command('send', {
    when: ({ draft }) => draft.text.trim() !== '',
    run: (stores) => {
      const { draft, prompts } = stores;
      const slash = commands.find((each) => each.slash === draft.text.trim());
      if (!slash) return void prompts.send();
      draft.set('');
      run(slash.id, stores);
    },
  }),
  command('compact', {
    slash: '/compact',
    when: ({ view: { session } }) => session !== null && session.writable && session.messages.length > 0,
    run: ({ prompts }) => prompts.compact(),
  }),
  command('undo', {
    keys: 'mod+z',
    slash: '/undo',
    outsideFields: true,
    when: ({ view: { session } }) => session !== null && session.writable && session.messages.length > 0,
    run: ({ restoration }) => void restoration.undo(),
  }),
  command('redo', {
    keys: 'mod+shift+z',
    slash: '/redo',
    outsideFields: true,
    when: ({ view: { session } }) => session !== null && session.writable && session.undone !== null,
    run: ({ restoration }) => void restoration.redo(),
  }),
  command('compare', { slash: '/compare', run: ({ comparison }) => comparison.open() }),
  command('stepping', {
    slash: '/step',
    when: ({ view: { session } }) => session?.writable !== false,
    run: ({ steps, toasts }) => (steps.stepper ? steps.close() : void toasts.attempt(() => steps.begin())),
  }),
  command('step', {
    keys: 'f10',
    everywhere: true,
    when: ({ view: { session } }) => session?.writable !== false,
    run: ({ steps, toasts }) => void toasts.attempt(() => steps.act('step')),
  }),
  command('continue', {
    keys: 'f8',
    everywhere: true,
    when: ({ steps }) => steps.stepper !== null,
    run: ({ steps, toasts }) => void toasts.attempt(() => steps.act('continue')),
  }),
  command('stop', {
    keys: 'mod+.',
    when: ({ view: { session } }) => session !== null && session.busy && session.writable,
    run: ({ view }) => view.session?.stop(),
  }),
  command('composer', {
    keys: 'shift+escape',
    everywhere: true,
    run: ({ layout }) => {
      layout.show('chat');
      focus(anchors.composer);
    },
  }),
  command('permission', {
    keys: 'mod+shift+y',
    everywhere: true,
    when: ({ view }) => (view.session?.askingCount ?? 0) > 0,
    run: ({ layout }) => {
      layout.show('chat');
      document.querySelector<HTMLElement>('[data-request]')?.focus();
    },
  }),
  command('nextWaiting', {
    keys: 'mod+shift+k',
    everywhere: true,
    when: ({ live, view }) => live.nextWait(view.session?.id ?? '') !== undefined,
    run: ({ live, view }) => {
      const id = live.nextWait(view.session?.id ?? '');
      if (id !== undefined) location.hash = `#/session/${id}`;
    },
  }),
  command('mode', {
    // Shift+Tab stays the way back for people without a mouse. The command opens a menu, so that nobody turns
    // off asking without seeing it.
    keys: 'mod+shift+e',
    everywhere: true,
    when: ({ view: { session } }) => session?.writable !== false,
    run: ({ layout }) => {
      layout.show('chat');
      press(anchors.mode);
    },
  }),
  command('agent', {
    keys: 'mod+shift+g',
    everywhere: true,
    when: ({ view: { session } }) => session?.writable !== false && !session?.parent,
    run: ({ layout }) => {
      layout.show('chat');
      press(anchors.agent);
    },
  }),
  command('settings', { keys: 'mod+,', everywhere: true, run: ({ dialogs }) => dialogs.openSettings() }),
  command('lessons', {
    keys: 'mod+shift+l',
    slash: '/lessons',
    everywhere: true,
    run: ({ lessonsPanel }) => (lessonsPanel.purpose ? lessonsPanel.close() : lessonsPanel.open()),
  }),
  command('openRepository', { run: ({ dialogs }) => dialogs.offerRepository({ repository: '' }) }),
  command('share', {
    when: ({ view: { session } }) => session !== null && session.messages.length > 0,
    run: ({ dialogs, view: { player, session } }) =>
      dialogs.share(
        player
          ? { kind: 'recording', recording: player.recording, address: player.address }
          : { kind: 'session', sessionID: session?.id ?? '' },
      ),
  }),
  command('files', { keys: 'alt+1', run: ({ layout }) => layout.show('files') }),
  command('openFile', { keys: 'mod+p', everywhere: true, run: ({ finding }) => finding.ask('file') }),
  command('searchFiles', {
    keys: 'mod+shift+f',
    everywhere: true,
    run: ({ finding, layout }) => {
      layout.show('files');
      finding.ask('text');
    },
  }),
  command('terminal', { keys: 'ctrl+`', everywhere: true, run: ({ layout }) => layout.typeInTerminal() }),
  command('palette', { keys: 'mod+k', everywhere: true, run: ({ dialogs }) => dialogs.list('palette') }),
  command('keys', { keys: 'shift+?', outsideFields: true, run: ({ dialogs }) => dialogs.list('keys') }),
  command('search', {
    keys: 'mod+shift+s',
    run: ({ layout }) => {
      if (!layout.sidebar) layout.toggleSidebar();
      layout.show('sessions');
      focus(anchors.search);
    },
  }),
  command('sidebar', { keys: 'mod+b', run: ({ layout }) => layout.toggleSidebar() }),
  command('workbench', { keys: 'mod+\\', run: ({ layout }) => layout.toggleBench() }),
  arrange('talking', 'alt+2'),
  arrange('reviewing', 'alt+3'),
  arrange('watching', 'alt+4'),
  command('fill', {
    keys: 'mod+shift+x',
    everywhere: true,
    when: ({ layout }) => !layout.narrow,
    run: ({ layout }) => layout.fill(layout.filled ? null : focusedPane()),
  }),
  command('unfill', {
    keys: 'escape',
    outsideFields: true,
    inComposer: true,
    when: ({ layout }) => layout.filled !== null,
    run: ({ layout }) => layout.fill(null),
  }),
];

/** The command for a layout; a second time it brings all panes back. */
function arrange(name: Exclude<LayoutName, 'all'>, keys: string): Command {
  return command(name, {
    keys,
    everywhere: true,
    when: ({ layout }) => !layout.narrow,
    run: ({ layout }) => layout.arrange(layout.name === name ? 'all' : name),
  });
}

function focusedPane(): MainPane {
  const { activeElement } = document;
  if (activeElement?.closest('.bench')) return 'workbench';
  return activeElement?.closest('nav') ? 'sessions' : 'chat';
}

export function run(id: CommandID, stores: Stores): void {
  if (canRun(id, stores)) commands.find((each) => each.id === id)?.run(stores);
}

/** Whether a command applies now. */
export function canRun(id: CommandID, stores: Stores): boolean {
  const found = commands.find((each) => each.id === id);
  return found !== undefined && (found.when?.(stores) ?? true);
}

/** Runs the command with these keys; returns whether there was one. */
export function runKeys(event: KeyboardEvent, stores: Stores): boolean {
  if (event.isComposing || event.defaultPrevented) return false;
  // On Windows, Alt and digits of the number pad type characters.
  if (event.altKey && event.code.startsWith('Numpad')) return false;
  const keys = keyOf(event, isMac);
  const found = commands.find((each) => keysOf(each) === keys && (each.when?.(stores) ?? true));
  if (!found || (hasOwnKeys(event.target) && !found.everywhere)) return false;
  const inComposer = found.inComposer && (event.target as Element).id === anchors.composer;
  if (found.outsideFields && isField(event.target) && !inComposer) return false;
  event.preventDefault();
  found.run(stores);
  return true;
}

/**
 * Spells a key press as `mod+shift+o`: modifiers in the order mod, ctrl, alt, shift, then the key in lower
 * case.
 */
export function keyOf(event: KeyboardEvent, mac: boolean): string {
  const mod = mac ? event.metaKey : event.ctrlKey;
  const ctrl = mac && event.ctrlKey;
  // On a Mac, Option makes another character of a digit, which is only wanted where text is typed.
  const digit =
    mac && event.altKey && !isField(event.target) ? /^Digit(\d)$/.exec(event.code)?.[1] : undefined;
  const key = digit ?? (event.code === 'Backquote' ? '`' : event.key.toLowerCase());
  const spelled = [mod && 'mod', ctrl && 'ctrl', event.altKey && 'alt', event.shiftKey && 'shift', key]
    .filter(Boolean)
    .join('+');
  // Ctrl+` uses Ctrl on every system, as in editors.
  return spelled === 'mod+`' && !mac ? 'ctrl+`' : spelled;
}

/** The keys for a hint beside a button: `⇧⌘O` on a Mac, `Ctrl+Shift+O` elsewhere. */
export function keyLabel(id: CommandID, mac = isMac): string {
  const found = commands.find((each) => each.id === id);
  return labelOf(found ? keysOf(found) : '', mac);
}

/** The keys of a command now; empty if it has none. */
export function keysOf({ id, keys = '' }: Command): string {
  return ownKeys.get(id) ?? keys;
}

/** Keys as {@link keyOf} spells them, as they are written on the keyboard. */
export function labelOf(keys: string, mac = isMac): string {
  const names: Readonly<Record<string, string>> = mac
    ? { mod: '⌘', ctrl: '⌃', alt: '⌥', shift: '⇧', escape: 'esc' }
    : { mod: 'Ctrl', ctrl: 'Ctrl', alt: 'Alt', shift: 'Shift', escape: 'Esc' };
  return keys
    .split('+')
    .map((key) => names[key] ?? key.toUpperCase())
    .join(mac ? '' : '+')
    .replace(/^(Shift\+|⇧)(?=\W$)/, '');
}

export const isMac = /Mac|iPhone|iPad/.test(globalThis.navigator?.platform ?? '');

/** Focuses the first of these elements that can have the focus. */
export function focus(...ids: readonly string[]): void {
  // The elements may exist only after the page shows what the command changed.
  requestAnimationFrame(() => {
    const elements = ids.map((id) => document.getElementById(id));
    elements.find((element) => element && !element.matches(':disabled'))?.focus();
  });
}

function press(id: string): void {
  requestAnimationFrame(() => document.getElementById(id)?.click());
}

function isField(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('input, textarea, select, [contenteditable]') !== null;
}

function hasOwnKeys(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('[data-own-keys], .xterm') !== null;
}

function command(id: CommandID, rest: Omit<Command, 'id' | 'title'>): Command {
  return { id, title: words.commands[id], ...rest };
}
