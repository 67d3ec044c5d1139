import { expect, test } from 'vitest';
import { localLanguagePort } from '../../test/support/local-language.ts';
import { ManualTimer } from '../../test/support/manual-timer.ts';
import { MemoryWorkspace } from '../../test/support/memory-workspace.ts';
import { ROOT } from '../base/places.ts';
import { languageContract, PROJECT } from './contract.ts';
import type { LanguagePort } from './protocol.ts';
import { WorkerLanguage } from './workspace-language.ts';

function made(
  files: Readonly<Record<string, string>> = PROJECT,
  start: () => LanguagePort = localLanguagePort,
) {
  const workspace = new MemoryWorkspace({ files });
  const timer = new ManualTimer();
  const started: LanguagePort[] = [];
  const language = new WorkerLanguage(
    workspace,
    () => {
      const port = start();
      started.push(port);
      return port;
    },
    timer,
  );
  return { workspace, timer, started, language };
}

languageContract(async () => made());

const codes = (found: readonly { readonly code: string }[]) => found.map(({ code }) => code);

test('files that were added, removed or moved with their folder are known by the next request', async () => {
  const { workspace, language } = made({ 'a.ts': "import './lib/b';\nexport const n = 1;\n" });
  const path = `${ROOT}/a.ts`;
  const open = await language.open([]);
  expect(codes(await open.request('diagnostic', { path }))).toEqual(['TS2882']);
  workspace.files.put('old/b.ts', 'export {};\n');
  await workspace.files.rename('old', 'lib');
  expect(codes(await open.request('diagnostic', { path }))).toEqual([]);
  await workspace.files.remove('lib', { recursive: true });
  expect(codes(await open.request('diagnostic', { path }))).toEqual(['TS2882']);
});

test('a link never leads to hidden files', async () => {
  const { workspace, language } = made({ 'secret/key.ts': 'export const key = 1;\n' });
  workspace.files.link('open.ts', 'secret/key.ts');
  const open = await language.open([{ pattern: `${ROOT}/secret/*`, visible: false }]);
  await expect(open.request('documentSymbol', { path: `${ROOT}/open.ts` })).rejects.toMatchObject({
    fault: { code: 'not-found' },
  });
});

test('a worker that does not answer is ended, and another one started', async () => {
  const silent: LanguagePort = { onmessage: null, onerror: null, postMessage: () => {}, terminate: () => {} };
  const ports = [silent, localLanguagePort()];
  const { language, timer, started } = made(PROJECT, () => ports.shift() ?? silent);
  const path = `${ROOT}/src/main.ts`;
  const open = await language.open([]);
  const waits = expect(open.request('diagnostic', { path })).rejects.toMatchObject({
    fault: { code: 'language-timeout' },
  });
  await expect.poll(() => timer.waits(120_000)).toBe(true);
  timer.advance(120_000);
  await waits;
  expect(codes(await open.request('diagnostic', { path }))).toEqual(['TS2322']);
  expect(started).toHaveLength(2);
});

test('a worker that cannot be loaded is reported, and the next request tries again', async () => {
  const broken: LanguagePort = { onmessage: null, onerror: null, postMessage: () => {}, terminate: () => {} };
  const ports = [broken, localLanguagePort()];
  const { language } = made(PROJECT, () => ports.shift() ?? broken);
  const path = `${ROOT}/src/main.ts`;
  const open = await language.open([]);
  const waits = expect(open.request('diagnostic', { path })).rejects.toMatchObject({
    fault: { code: 'language-unavailable' },
  });
  await new Promise((resolve) => setTimeout(resolve));
  broken.onerror?.(new Event('error') as ErrorEvent);
  await waits;
  expect(codes(await open.request('diagnostic', { path }))).toEqual(['TS2322']);
});

test('an idle worker is ended, and so is that of a closed workspace', async () => {
  const { workspace, language, timer, started } = made();
  await language.open([]);
  expect(language.running).toBe(true);
  await expect.poll(() => timer.waits(600_000)).toBe(true);
  timer.advance(600_000);
  expect(language.running).toBe(false);
  await language.open([]);
  expect(started).toHaveLength(2);
  await workspace.close();
  expect(language.running).toBe(false);
});

test('a cancelled request waits no longer', async () => {
  const { language } = made();
  const open = await language.open([]);
  const stop = new AbortController();
  const waits = expect(
    open.request('diagnostic', { path: `${ROOT}/src/main.ts` }, stop.signal),
  ).rejects.toMatchObject({ fault: { code: 'stopped' } });
  stop.abort();
  await waits;
});
