import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Page } from '@playwright/test';
import { tinyModel } from '../support/tiny-model/tiny-model.ts';
import { axeFindings } from './accessible.ts';
import { openSettings, send } from './app.ts';
import { expect, test } from './test.ts';

/** It calls a tool as many small models do: in tags, and with another name for an argument. */
const MODEL = tinyModel({
  first: [
    'I write it.\n',
    '<tool_call>',
    '{"name":"write",',
    '"arguments":{"path":"hello.txt",',
    '"content":"Hello from the tab"}}',
    '</tool_call>',
  ],
  afterResult: ['{"say":', '"The file **hello.txt** is written."}'],
});

const settingsOf = (page: Page) => page.getByRole('dialog', { name: 'Settings' });

async function takesTheJob(page: Page): Promise<void> {
  await send(page, 'Write hello.txt');
  await page.getByRole('button', { name: 'Allow once' }).click();
  const answer = page.getByRole('article').last();
  await expect(answer).toContainText('The file hello.txt is written.');
  await expect(answer).not.toContainText('tool_call');
  await expect(answer.getByText('hello.txt', { exact: true }).last()).toBeVisible();
}

test('a model from a folder runs in the tab, and its careless call writes a file', async ({ page }, info) => {
  const folder = info.outputPath('tiny');
  for (const [name, bytes] of MODEL) {
    mkdirSync(path.join(folder, path.dirname(name)), { recursive: true });
    writeFileSync(path.join(folder, name), bytes);
  }
  await page.goto('/');
  await openSettings(page);
  const settings = settingsOf(page);
  await settings.getByLabel('Pick the folder of a model').setInputFiles(folder);
  await settings.getByRole('button', { name: 'Use tiny' }).click();
  await expect(settings.getByText('Prompts go to tiny in this tab now.')).toBeVisible();
  expect(await axeFindings(page, { within: '.sheet' })).toEqual([]);
  await page.keyboard.press('Escape');
  await takesTheJob(page);
});

test('a model is fetched once, works without its host afterwards, and is removed', async ({ page }) => {
  let isUp = true;
  await page.route('https://huggingface.co/**', async (route) => {
    if (!isUp) return route.abort();
    const name = route.request().url().split('/resolve/main/')[1] ?? '';
    const bytes = MODEL.get(name.replace('model_q4.onnx', 'model.onnx'));
    const headers = { 'Access-Control-Allow-Origin': '*' };
    return bytes
      ? route.fulfill({ body: Buffer.from(bytes), headers })
      : route.fulfill({ status: 404, headers });
  });
  await page.goto('/');
  await openSettings(page);
  const settings = settingsOf(page);
  const offered = settings.getByRole('list', { name: 'Models to fetch' });
  await expect(offered).toContainText('417 MB to fetch');
  await expect(offered).toContainText('licence Apache-2.0');
  await offered.getByRole('button', { name: 'Fetch SmolLM2 360M Instruct' }).click();
  await settings.getByRole('button', { name: 'Use SmolLM2 360M Instruct' }).click();
  await expect(settings.getByText('Prompts go to SmolLM2 360M Instruct')).toBeVisible();
  isUp = false;
  await page.reload();
  await takesTheJob(page);

  await openSettings(page);
  await settings.getByRole('button', { name: 'Remove SmolLM2 360M Instruct' }).click();
  await expect(settings.getByText('SmolLM2 360M Instruct is removed from this browser.')).toBeVisible();
  await expect(offered.getByRole('button', { name: 'Fetch SmolLM2 360M Instruct' })).toBeVisible();
  await page.keyboard.press('Escape');
  await send(page, 'Once more');
  await expect(
    page.getByText('The language model of this browser has not been downloaded yet.'),
  ).toBeVisible();
});
