import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { FakeApp } from '../../../../../test/support/stories/fake-app.ts';
import { FakeSession } from '../../../../../test/support/stories/fake-session.ts';
import { openPage } from '../../../../../test/support/stories/open-page.ts';

const box = page.getByRole('textbox', { name: 'Message', exact: true });
const list = page.getByRole('list', { name: 'Attached files' });

let session: FakeSession;

async function somePicture(): Promise<Uint8Array<ArrayBuffer>> {
  const canvas = new OffscreenCanvas(60, 40);
  canvas.getContext('2d')?.fillRect(0, 0, 60, 40);
  return new Uint8Array(await (await canvas.convertToBlob()).arrayBuffer());
}

async function open(): Promise<FakeApp> {
  const app = new FakeApp();
  app.space('w', 'space');
  session = app.add(new FakeSession('ses_a', 'w', 'A')) as FakeSession;
  for (const path of ['attachments/a.png', 'attachments/b.txt'])
    await app.workspace('w').files.write(path, Uint8Array.of(120));
  await openPage(app, 'ses_a');
  return app;
}

test('what a message attaches is shown and is removed with the keyboard, and the text says the same', async () => {
  await open();
  await box.fill('See @attachments/a.png and @attachments/b.txt but not @attachments/c.png');
  await expect.element(list.getByRole('listitem').nth(1)).toHaveTextContent('b.txt');
  expect(list.getByRole('listitem').elements()).toHaveLength(2);
  list.getByRole('button', { name: 'Remove a.png' }).element().focus();
  await userEvent.keyboard('{Enter}');
  await expect.element(box).toHaveValue('See and @attachments/b.txt but not @attachments/c.png');
  await expect.element(list.getByRole('button', { name: 'Remove b.txt' })).toHaveFocus();
  await userEvent.keyboard('{Enter}');
  await expect.element(box).toHaveFocus();
  await expect.element(page.getByText('b.txt is no longer attached.')).toBeInTheDocument();
});

test('a file that is taken out of a message stays, which is said, and can be deleted', async () => {
  const { files } = (await open()).workspace('w');
  await box.fill('See @attachments/a.png and @attachments/b.txt');
  await list.getByRole('button', { name: 'Remove a.png' }).click();
  await expect.element(page.getByText(/a\.png is no longer attached\. The file stays/)).toBeVisible();
  expect(await files.stat('attachments/a.png')).not.toBeNull();
  await page.getByRole('button', { name: 'Delete the file' }).click();
  await expect.poll(() => files.stat('attachments/a.png')).toBeNull();
  expect(await files.stat('attachments/b.txt')).not.toBeNull();
});

test('a text that is typed or pasted over the whole message keeps what was attached', async () => {
  await open();
  await box.fill('See @attachments/a.png and @attachments/b.txt, not @attachments/c.png');
  await expect.element(list.getByRole('listitem').nth(1)).toBeVisible();
  await box.click();
  await userEvent.keyboard('{ControlOrMeta>}a{/ControlOrMeta}explain it');
  await expect.element(box).toHaveValue('explain it @attachments/a.png @attachments/b.txt ');
  expect(list.getByRole('listitem').elements()).toHaveLength(2);
  await list.getByRole('button', { name: 'Remove b.txt' }).click();
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  await expect.poll(prompts).toEqual(['explain it @attachments/a.png']);
});

test('files that are cut out with a part of the text, or with all of it, are named and can be put back', async () => {
  await open();
  await box.fill('See @attachments/a.png');
  await expect.element(list).toBeVisible();
  await box.click();
  await userEvent.keyboard('{ControlOrMeta>}a{/ControlOrMeta}{Delete}');
  await expect.element(box).toHaveValue('');
  await expect.element(page.getByText('a.png is no longer attached.')).toBeVisible();
  await userEvent.keyboard('Explain');
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect.element(box).toHaveValue('Explain @attachments/a.png ');
  await expect.element(list.getByRole('listitem')).toHaveTextContent('a.png');
});

test('a model that cannot see says so before a picture is sent', async () => {
  const app = await open();
  app.refusedType = /^image\//;
  await box.fill('@attachments/b.txt');
  await expect.element(list).toBeVisible();
  await expect.element(page.getByText('cannot see pictures')).not.toBeInTheDocument();
  await box.fill('@attachments/a.png');
  await expect.element(page.getByText('gpt-5 cannot see pictures')).toBeVisible();
});

test('where it is not known whether a model sees pictures, the message goes with or without them', async () => {
  const app = await open();
  app.picturesUnknown = true;
  await box.fill('See @attachments/b.txt');
  await expect.element(list).toBeVisible();
  await expect.element(page.getByText('does not know')).not.toBeInTheDocument();
  await box.fill('Look: @attachments/a.png and @attachments/b.txt');
  await expect.element(page.getByText('Vitrine does not know whether gpt-5 can see pictures.')).toBeVisible();
  await expect.element(page.getByRole('button', { name: 'Send anyway' })).toBeVisible();
  await page.getByRole('button', { name: 'Send without pictures' }).click();
  await expect.element(box).toHaveValue('');
  expect(session.calls.flatMap(([what, text]) => (what === 'prompt' ? [text] : []))).toEqual([
    'Look: and @attachments/b.txt',
  ]);
  await box.fill('@attachments/a.png');
  await expect.element(page.getByRole('button', { name: 'Send anyway' })).toBeVisible();
  await expect.element(page.getByRole('button', { name: 'Send without pictures' })).not.toBeInTheDocument();
  await expect.element(page.getByText('Without its pictures the message is empty.')).toBeVisible();
});

const prompts = () => session.calls.flatMap(([what, text]) => (what === 'prompt' ? [text] : []));

test.each(['blind', 'unknown'] as const)(
  'a message with a picture for a model that is %s waits for a choice, and goes then',
  async (kind) => {
    const app = await open();
    if (kind === 'blind') app.refusedType = /^image\//;
    else app.picturesUnknown = true;
    await box.fill('Look: @attachments/a.png');
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await expect.element(page.getByRole('alert').getByText('Not sent yet.')).toBeVisible();
    await expect.element(box).toHaveValue('Look: @attachments/a.png');
    await box.click();
    await userEvent.keyboard('{Enter}');
    await expect.element(page.getByRole('button', { name: 'Choose another model' })).toBeVisible();
    expect(prompts()).toEqual([]);
    await box.fill('Look! @attachments/a.png');
    await expect.element(page.getByText('Not sent yet.')).not.toBeInTheDocument();
    await page.getByRole('button', { name: 'Send anyway' }).click();
    await expect.element(box).toHaveValue('');
    await expect.element(box).toHaveFocus();
    expect(prompts()).toEqual(['Look! @attachments/a.png']);
  },
);

test('the answer that a model may get pictures holds for the next ones, and for that model alone', async () => {
  const app = await open();
  app.picturesUnknown = true;
  await box.fill('Look: @attachments/a.png');
  await page.getByRole('button', { name: 'Send anyway' }).click();
  await expect.element(box).toHaveValue('');
  await box.fill('And: @attachments/a.png');
  await expect.element(list).toBeVisible();
  await expect.element(page.getByText('does not know')).not.toBeInTheDocument();
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  await expect.element(box).toHaveValue('');
  await app.models.choose({ provider: 'openai', model: 'gpt-5-mini' });
  await box.fill('Look: @attachments/a.png');
  await expect.element(page.getByText('does not know whether gpt-5-mini')).toBeVisible();
});

test.each([
  ['a picture goes at once to a model that sees it', 'Look: @attachments/a.png', false],
  ['a name without a file goes at once to any model', 'Make @attachments/c.png', true],
] as const)('%s', async (_name, text, blind) => {
  const app = await open();
  if (blind) app.refusedType = /^image\//;
  await box.fill(text);
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  await expect.element(box).toHaveValue('');
  expect(prompts()).toEqual([text]);
});

test('a picture opens large before it is sent, and the focus comes back to it', async () => {
  const { files } = (await open()).workspace('w');
  await files.write('attachments/a.png', await somePicture());
  await box.fill('See @attachments/a.png');
  const picture = list.getByRole('button', { name: 'Show a.png large' });
  await expect.element(picture).toBeVisible();
  picture.element().focus();
  await userEvent.keyboard('{Enter}');
  const dialog = page.getByRole('dialog', { name: 'a.png' });
  await expect.element(dialog.getByRole('img', { name: 'a.png' })).toBeVisible();
  await userEvent.keyboard('{Escape}');
  await expect.element(dialog).not.toBeInTheDocument();
  await expect.element(picture).toHaveFocus();
});
