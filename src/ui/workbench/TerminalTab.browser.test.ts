import { tick } from 'svelte';
import { SvelteSet } from 'svelte/reactivity';
import { userEvent } from 'vitest/browser';
import { expect, test } from 'vitest';
import { render } from 'vitest-browser-svelte';
import { InteractiveWorkspace } from '../../../test/support/interactive-workspace.ts';
import { Listeners } from '../../base/listeners.ts';
import type { AgentRun, AgentRunStream } from './agent-runs.ts';
import Terminal from './TerminalTab.svelte';

/** Allows for a busy test machine, and for xterm's delay in telling screen readers. */
const soon = <T>(value: () => T) => expect.poll(value, { timeout: 10_000 });

async function open(commands: readonly string[] = [], typedInto = () => 0) {
  const workspace = new InteractiveWorkspace({ files: { 'note.txt': 'x' } });
  workspace.commands = commands;
  workspace.onSpawn = (process) => {
    if (process.command.startsWith('echo ')) {
      process.print(`${process.command.slice(5)}\n`);
      process.end();
    }
  };
  const runs = new Listeners<AgentRun>();
  const { page, rows, input } = await show(workspace, {
    agentRuns: (listener: (run: AgentRun) => void) => runs.add(listener),
    typedInto,
  });
  input().focus();
  await soon(rows).toEqual(['project $']);
  return { workspace, runs, rows, page };
}

/**
 * Puts the terminal of a workspace on the page; `rows` are the lines that a screen reader finds, without
 * blank ones.
 */
async function show(
  workspace: InteractiveWorkspace,
  props: { readonly agentRuns?: AgentRunStream; readonly typedInto?: () => number } = {},
) {
  const page = await render(Terminal, {
    workspace,
    history: { load: async () => [], save: async () => {} },
    ...props,
  });
  page.container.style.cssText = 'height: 300px; --mono: monospace; --t-code: 12.5px';
  const input = page.getByRole('textbox', { name: 'Terminal input' });
  await expect.element(input).toBeInTheDocument();
  const rows = () =>
    page
      .getByRole('region', { name: 'Terminal' })
      .getByRole('listitem')
      .elements()
      .map((row) => row.textContent.trimEnd())
      .filter((row) => row !== '');
  return { page, rows, input: () => page.getByRole('textbox', { name: 'Terminal input' }).element() };
}

test('a command typed by hand runs, and its output is there for a screen reader', async () => {
  const { rows } = await open();
  await userEvent.keyboard('echo hi there{Enter}');
  await soon(rows).toEqual(['project $ echo hi there', 'hi there', 'project $']);
});

test('what runs and what it printed go on while the tab is away, until the workspace is closed', async () => {
  const { workspace, rows, page } = await open();
  await userEvent.keyboard('cat{Enter}');
  await soon(() => workspace.processes.length).toBe(1);
  workspace.processes[0]?.print('before\n');
  await soon(rows).toEqual(['project $ cat', 'before']);
  await page.unmount();
  expect(workspace.processes[0]?.killed).toBe(false);
  workspace.processes[0]?.print(`${Array.from({ length: 60 }, (_, row) => `away ${row}\n`).join('')}`);

  const again = await show(workspace);
  await soon(() => again.rows().at(-1)).toBe('away 59');
  again.input().focus();
  await userEvent.keyboard('typed{Enter}');
  await soon(() => workspace.processes[0]?.written).toEqual(['typed\n']);
  await again.page.unmount();
  await workspace.close();
  expect(workspace.processes[0]?.killed).toBe(true);
});

test('each workspace has a terminal of its own', async () => {
  const first = await open();
  await userEvent.keyboard('echo one{Enter}');
  await soon(first.rows).toEqual(['project $ echo one', 'one', 'project $']);
  await first.page.unmount();
  const second = await open();
  await userEvent.keyboard('echo two{Enter}');
  await soon(second.rows).toEqual(['project $ echo two', 'two', 'project $']);
  await second.page.unmount();
  const again = await show(first.workspace);
  await soon(again.rows).toEqual(['project $ echo one', 'one', 'project $']);
});

test('asked for with the mouse it has the keyboard, unless someone went elsewhere meanwhile', async () => {
  const presses = new SvelteSet<number>();
  const { page } = await open([], () => presses.size);
  const input = page.getByRole('textbox', { name: 'Terminal input' }).element();
  const elsewhere = document.body.appendChild(document.createElement('input'));
  elsewhere.focus();
  presses.add(1);
  await tick();
  expect(document.activeElement).toBe(elsewhere);
  elsewhere.remove();
  expect(document.activeElement).toBe(document.body);
  presses.add(2);
  await tick();
  expect(document.activeElement).toBe(input);
});

test('editing inside a line that wraps', async () => {
  const { rows, workspace } = await open();
  const long = 'x'.repeat(60);
  await userEvent.keyboard(`cho ${long}`);
  await userEvent.keyboard('{Home}e{End}y{Enter}');
  await soon(() => workspace.processes[0]?.command).toBe(`echo ${long}y`);
  await soon(() => rows().join('')).toBe(`project $ echo ${long}y${long}yproject $`);
});

test('what the agent runs appears above the line being typed', async () => {
  const { rows, runs } = await open();
  await userEvent.keyboard('ec');
  runs.emit({ type: 'started', id: '1', command: 'npm test' });
  runs.emit({ type: 'output', id: '1', text: '漢字 ok\n' });
  runs.emit({ type: 'ended', id: '1', outcome: 'ok', exitCode: 0, durationMs: 1200 });
  await userEvent.keyboard('ho x{Enter}');
  await soon(rows).toEqual([
    '┃ agent ▸ npm test',
    '┃ 漢字 ok',
    '┃ exit 0 · 1.2 s',
    'project $ echo x',
    'x',
    'project $',
  ]);
});

test('a running command has the keyboard: input, Ctrl-D, Ctrl-C', async () => {
  const { rows, workspace } = await open();
  await userEvent.keyboard('cat{Enter}');
  await soon(() => workspace.processes.length).toBe(1);
  workspace.processes[0]?.print('Name: ');
  await soon(rows).toEqual(['project $ cat', 'Name:']);
  await userEvent.keyboard('Ada{Enter}');
  await soon(() => workspace.processes[0]?.written).toEqual(['Ada\n']);
  await soon(rows).toEqual(['project $ cat', 'Name: Ada']);
  await userEvent.keyboard('{Control>}d{/Control}');
  await soon(() => workspace.processes[0]?.inputClosed).toBe(true);
  await userEvent.keyboard('{Control>}c{/Control}');
  await soon(rows).toEqual(['project $ cat', 'Name: Ada', '^C', '130 project $']);
});

test('the keys for a touch keyboard end what runs, move, complete, and leave the focus in the terminal', async () => {
  const { rows, workspace, page } = await open(['cat']);
  const touched = (name: string) => {
    // The test's pointer is a mouse, for which the row is not shown.
    const button = page.getByRole('button', { name, exact: true, includeHidden: true }).element();
    const isTaken = button.dispatchEvent(new MouseEvent('mousedown', { bubbles: true, cancelable: true }));
    expect(isTaken, name).toBe(false);
    button.dispatchEvent(new MouseEvent('click', { bubbles: true }));
    return button;
  };
  await userEvent.keyboard('ca');
  touched('Tab');
  await soon(rows).toEqual(['project $ cat']);
  await userEvent.keyboard('{Enter}');
  await soon(() => workspace.processes.length).toBe(1);
  touched('Ctrl+D');
  await soon(() => workspace.processes[0]?.inputClosed).toBe(true);
  touched('Ctrl+C');
  await soon(rows).toEqual(['project $ cat', '^C', '130 project $']);
  touched('Up arrow');
  await soon(rows).toEqual(['project $ cat', '^C', '130 project $ cat']);
  touched('Left arrow');
  // Tab has put a space after the word.
  touched('Left arrow');
  await userEvent.keyboard('x');
  await soon(rows).toEqual(['project $ cat', '^C', '130 project $ caxt']);

  const ctrl = touched('Ctrl');
  await soon(() => ctrl.getAttribute('aria-pressed')).toBe('true');
  await userEvent.keyboard('a');
  await soon(() => ctrl.getAttribute('aria-pressed')).toBe('false');
  await userEvent.keyboard('echo ');
  await soon(rows).toEqual(['project $ cat', '^C', '130 project $ echo caxt']);
  expect(document.activeElement).toBe(page.getByRole('textbox', { name: 'Terminal input' }).element());
});

test('a program’s question to the terminal is not answered into the command line', async () => {
  const { rows, workspace } = await open();
  await userEvent.keyboard('cat trap{Enter}');
  await soon(() => workspace.processes.length).toBe(1);
  workspace.processes[0]?.print('\x1b[6n\x1b[c\x1bP$qm\x1b\\\x1b]10;?\x07\x1b[?1049hgone\x1b[31m');
  workspace.processes[0]?.end();
  await soon(rows).toEqual(['project $ cat trap', 'project $']);
});

test('Tab completes, Escape and Tab leave', async () => {
  const { rows, page } = await open(['cat']);
  await userEvent.keyboard('ca{Tab}no{Tab}');
  await soon(rows).toEqual(['project $ cat note.txt']);
  const after = document.createElement('button');
  page.container.after(after);
  await userEvent.keyboard('{Escape}{Tab}');
  expect(document.activeElement).toBe(after);
  after.remove();
});

test('Ctrl-L leaves the line being typed alone at the top', async () => {
  const { rows } = await open();
  await userEvent.keyboard('echo hi{Enter}');
  await soon(rows).toEqual(['project $ echo hi', 'hi', 'project $']);
  await userEvent.keyboard('ab{Control>}l{/Control}c');
  await soon(rows).toEqual(['project $ abc']);
});

test('a line that is being typed keeps its place when the tab gets narrower', async () => {
  const { rows, page } = await open();
  await userEvent.keyboard('echo one{Enter}');
  await soon(rows).toEqual(['project $ echo one', 'one', 'project $']);
  const typed = 'abcdefghijklmnopqrstuvwxyz';
  await userEvent.keyboard(typed);
  page.container.style.width = '180px';
  await soon(() => rows().length).toBeGreaterThan(3);
  await userEvent.keyboard('!');
  await soon(() => rows().join('')).toBe(`project $ echo oneoneproject $ ${typed}!`);
});

test('nothing it does is refused under style-src self and trusted types, and colours still show', async () => {
  const refused: string[] = [];
  document.addEventListener('securitypolicyviolation', (event) => {
    refused.push(`${event.violatedDirective} ${event.sourceFile}:${event.lineNumber}`);
  });
  // A policy cannot be removed again, so this is the last test of the file. Vite's own additions in
  // development come before it.
  await import('./terminal/open-terminal.ts');
  const policy = document.createElement('meta');
  policy.httpEquiv = 'Content-Security-Policy';
  policy.content = "style-src 'self'; require-trusted-types-for 'script'; trusted-types 'none'";
  document.head.append(policy);
  const first = await open();
  await first.page.unmount();
  const other = await open();
  await other.page.unmount();
  await other.workspace.close();
  const { workspace } = first;
  const { page, rows, input } = await show(workspace);
  input().focus();
  await userEvent.keyboard('colours{Enter}');
  await soon(() => workspace.processes.length).toBe(1);
  workspace.processes[0]?.print('\x1b[38;2;240;230;90mtrue\x1b[0m \x1b[31mred\x1b[0m');
  await soon(rows).toEqual(['project $ colours', 'true red']);
  const coloured = () =>
    [...page.container.querySelectorAll('.xterm-rows span')].find(
      (span) => span.textContent.trim() === 'true',
    );
  await soon(() => coloured()).toBeDefined();
  expect(getComputedStyle(coloured() ?? document.body).color).toBe('rgb(240, 230, 90)');
  expect(refused).toEqual([]);
});
