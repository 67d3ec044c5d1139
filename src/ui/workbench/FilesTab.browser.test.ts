import { userEvent } from 'vitest/browser';
import { unzipSync } from 'fflate';
import { expect, test } from 'vitest';
import { render } from 'vitest-browser-svelte';
import { MemoryWorkspace } from '../../../test/support/memory-workspace.ts';
import { ROOT } from '../../workspace/workspace.ts';
import FilesTab from './FilesTab.svelte';
import '../styles/index.css';

async function open(files: Record<string, string | Uint8Array>, agentActive = () => false) {
  // The edits of one test must not go on in the next.
  const workspace = new MemoryWorkspace({ files, id: `wsp_${crypto.randomUUID()}` });
  const page = await render(FilesTab, { workspace, agentActive, highlight: async () => null });
  page.container.style.cssText = 'height: 600px; width: 400px';
  const tree = page.getByRole('tree', { name: 'Files of the workspace' });
  const item = (name: string) => page.getByRole('treeitem', { name, exact: true });
  /** The names of the drawn rows, indented by level. */
  const rows = () =>
    page
      .getByRole('treeitem')
      .elements()
      .map((row) => '  '.repeat(Number(row.ariaLevel) - 1) + row.textContent.trim());
  const active = () => {
    const id = tree.element().getAttribute('aria-activedescendant');
    return id === null ? null : document.getElementById(id)?.textContent.trim();
  };
  const text = (path: string) => page.getByRole('textbox', { name: `Text of ${path}`, exact: true });
  return { workspace, page, tree, item, rows, active, text };
}

const png = Uint8Array.from(
  atob('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='),
  (char) => char.charCodeAt(0),
);

test('folders first, hidden files too, and a folder is listed when it is opened', async () => {
  const { rows, item } = await open({ 'b.txt': '', '.env': '', 'src/x.ts': '', 'a10.txt': '', 'a9.txt': '' });
  await expect.poll(rows).toEqual(['src', '.env', 'a9.txt', 'a10.txt', 'b.txt']);
  await item('src').click();
  await expect.poll(rows).toEqual(['src', '  x.ts', '.env', 'a9.txt', 'a10.txt', 'b.txt']);
  await expect.element(item('x.ts')).toHaveAttribute('aria-posinset', '1');
  await expect.element(item('src')).toHaveAttribute('aria-expanded', 'true');
});

test('the keyboard does all of it', async () => {
  const { rows, tree, active, page, text } = await open({
    'src/deep/x.ts': 'x',
    'src/y.ts': 'why',
    'z.txt': '',
  });
  await expect.poll(rows).toEqual(['src', 'z.txt']);
  tree.element().focus();
  await userEvent.keyboard('{ArrowRight}');
  await expect.poll(rows).toEqual(['src', '  deep', '  y.ts', 'z.txt']);
  await userEvent.keyboard('{ArrowRight}');
  expect(active()).toBe('deep');
  await userEvent.keyboard('{End}');
  expect(active()).toBe('z.txt');
  await userEvent.keyboard('{Home}y');
  expect(active()).toBe('y.ts');
  await userEvent.keyboard('{Enter}');
  await expect.element(page.getByRole('region', { name: 'File src/y.ts' })).toBeVisible();
  await expect.element(text('src/y.ts')).toHaveTextContent('why');
  await userEvent.keyboard('{ArrowLeft}');
  expect(active()).toBe('src');
  await userEvent.keyboard('{ArrowLeft}');
  await expect.poll(rows).toEqual(['src', 'z.txt']);
});

test('it follows the workspace', async () => {
  const { rows, workspace, item, active, tree } = await open({ 'src/a.ts': '', 'z.txt': '' });
  await expect.poll(rows).toEqual(['src', 'z.txt']);
  await item('src').click();
  workspace.files.put('src/new/b.ts', '');
  await expect.poll(rows).toEqual(['src', '  new', '  a.ts', 'z.txt']);
  tree.element().focus();
  await userEvent.keyboard('{ArrowDown}');
  await workspace.files.remove('src', { recursive: true });
  await expect.poll(rows).toEqual(['z.txt']);
  await expect.poll(active).toBe('z.txt');
});

test('a change is shown that comes while its folder is being listed for the first time', async () => {
  const { rows, workspace, item } = await open({ 'src/a.ts': '', 'z.txt': '' });
  await expect.poll(rows).toEqual(['src', 'z.txt']);
  const list = workspace.files.list.bind(workspace.files);
  workspace.files.list = async (path) => {
    const entries = await list(path);
    if (!workspace.files.nodes.has(`${ROOT}/src/b.ts`)) workspace.files.put('src/b.ts', '');
    return entries;
  };
  await item('src').click();
  await expect.poll(rows).toEqual(['src', '  a.ts', '  b.ts', 'z.txt']);
});

test('hostile names are text, spelled out', async () => {
  const { rows } = await open({
    '<img src=x onerror=alert(1)>': '',
    'txt.\u202egpj.exe': '',
    'two\nlines': '',
  });
  await expect
    .poll(rows)
    .toEqual(['<img src=x onerror=alert(1)>', 'two\\u000alines', 'txt.\\u202egpj.exe'].sort());
});

test('five thousand entries are a few rows', async () => {
  const files = Object.fromEntries(Array.from({ length: 5000 }, (_, at) => [`f${at}.txt`, '']));
  const { rows, tree, active } = await open(files);
  await expect.poll(() => rows().length).toBeGreaterThan(10);
  expect(rows().length).toBeLessThan(80);
  tree.element().focus();
  await userEvent.keyboard('{End}');
  await expect.poll(rows).toContain('f4999.txt');
  expect(active()).toBe('f4999.txt');
  expect(rows().length).toBeLessThan(80);
});

test('the viewer follows the file and says when the agent changed it', async () => {
  let agent = false;
  const { workspace, item, page, text } = await open({ 'a.txt': 'one\ntwo\nthree\n' }, () => agent);
  await item('a.txt').click();
  const viewer = page.getByRole('region', { name: 'File a.txt' });
  await expect.element(text('a.txt')).toHaveTextContent('two');
  await expect.element(viewer.getByText('Changed by the agent')).not.toBeInTheDocument();
  agent = true;
  workspace.files.put('a.txt', 'one\n2\nthree\n');
  await expect.element(viewer.getByText('Changed by the agent')).toBeVisible();
  await expect.element(text('a.txt')).toHaveTextContent('one2three');
  await workspace.files.remove('a.txt');
  await expect
    .element(viewer.getByRole('alert'))
    .toHaveTextContent('a.txt was deleted. Save writes it again.');
});

test('a file that the agent changed is marked in the tree until it is looked at', async () => {
  const { workspace, item } = await open({ 'a.txt': 'one' }, () => true);
  await expect.element(item('a.txt')).toBeVisible();
  workspace.files.put('a.txt', 'two');
  await expect.element(item('a.txt')).toHaveAccessibleDescription('Changed by the agent');
  await item('a.txt').click();
  await expect.element(item('a.txt')).toHaveAccessibleDescription('');
});

test('what is not text is not shown as text', async () => {
  const { item, page } = await open({ 'a.bin': Uint8Array.of(0, 1, 2), 'dot.png': png });
  await item('a.bin').click();
  await expect.element(page.getByText('This file is not text (3 B).')).toBeVisible();
  await item('dot.png').click();
  const image = page.getByRole('img', { name: 'dot.png' });
  await expect.element(image).toBeVisible();
  await expect.poll(() => image.element() instanceof HTMLImageElement && image.element().clientWidth).toBe(1);
});

test('a large text is shown when asked for', async () => {
  const { item, page, text } = await open({ 'big.log': 'line\n'.repeat(250_000) });
  await item('big.log').click();
  await expect
    .element(
      page.getByText('This file is large (1.3 MB). Showing it may be slow. Large files are read-only.'),
    )
    .toBeVisible();
  await page.getByRole('button', { name: 'Show anyway' }).click();
  await expect.element(page.getByRole('region', { name: 'big.log', exact: true })).toBeVisible();
  await expect.element(text('big.log')).not.toBeInTheDocument();
});

test('new file, rename and its undo, delete and its undo', async () => {
  const { workspace, page, rows, item, tree } = await open({ 'src/a.txt': 'content' });
  await item('src').click();
  await page.getByRole('button', { name: 'New file' }).click();
  await page.getByRole('textbox', { name: 'New file in src' }).fill('sub/b.txt');
  await userEvent.keyboard('{Enter}');
  await expect.poll(rows).toEqual(['src', '  sub', '    b.txt', '  a.txt']);

  await item('a.txt').click();
  tree.element().focus();
  await userEvent.keyboard('{F2}');
  await page.getByRole('textbox', { name: 'New name for a.txt' }).fill('sub');
  await userEvent.keyboard('{Enter}');
  await expect.element(page.getByRole('alert')).toHaveTextContent('sub already exists. Choose another name.');
  await page.getByRole('textbox', { name: 'New name for a.txt' }).fill('c.txt');
  await userEvent.keyboard('{Enter}');
  await expect.poll(rows).toEqual(['src', '  sub', '    b.txt', '  c.txt']);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect.poll(rows).toEqual(['src', '  sub', '    b.txt', '  a.txt']);

  await item('src').click();
  tree.element().focus();
  await userEvent.keyboard('{Home}{Delete}');
  await expect.poll(rows).toEqual([]);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect.poll(() => workspace.files.nodes.has('/home/project/src/sub/b.txt')).toBe(true);
  expect(workspace.files.text('src/a.txt')).toBe('content');
});

test('the focus goes to the tree after a notice is used or dismissed, with undo to the file that came back', async () => {
  const { workspace, page, rows, tree, active } = await open({ 'a.txt': '', 'b.txt': '' });
  const button = (name: string) => page.getByRole('status').getByRole('button', { name });
  await expect.poll(rows).toEqual(['a.txt', 'b.txt']);
  for (const name of ['Undo', 'Dismiss']) {
    tree.element().focus();
    await userEvent.keyboard('{Home}{Delete}');
    await expect.element(button(name)).toBeVisible();
    button(name).element().focus();
    await userEvent.keyboard('{Enter}');
    await expect.element(tree).toHaveFocus();
    await expect.poll(active).toBe(name === 'Undo' ? 'a.txt' : 'b.txt');
  }
  expect(workspace.files.nodes.has(`${ROOT}/a.txt`)).toBe(false);
});

test('what cannot be brought back is asked for first', async () => {
  const { workspace, page, rows, tree } = await open({ 'folder/a.txt': '' });
  workspace.files.link('folder/link', 'a.txt');
  await expect.poll(rows).toEqual(['folder']);
  tree.element().focus();
  await userEvent.keyboard('{Delete}');
  await expect.element(page.getByRole('status')).toHaveTextContent('Delete folder for good?');
  expect(rows()).toEqual(['folder']);
  await page.getByRole('status').getByRole('button', { name: 'Delete' }).click();
  await expect.poll(rows).toEqual([]);
});

test('files are dropped onto a folder; what is there stays until it is said to go', async () => {
  const { workspace, page, item } = await open({ 'src/a.txt': 'mine' });
  const transfer = new DataTransfer();
  transfer.items.add(new File(['theirs'], 'a.txt'));
  transfer.items.add(new File(['new'], 'b.txt'));
  await expect.element(item('src')).toBeVisible();
  const drop = { bubbles: true, cancelable: true, dataTransfer: transfer };
  item('src').element().dispatchEvent(new DragEvent('dragover', drop));
  await expect.element(page.getByText('Drop to add to src')).toBeVisible();
  item('src').element().dispatchEvent(new DragEvent('drop', drop));
  await expect
    .element(page.getByRole('status'))
    .toHaveTextContent('Added 1 file to src. 1 file already existed and was not replaced.');
  expect(workspace.files.text('src/b.txt')).toBe('new');
  expect(workspace.files.text('src/a.txt')).toBe('mine');
  await page.getByRole('button', { name: 'Replace them' }).click();
  await expect.poll(() => workspace.files.text('src/a.txt')).toBe('theirs');
});

test('everything goes out as a zip', async () => {
  const { page, item } = await open({ 'src/a.txt': 'content' });
  await expect.element(item('src')).toBeVisible();
  const saved = new Promise<{ name: string; href: string }>((resolve) => {
    document.addEventListener(
      'click',
      (event) => {
        if (!(event.target instanceof HTMLAnchorElement)) return;
        event.preventDefault();
        resolve({ name: event.target.download, href: event.target.href });
      },
      { capture: true },
    );
    const click = HTMLAnchorElement.prototype.click;
    HTMLAnchorElement.prototype.click = function (this: HTMLAnchorElement) {
      HTMLAnchorElement.prototype.click = click;
      resolve({ name: this.download, href: this.href });
    };
  });
  await page.getByRole('button', { name: 'Download all as zip' }).click();
  const { name, href } = await saved;
  expect(name).toBe('project.zip');
  const zip = unzipSync(new Uint8Array(await (await fetch(href)).arrayBuffer()));
  expect(new TextDecoder().decode(zip['src/a.txt'])).toBe('content');
});

test('nothing it does is refused under style-src self and trusted types', async () => {
  const refused: string[] = [];
  document.addEventListener('securitypolicyviolation', (event) => {
    refused.push(`${event.violatedDirective} ${event.blockedURI} ${event.sample}`);
  });
  // A policy cannot be removed again, so this is the last test of the file.
  const policy = document.createElement('meta');
  policy.httpEquiv = 'Content-Security-Policy';
  policy.content =
    "style-src 'self'; img-src 'self' blob:; require-trusted-types-for 'script'; trusted-types svelte-trusted-html";
  document.head.append(policy);
  const { workspace, item, page, text } = await open({
    'src/a.txt': 'one\ntwo\n',
    'b.js': 'const a = [1];\n\n',
    'dot.png': png,
  });
  await item('src').click();
  await item('a.txt').click();
  await expect.element(text('src/a.txt')).toHaveTextContent('two');
  workspace.files.put('src/a.txt', 'one\n2\n');
  await expect.element(page.getByText('Changed', { exact: true })).toBeVisible();
  await item('b.js').click();
  await text('b.js').click();
  await userEvent.keyboard('{ControlOrMeta>}f{/ControlOrMeta}');
  await page.getByRole('textbox', { name: 'Find' }).fill('a');
  await userEvent.keyboard('{Enter}{Escape}{Tab}');
  await item('dot.png').click();
  await expect.element(page.getByRole('img', { name: 'dot.png' })).toBeVisible();
  expect(refused).toEqual([]);
});
