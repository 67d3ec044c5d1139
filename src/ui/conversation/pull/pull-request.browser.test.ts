import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { showComponent } from '../../../../test/support/stories/show-component.ts';
import { MemoryWorkspace, type Shell } from '../../../../test/support/memory-workspace.ts';
import PullRequestForm from './PullRequestForm.svelte';

const PUSHED = { repository: 'ada/tool', branch: 'fix' };

/** Answers the commands of the form; `create` answers the one that makes the pull request. */
function show(create: Shell, open = '') {
  const workspace = new MemoryWorkspace({
    shell: (run) => {
      if (run.command.startsWith("'git' 'log'")) run.print('Add adds\n\nIt subtracted.\n');
      else if (run.command.startsWith("'gh' 'pr' 'list'")) run.print(open);
      else return create(run);
      return 0;
    },
  });
  let closed = 0;
  showComponent(PullRequestForm, { workspace, pushed: PUSHED, onclose: () => closed++ }, {});
  return { commands: () => workspace.spawned.map(({ command }) => command), closed: () => closed };
}

const title = page.getByRole('textbox', { name: 'Title of the pull request' });
const send = page.getByRole('button', { name: 'Create it' });

test('the newest commit is proposed, and what is written goes to gh as it is', async () => {
  const { commands } = show(({ print }) => {
    print('https://github.com/ada/tool/pull/7\n');
    return 0;
  });
  await expect.element(title).toHaveValue('Add adds');
  await expect.element(title).toHaveFocus();
  await expect.element(page.getByRole('textbox', { name: 'Description' })).toHaveValue('It subtracted.');
  await title.fill("It's $(id)");
  await send.click();
  await expect.element(page.getByRole('link')).toHaveAttribute('href', 'https://github.com/ada/tool/pull/7');
  expect(commands().at(-1)).toBe(
    "'gh' 'pr' 'create' '--repo' 'ada/tool' '--head' 'fix' '--title' 'It'\\''s $(id)' '--body' 'It subtracted.'",
  );
});

test('a refusal is shown, and what was written stays', async () => {
  show(({ print }) => {
    print('pull request create failed: Validation Failed: base invalid\n');
    return 1;
  });
  await title.fill('Mine');
  await send.click();
  await expect.element(page.getByRole('alert')).toHaveTextContent('base invalid');
  await expect.element(title).toHaveValue('Mine');
  await expect.element(send).toBeEnabled();
});

test('without a title nothing is sent', async () => {
  const { commands } = show(() => 0);
  await title.fill(' ');
  await send.click();
  await expect.element(page.getByRole('alert')).toHaveTextContent('Write a title first.');
  expect(commands().join('\n')).not.toContain("'create'");
});

test('where the branch has a pull request, that one is shown', async () => {
  show(() => 0, '3\tOther\tfixes\tOPEN\n4\tAdd\tadds\tfix\tOPEN\n');
  await expect.element(page.getByRole('link')).toHaveAttribute('href', 'https://github.com/ada/tool/pull/4');
  await expect.element(send).not.toBeInTheDocument();
});

test('an address that a program printed is not followed', async () => {
  show(({ print }) => {
    print('https://evil.example/ada/tool/pull/7\n');
    return 0;
  });
  await expect.element(title).toHaveValue('Add adds');
  await send.click();
  await expect.element(page.getByRole('link')).toHaveAttribute('href', 'https://github.com/ada/tool/pull/7');
});

test('Escape closes it', async () => {
  const { closed } = show(() => 0);
  await expect.element(title).toHaveFocus();
  await userEvent.keyboard('{Escape}');
  expect(closed()).toBe(1);
});
