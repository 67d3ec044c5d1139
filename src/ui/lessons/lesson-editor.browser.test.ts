import { beforeEach, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { fakeView } from '../../../test/support/stories/fake-view.ts';
import { showComponent } from '../../../test/support/stories/show-component.ts';
import { checkKinds } from '../../lessons/checks.ts';
import type { AppLessons } from '../app.ts';
import { Layout } from '../state/layout.svelte.ts';
import { Toasts } from '../state/toasts.svelte.ts';
import { LessonsPanel } from './lessons-panel.svelte.ts';
import Panel from './LessonsPanel.svelte';
import { beginning } from './new-lesson.ts';

const refuse = () => Promise.reject(new Error('There is no lesson yet.'));
const lessons: AppLessons = {
  list: () => [],
  load: refuse,
  source: refuse,
  save: async () => 'mine',
  remove: refuse,
  open: refuse,
  restart: refuse,
  modelOf: async () => null,
  onChange: () => () => undefined,
};

function showPanel(): void {
  const layout = new Layout({ get: () => null, set: () => undefined }, () => false);
  const lessonsPanel = new LessonsPanel(layout);
  lessonsPanel.open();
  const app = { lessons: async () => lessons };
  showComponent(Panel, {}, { app, layout, lessonsPanel, toasts: new Toasts(), view: fakeView() });
}

beforeEach(() => localStorage.clear());

test('what was typed for a lesson is there again after the editor was closed, until it is saved or given up', async () => {
  showPanel();
  const editor = page.getByRole('dialog', { name: 'Write a lesson' });
  const text = editor.getByRole('textbox', { name: 'Lesson (Markdown)' });
  const open = () => page.getByRole('button', { name: 'Write a lesson' }).click();
  await open();
  await expect.element(text).toHaveValue(beginning.markdown);
  await expect.element(editor.getByRole('button', { name: 'Discard changes' })).not.toBeInTheDocument();
  await text.fill('A lesson that took all morning');
  await expect.element(editor.getByText('Not saved, but kept on this device.')).toBeVisible();
  await userEvent.keyboard('{Escape}');
  await expect.element(editor).not.toBeInTheDocument();

  await open();
  await expect.element(text).toHaveValue('A lesson that took all morning');
  await editor.getByRole('button', { name: 'Discard changes' }).click();
  await expect.element(text).toHaveValue(beginning.markdown);
  await editor.getByRole('button', { name: 'Bring them back' }).click();
  await expect.element(text).toHaveValue('A lesson that took all morning');
  await text.fill(beginning.markdown.replace('My lesson', 'My own'));
  await editor.getByRole('button', { name: 'Save', exact: true }).click();
  await expect.element(editor.getByRole('status')).toHaveTextContent('Saved.');
  await text.fill(beginning.markdown.replace('My lesson', 'My very own'));
  await expect.element(editor.getByRole('status')).not.toHaveTextContent('Saved.');
  await editor.getByRole('button', { name: 'Discard changes' }).click();
  await userEvent.keyboard('{Escape}');
  await expect.element(editor).not.toBeInTheDocument();
  await open();
  await expect.element(text).toHaveValue(beginning.markdown);
});

test('where another tab writes the same lesson it is said, and neither text is lost', async () => {
  showPanel();
  await page.getByRole('button', { name: 'Write a lesson' }).click();
  const editor = page.getByRole('dialog', { name: 'Write a lesson' });
  const text = editor.getByRole('textbox', { name: 'Lesson (Markdown)' });
  const warning = editor.getByText('This lesson is open in another tab too.');
  const key = 'vitrine.lesson-draft.';
  /** Simulates the browser's event for a change in another tab. */
  const elsewhere = (newValue: string | null) => {
    if (newValue === null) localStorage.removeItem(key);
    else localStorage.setItem(key, newValue);
    dispatchEvent(new StorageEvent('storage', { key, newValue }));
  };
  const theirs = JSON.stringify({ markdown: 'Theirs', script: '{}' });
  await text.fill('Mine');
  await expect.poll(() => localStorage.getItem(key)).toContain('Mine');
  dispatchEvent(new StorageEvent('storage', { key: 'other', newValue: theirs }));
  elsewhere(localStorage.getItem(key));
  await expect.element(warning).not.toBeInTheDocument();
  elsewhere(theirs);
  await expect.element(warning).toBeVisible();
  await editor.getByRole('button', { name: 'Take the text of the other tab' }).click();
  await expect.element(text).toHaveValue('Theirs');
  await expect.element(editor.getByText('You can bring yours back.')).toBeVisible();
  await expect.element(warning).not.toBeInTheDocument();
  await editor.getByRole('button', { name: 'Bring them back' }).click();
  await expect.element(text).toHaveValue('Mine');
  await editor.getByRole('button', { name: 'Bring them back' }).click();
  await expect.element(text).toHaveValue('Theirs');

  // The text here stays when the other tab saves or gives up its own.
  elsewhere(null);
  expect(localStorage.getItem(key)).toContain('Theirs');
});

test('who writes a lesson can read there how one is written', async () => {
  showPanel();
  await page.getByRole('button', { name: 'Write a lesson' }).click();
  const editor = page.getByRole('dialog', { name: 'Write a lesson' });
  await editor.getByText('How to write lessons').click();
  const reference = editor.getByRole('region', { name: 'How to write lessons' });
  await expect.element(reference.getByRole('heading', { name: 'Checks' })).toBeInTheDocument();
  // The reference covers each kind of check, and the script format, which another page of the documentation
  // describes.
  for (const kind of checkKinds) await expect.element(reference).toHaveTextContent(`{"${kind}":`);
  await expect.element(reference).toHaveTextContent('"chunkDelayMs": 15');
  await expect.element(reference).not.toHaveTextContent('npm test');
});

test('what is probably a slip is told to the author, who can save all the same', async () => {
  showPanel();
  const editor = page.getByRole('dialog', { name: 'Write a lesson' });
  await page.getByRole('button', { name: 'Write a lesson' }).click();
  const text = editor.getByRole('textbox', { name: 'Lesson (Markdown)' });
  await editor.getByRole('textbox', { name: 'Script (JSON)' }).fill(beginning.script);
  await text.fill(`${beginning.markdown}\n\n\`\`\`check\n{"call": "reed"}\n\`\`\`\n`);
  await expect.element(editor.getByRole('status')).toHaveTextContent(/no tool of the app is called "reed"/);
  await expect.element(editor.getByRole('button', { name: 'Save', exact: true })).toBeEnabled();
});
