import { userEvent } from 'vitest/browser';
import { expect, test } from 'vitest';
import { render } from 'vitest-browser-svelte';
import { MemoryWorkspace } from '../../../../../test/support/memory-workspace.ts';
import FilesTab from '../../FilesTab.svelte';
import type { Highlighter } from '../open-file.svelte.ts';
import '../../../styles/index.css';

const noColours: Highlighter = async () => null;

async function open(files: Record<string, string | Uint8Array>, highlight = noColours) {
  // The edits of one test must not go on in the next.
  const workspace = new MemoryWorkspace({ files, id: `wsp_${crypto.randomUUID()}` });
  let agent = false;
  const show = async (shown = workspace) => {
    const page = await render(FilesTab, { workspace: shown, agentActive: () => agent, highlight });
    page.container.style.cssText = 'height: 600px; width: 700px';
    return page;
  };
  const page = await show();
  const item = (name: string) => page.getByRole('treeitem', { name, exact: true });
  const text = (path: string) => page.getByRole('textbox', { name: `Text of ${path}`, exact: true });
  const tab = (name: string | RegExp) => page.getByRole('tab', { name, exact: true });
  /** Opens a file, and puts the cursor at its end. */
  const edit = async (name: string) => {
    await item(name).click();
    await text(name).click();
    await userEvent.keyboard('{ControlOrMeta>}{End}{/ControlOrMeta}');
  };
  const save = () => userEvent.keyboard('{ControlOrMeta>}s{/ControlOrMeta}');
  const byAgent = (path: string, content: string) => {
    agent = true;
    workspace.files.put(path, content);
    agent = false;
  };
  return { workspace, page, show, item, text, tab, edit, save, byAgent };
}

// The first one, because the edits that other tests leave behind would be asked about too.
test('unsaved edits outlive the tab, and the workspace’s object', async () => {
  const { workspace, page, show, edit } = await open({ 'a.txt': 'one\n' });
  await edit('a.txt');
  await userEvent.keyboard('more');
  await page.unmount();
  const leaving = new Event('beforeunload', { cancelable: true });
  dispatchEvent(leaving);
  expect(leaving.defaultPrevented).toBe(true);

  const again = await show();
  await expect.element(again.getByRole('tab', { name: 'a.txt unsaved' })).toBeVisible();
  await again.unmount();

  const other = new MemoryWorkspace({ files: { 'a.txt': 'two\n' }, id: workspace.id });
  const resumed = await show(other);
  await expect.element(resumed.getByRole('textbox', { name: 'Text of a.txt' })).toHaveTextContent('onemore');
  await expect
    .element(resumed.getByRole('alert').getByText('a.txt was changed while you had unsaved edits.'))
    .toBeVisible();
  await resumed.getByRole('button', { name: 'Keep mine' }).click();
  await resumed.getByRole('button', { name: 'Save' }).click();
  await expect.poll(() => other.files.text('a.txt')).toBe('one\nmore');
  await resumed.unmount();
  const calm = new Event('beforeunload', { cancelable: true });
  dispatchEvent(calm);
  expect(calm.defaultPrevented).toBe(false);
});

test('a text is edited and saved, and its tab says what is not saved', async () => {
  const { workspace, page, tab, edit, save } = await open({ 'a.txt': 'one\n' });
  const button = page.getByRole('button', { name: 'Save' });
  await edit('a.txt');
  await expect.element(button).toBeDisabled();
  await userEvent.keyboard('two');
  await expect.element(tab('a.txt unsaved')).toBeVisible();
  await save();
  await expect.element(tab('a.txt')).toBeVisible();
  expect(workspace.files.text('a.txt')).toBe('one\ntwo');
  expect(workspace.durables).toBe(1);
  await userEvent.keyboard('!');
  await button.click();
  await expect.poll(() => workspace.files.text('a.txt')).toBe('one\ntwo!');
  await expect.element(button).toBeDisabled();
});

test('the shown file is saved from its tab, too', async () => {
  const { workspace, tab, edit, save } = await open({ 'a.txt': 'one\n' });
  await edit('a.txt');
  await userEvent.keyboard('two');
  (tab('a.txt unsaved').element() as HTMLElement).focus();
  await save();
  await expect.element(tab('a.txt')).toHaveFocus();
  expect(workspace.files.text('a.txt')).toBe('one\ntwo');
});

test('undoing what was typed leaves nothing to save', async () => {
  const { tab, edit } = await open({ 'a.txt': 'one\n' });
  await edit('a.txt');
  await userEvent.keyboard('two');
  await expect.element(tab('a.txt unsaved')).toBeVisible();
  await userEvent.keyboard('{ControlOrMeta>}z{/ControlOrMeta}');
  await expect.element(tab('a.txt')).toBeVisible();
});

test('line ends and the byte order mark stay', async () => {
  const { workspace, edit, save } = await open({ 'a.txt': '\ufeffone\r\ntwo\r\n' });
  await edit('a.txt');
  await userEvent.keyboard('three{Enter}');
  await save();
  await expect.poll(() => workspace.files.text('a.txt')).toBe('\ufeffone\r\ntwo\r\nthree\r\n');
});

test('mixed line ends are said', async () => {
  const { page, edit } = await open({ 'a.txt': 'one\r\ntwo\r\nthree\n' });
  await edit('a.txt');
  await expect
    .element(page.getByText('Lines end in both ways. Saving makes all of them CRLF.'))
    .toBeVisible();
});

test('Tab indents as the file does, and Escape, then Tab, leaves', async () => {
  const { workspace, page, edit, save, text } = await open({ 'a.js': 'if (a) {\n    b();\n}\n' });
  await edit('a.js');
  await userEvent.keyboard('{Tab}c();');
  await save();
  await expect.poll(() => workspace.files.text('a.js')).toBe('if (a) {\n    b();\n}\n    c();');
  const inText = () => text('a.js').element().matches(':focus');
  expect(inText()).toBe(true);
  await userEvent.keyboard('{Escape}{Tab}');
  expect(inText()).toBe(false);
  expect(workspace.files.text('a.js')).toBe('if (a) {\n    b();\n}\n    c();');
  await expect
    .element(page.getByText('Tab indents. Escape, then Tab, leaves the text.').first())
    .toBeVisible();
});

test('a text is searched, and its matches are replaced', async () => {
  const { workspace, page, edit, save } = await open({ 'a.txt': 'red green red\n' });
  await edit('a.txt');
  await page.getByRole('button', { name: 'Find', exact: true }).click();
  await page.getByRole('textbox', { name: 'Find' }).fill('red');
  await page.getByRole('textbox', { name: 'Replace with' }).fill('blue');
  await page.getByRole('button', { name: 'Replace all' }).click();
  await save();
  await expect.poll(() => workspace.files.text('a.txt')).toBe('blue green blue\n');
});

test('the whole find bar is visible in the small editor of a phone', async () => {
  const { page, edit } = await open({ 'a.txt': 'red green red\n' });
  page.container.style.cssText = 'height: 640px; width: 360px';
  await edit('a.txt');
  await page.getByRole('button', { name: 'Find', exact: true }).click();
  await page.getByRole('textbox', { name: 'Find' }).fill('red');
  const text = page.getByRole('textbox', { name: 'Text of a.txt' }).element();
  const bar = text.closest('.cm-editor')?.querySelector('.cm-panels');
  expect(bar?.clientHeight).toBeGreaterThan(0);
  expect(bar?.scrollHeight).toBe(bar?.clientHeight);
  await expect.element(page.getByRole('button', { name: 'Replace all' })).toBeInViewport({ ratio: 1 });
});

test('what stands in the line below the text is on one line', async () => {
  const { page, edit } = await open({ 'a.js': 'a\n' });
  await edit('a.js');
  const middle = (element: Element) => {
    const { top, height } = element.getBoundingClientRect();
    return Math.round(top + height / 2);
  };
  const hint = page.getByText('Tab indents. Escape, then Tab, leaves the text.').first();
  const format = page.getByText('Format on save');
  await expect.element(format).toBeVisible();
  expect(middle(hint.element())).toBe(middle(format.element()));
});

test('the agent’s change is taken, its lines are marked, and the cursor stays', async () => {
  const { workspace, page, edit, save, text, byAgent } = await open({ 'a.txt': 'one\ntwo\nthree\n' });
  await edit('a.txt');
  await userEvent.keyboard('{ArrowUp}');
  byAgent('a.txt', 'zero\none\n2\nthree\n');
  await expect.element(text('a.txt')).toHaveTextContent('zeroone2three');
  await expect.element(page.getByText('Changed by the agent').last()).toBeVisible();
  const marked = () =>
    [...text('a.txt').element().querySelectorAll('.cm-changed')].map((line) => line.textContent);
  await expect.poll(marked).toEqual(['zero', 'one', '2']);
  await userEvent.keyboard('!');
  await save();
  await expect.poll(() => workspace.files.text('a.txt')).toBe('zero\none\n2\n!three\n');
  await expect.poll(marked).toEqual([]);
});

test('with unsaved edits the person decides, and can see both', async () => {
  const { workspace, page, tab, edit, save, text, byAgent } = await open({ 'a.txt': 'one\n' });
  await edit('a.txt');
  await userEvent.keyboard('mine');
  byAgent('a.txt', 'theirs\n');
  const bar = page.getByRole('alert');
  await expect
    .element(bar.getByText('a.txt was changed by the agent while you had unsaved edits.'))
    .toBeVisible();
  await save();
  expect(workspace.files.text('a.txt')).toBe('theirs\n');

  await bar.getByRole('button', { name: 'Show both' }).click();
  const both = page.getByRole('group', { name: 'Changes to a.txt' });
  await expect.element(both).toHaveTextContent(/−theirs.*\+one.*\+mine/);
  await bar.getByRole('button', { name: 'Show both' }).click();

  await bar.getByRole('button', { name: 'Keep mine' }).click();
  await expect.element(bar).not.toBeInTheDocument();
  await expect.element(tab('a.txt unsaved')).toBeVisible();
  // The text has the focus again.
  await userEvent.keyboard(' too');
  await expect.element(text('a.txt')).toHaveTextContent('mine too');
  await save();
  await expect.poll(() => workspace.files.text('a.txt')).toBe('one\nmine too');
});

test('the agent’s version can be taken, and undoing brings the own one back', async () => {
  const { page, tab, edit, text, byAgent } = await open({ 'a.txt': 'one\n' });
  await edit('a.txt');
  await userEvent.keyboard('mine');
  byAgent('a.txt', 'theirs\n');
  await page.getByRole('button', { name: 'Take the agent’s' }).click();
  await expect.element(text('a.txt')).toHaveTextContent('theirs');
  await expect.element(tab('a.txt')).toBeVisible();
  await text('a.txt').click();
  await userEvent.keyboard('{ControlOrMeta>}z{/ControlOrMeta}');
  await expect.element(text('a.txt')).toHaveTextContent('onemine');
  await expect.element(tab('a.txt unsaved')).toBeVisible();
});

test('a file that changed unnoticed is not overwritten', async () => {
  const { workspace, page, edit, save } = await open({ 'a.txt': 'one\n' });
  await edit('a.txt');
  await userEvent.keyboard('mine');
  // The change is not reported before the save.
  const write = workspace.files.write.bind(workspace.files);
  workspace.files.write = async (...given) => {
    workspace.files.write = write;
    await write('a.txt', new TextEncoder().encode('theirs\n'));
    await write(...given);
  };
  await save();
  await expect
    .element(page.getByRole('alert').getByText('a.txt was changed while you had unsaved edits.'))
    .toBeVisible();
  expect(workspace.files.text('a.txt')).toBe('theirs\n');
});

test('a save that fails says why and keeps the edits', async () => {
  const { workspace, page, tab, edit, save } = await open({ 'a.txt': 'one\n' });
  await edit('a.txt');
  await userEvent.keyboard('mine');
  workspace.files.write = async () => {
    throw new Error('The disk is full.');
  };
  await save();
  await expect.element(page.getByRole('alert')).toHaveTextContent('a.txt was not saved: The disk is full.');
  await expect.element(tab('a.txt unsaved')).toBeVisible();
});

test('a deleted file is written again by saving', async () => {
  const { workspace, page, edit, save } = await open({ 'a.txt': 'one\n' });
  await edit('a.txt');
  await workspace.files.remove('a.txt');
  await expect.element(page.getByRole('alert')).toHaveTextContent('a.txt was deleted. Save writes it again.');
  await save();
  await expect.poll(() => workspace.files.nodes.has('/home/project/a.txt')).toBe(true);
  await expect.element(page.getByRole('alert')).not.toBeInTheDocument();
  expect(workspace.files.text('a.txt')).toBe('one\n');
});

test('open files are tabs, which keep what was typed and its history', async () => {
  const { page, item, tab, edit, text } = await open({ 'a.txt': 'one\n', 'b.txt': 'two\n', 'c.txt': '' });
  await edit('a.txt');
  await userEvent.keyboard('more');
  await edit('b.txt');
  await edit('c.txt');
  const names = () =>
    page
      .getByRole('tab')
      .elements()
      .map((each) => each.textContent.trim().replace(/\s+/g, ' '));
  expect(names()).toEqual(['a.txt unsaved', 'b.txt', 'c.txt']);
  await item('b.txt').click();
  expect(names()).toHaveLength(3);
  await expect.element(tab('b.txt')).toHaveAttribute('aria-selected', 'true');

  await tab('b.txt').click();
  await userEvent.keyboard('{ArrowLeft}');
  await expect.element(tab('a.txt unsaved')).toHaveFocus();
  await expect.element(text('a.txt')).toHaveTextContent('onemore');
  await text('a.txt').click();
  await userEvent.keyboard('{ControlOrMeta>}z{/ControlOrMeta}');
  await expect.element(text('a.txt')).toHaveTextContent(/^one$/);

  await tab('a.txt').click();
  await userEvent.keyboard('{Delete}');
  await expect.poll(names).toEqual(['b.txt', 'c.txt']);
  await expect.element(tab('b.txt')).toHaveFocus();
  tab('c.txt')
    .element()
    .dispatchEvent(new MouseEvent('auxclick', { button: 1, bubbles: true }));
  await expect.poll(names).toEqual(['b.txt']);
  await page.getByRole('button', { name: 'Close file' }).click();
  await expect.element(page.getByRole('tree')).toHaveFocus();
});

test('closing asks where edits are unsaved', async () => {
  const { workspace, page, tab, edit } = await open({ 'a.txt': 'one\n', 'b.txt': 'two\n' });
  await edit('a.txt');
  await userEvent.keyboard('more');
  const question = page.getByRole('alertdialog', { name: 'a.txt has unsaved edits.' });
  await page.getByRole('button', { name: 'Close file' }).click();
  await expect.element(question.getByRole('button', { name: 'Save' })).toHaveFocus();
  await question.getByRole('button', { name: 'Cancel' }).click();
  await expect.element(tab('a.txt unsaved')).toHaveFocus();
  await userEvent.keyboard('{Delete}');
  await question.getByRole('button', { name: 'Save' }).click();
  await expect.element(page.getByRole('tablist')).not.toBeInTheDocument();
  expect(workspace.files.text('a.txt')).toBe('one\nmore');

  await edit('b.txt');
  await userEvent.keyboard('more');
  await page.getByRole('button', { name: 'Close file' }).click();
  await page.getByRole('button', { name: 'Discard' }).click();
  await expect.element(page.getByRole('tablist')).not.toBeInTheDocument();
  expect(workspace.files.text('b.txt')).toBe('two\n');
});

test('a renamed file goes on with its edits', async () => {
  const { workspace, page, tab, save, text } = await open({ 'src/a.txt': 'one\n' });
  await page.getByRole('treeitem', { name: 'src' }).click();
  await page.getByRole('treeitem', { name: 'a.txt' }).click();
  await text('src/a.txt').click();
  await userEvent.keyboard('{ControlOrMeta>}{End}{/ControlOrMeta}more');
  await page.getByRole('treeitem', { name: 'src' }).click();
  page.getByRole('tree').element().focus();
  await userEvent.keyboard('{F2}');
  await page.getByRole('textbox', { name: 'New name for src' }).fill('lib');
  await userEvent.keyboard('{Enter}');
  await expect.element(text('lib/a.txt')).toHaveTextContent('onemore');
  await expect.element(tab('a.txt unsaved')).toBeVisible();
  await expect.element(page.getByRole('alert')).not.toBeInTheDocument();
  await text('lib/a.txt').click();
  await save();
  await expect.poll(() => workspace.files.text('lib/a.txt')).toBe('one\nmore');
});

test('a text that is not UTF-8 to its end is shown and not edited', async () => {
  const bytes = new Uint8Array(9_000).fill(97);
  bytes[8_999] = 0xe9;
  const { page, item, text } = await open({ 'a.txt': bytes });
  await item('a.txt').click();
  await expect.element(page.getByText(/This file is not UTF-8 throughout/)).toBeVisible();
  await expect.element(text('a.txt')).not.toBeInTheDocument();
});

test('the editor colours its own languages, and the page’s highlighter the others', async () => {
  const { item, text } = await open({ 'a.ts': 'const a = 1;\n', 'b.py': 'def b(): pass\n' }, async (code) =>
    code.split('\n').map((line) => (line ? [{ text: line, kind: 'keyword' as const }] : [])),
  );
  await item('a.ts').click();
  const colours = (path: string) =>
    [...text(path).element().querySelectorAll('span')].map((span) => getComputedStyle(span).color);
  await expect.poll(() => colours('a.ts').length).toBeGreaterThan(1);
  await item('b.py').click();
  await expect
    .poll(() => text('b.py').element().querySelector('.hl-keyword')?.textContent)
    .toBe('def b(): pass');
  expect(colours('b.py')[0]).not.toBe(getComputedStyle(text('b.py').element()).color);
});

test('a file that is deleted while two versions of it wait can be saved', async () => {
  const { workspace, page, edit, save, byAgent } = await open({ 'a.txt': 'one\n' });
  await edit('a.txt');
  await userEvent.keyboard('mine');
  byAgent('a.txt', 'theirs\n');
  await expect.element(page.getByRole('button', { name: 'Keep mine' })).toBeVisible();
  await workspace.files.remove('a.txt');
  await expect.element(page.getByRole('alert')).toHaveTextContent('a.txt was deleted. Save writes it again.');
  await save();
  await expect.element(page.getByRole('alert')).not.toBeInTheDocument();
  expect(workspace.files.text('a.txt')).toBe('one\nmine');
});

test('an answer that is older than a save does not bring the old text back', async () => {
  const { workspace, tab, edit, save, text } = await open({ 'a.txt': 'one\n' });
  await edit('a.txt');
  const read = workspace.files.read.bind(workspace.files);
  let answer: () => void = () => {};
  workspace.files.read = async (...given) => {
    workspace.files.read = read;
    const old = await read(...given);
    await new Promise<void>((resolve) => (answer = resolve));
    return old;
  };
  // Something else touches the file, so that it is read again.
  workspace.files.put('a.txt', 'one\n');
  await userEvent.keyboard('mine');
  await save();
  await expect.poll(() => workspace.files.text('a.txt')).toBe('one\nmine');
  const seen = new Set<string | null>();
  const content = text('a.txt').element();
  new MutationObserver(() => seen.add(content.textContent)).observe(content, {
    childList: true,
    characterData: true,
    subtree: true,
  });
  answer();
  await expect.element(tab('a.txt')).toBeVisible();
  await userEvent.keyboard('!');
  await expect.element(text('a.txt')).toHaveTextContent('onemine!');
  expect([...seen]).toEqual(['onemine!']);
});

test('what the agent wrote while a file was not shown is there when it is', async () => {
  const { tab, item, edit, text, byAgent } = await open({ 'a.txt': 'one\n', 'b.txt': '' });
  await edit('a.txt');
  await item('b.txt').click();
  await expect.element(text('b.txt')).toBeVisible();
  byAgent('a.txt', 'two\n');
  await tab('a.txt').click();
  await expect.element(text('a.txt')).toHaveTextContent('two');
});

test('a version that comes back after it was deleted is asked about again', async () => {
  const { workspace, page, edit, byAgent } = await open({ 'a.txt': 'one\n' });
  await edit('a.txt');
  await userEvent.keyboard('mine');
  byAgent('a.txt', 'theirs\n');
  await expect.element(page.getByRole('button', { name: 'Keep mine' })).toBeVisible();
  await workspace.files.remove('a.txt');
  await expect.element(page.getByRole('alert')).toHaveTextContent('a.txt was deleted.');
  byAgent('a.txt', 'theirs\n');
  await page.getByRole('button', { name: 'Keep mine' }).click();
  await page.getByRole('button', { name: 'Save' }).click();
  await expect.poll(() => workspace.files.text('a.txt')).toBe('one\nmine');
});

test('a text that is written but may not last says so, and can be edited on', async () => {
  const { workspace, page, tab, edit, save } = await open({ 'a.txt': 'one\n' });
  await edit('a.txt');
  await userEvent.keyboard('mine');
  const durable = workspace.durable.bind(workspace);
  workspace.durable = async () => {
    throw new Error('The disk is full.');
  };
  await save();
  await expect
    .element(page.getByRole('alert'))
    .toHaveTextContent('a.txt is saved, but may be gone after a reload: The disk is full.');
  await expect.element(tab('a.txt')).toBeVisible();
  workspace.durable = durable;
  await userEvent.keyboard('!');
  await save();
  await expect.element(page.getByRole('alert')).not.toBeInTheDocument();
  expect(workspace.files.text('a.txt')).toBe('one\nmine!');
});

test('a folder in the place of an edited file leaves the edits where they are', async () => {
  const { workspace, page, tab, edit } = await open({ 'a.txt': 'one\n' });
  await edit('a.txt');
  await userEvent.keyboard('mine');
  await workspace.files.remove('a.txt');
  await workspace.files.makeDirectory('a.txt');
  await expect.element(page.getByRole('alert').getByText(/This file cannot be shown/)).toBeVisible();
  await expect.element(tab('a.txt unsaved')).toBeVisible();
});

test('a text is formatted as the workspace says, in one step, and the cursor stays', async () => {
  const { workspace, page, edit, save, text } = await open({
    '.prettierrc': 'semi: false\nsingleQuote: true\n',
    'a.ts': 'const a   = "one";\nconst b = 2;',
  });
  await edit('a.ts');
  await userEvent.keyboard('{Shift>}{Alt>}f{/Alt}{/Shift}');
  await expect.element(page.getByRole('status').getByText('Formatted.')).toBeVisible();
  await userEvent.keyboard('!');
  await save();
  await expect.poll(() => workspace.files.text('a.ts')).toBe("const a = 'one'\nconst b = 2!\n");
  await userEvent.keyboard('{Backspace}{ControlOrMeta>}zz{/ControlOrMeta}');
  await userEvent.keyboard('{ControlOrMeta>}z{/ControlOrMeta}');
  await expect.element(text('a.ts')).toHaveTextContent('const a = "one";const b = 2;');
});

test('a syntax error is said with its place, and changes nothing', async () => {
  const { page, edit, text } = await open({ 'a.ts': 'const a   = 1;\nconst = ;\n' });
  await edit('a.ts');
  await page.getByRole('button', { name: 'Format' }).click();
  await expect.element(page.getByRole('alert')).toHaveTextContent(/^Not formatted\. Line 2, column 7: /);
  await expect.element(text('a.ts')).toHaveTextContent('const a = 1;const = ;');
});

test('settings that are code are left out, and that is said', async () => {
  const { page, edit } = await open({ 'prettier.config.js': 'x', 'a.css': 'a{b:c}\n' });
  await edit('a.css');
  await page.getByRole('button', { name: 'Format' }).click();
  await expect
    .element(page.getByRole('status').getByText(/Formatted\. prettier\.config\.js is code/))
    .toBeVisible();
});

test('a text is formatted with each save, if the person wants that', async () => {
  const { workspace, page, edit, save } = await open({ 'a.json': '{"a":1}' });
  await edit('a.json');
  const box = page.getByRole('checkbox', { name: 'Format on save' });
  await box.click();
  await edit('a.json');
  await userEvent.keyboard(' ');
  await save();
  await expect.element(page.getByRole('status').getByText('Formatted.')).toBeVisible();
  await expect.poll(() => workspace.files.text('a.json')).toBe('{ "a": 1 }\n');
  await box.click();
  expect(localStorage.getItem('vitrine.format-on-save')).toBe('off');
});
