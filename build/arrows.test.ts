import path from 'node:path';
import { ESLint } from 'eslint';
import { describe, expect, test } from 'vitest';

const eslint = new ESLint({ overrideConfigFile: path.resolve(import.meta.dirname, '../eslint.config.js') });

/** Returns the arrows rule's messages for `code` in `file`. No other rule runs, as some need real files. */
async function arrowsIn(file: string, code: string): Promise<string[]> {
  const { Linter } = await import('eslint');
  const { arrows } = await import('./arrows.js');
  const parser = (await import('typescript-eslint')).parser;
  const messages = new Linter().verify(
    code,
    {
      files: ['**/*.ts'],
      plugins: { arrows },
      languageOptions: { parser },
      rules: { 'arrows/direction': 'error' },
    },
    { filename: path.resolve(import.meta.dirname, '..', file) },
  );
  return messages.map((message) => message.message);
}

describe('arrows', () => {
  test.each([
    ['src/session/turn/loop.ts', `import { x } from '../../ui/app.ts'`],
    ['src/session/turn/loop.ts', `import { openDB } from 'idb'`],
    ['src/session/turn/loop.ts', `import { x } from '../../models/call.ts'`],
    ['src/session/turn/loop.ts', `export * from '../../storage/schema.ts'`],
    ['src/tools/bash/bash.ts', `import { x } from '../../session/log/log.ts'`],
    ['src/tools/bash/bash.ts', `const m = await import('just-bash')`],
    ['guest/shell/engine.ts', `import { Bash } from 'just-bash/browser'`],
    ['src/permissions/gate.ts', `import { tick } from 'svelte'`],
    ['src/workspace/embedded/client.ts', `import { parse } from 'unbash'`],
    ['src/ui/state/app.ts', `import { openStorage } from '../../storage/open.ts'`],
    ['src/session/turn/loop.ts', `import { readFile } from 'node:fs/promises'`],
    ['src/session/models/x.ts', `import { streamText } from 'ai'`],
    ['src/permissions/types.ts', `type X = import('../session/log/events.ts').Event`],
    ['src/ui/x.ts', `import { x } from '../../test/support/shell.ts'`],
    ['src/protocol/frame.ts', `import type { Workspace } from '../workspace/workspace.ts'`],
    ['guest/shell/engine.ts', `import { ROOT } from '../../src/workspace/workspace.ts'`],
    ['guest/shell/engine.ts', `import { Kernel } from '../kernel/kernel.ts'`],
    ['guest/shared/net.ts', `import type { NodeStart } from '../node/start/runtime.ts'`],
    ['src/newroom/x.ts', `import { x } from '../base/json.ts'`],
  ])('%s may not contain %s', async (file, code) => {
    expect(await arrowsIn(file, code)).toHaveLength(1);
  });

  test.each([
    ['src/session/turn/loop.ts', `import type { ModelMessage } from '../../models/types.ts'`],
    ['src/session/turn/loop.ts', `import { define } from '../../tools/define.ts'`],
    ['src/storage/open.ts', `import { openDB } from 'idb'`],
    ['src/main.ts', `import { openStorage } from './storage/open.ts'`],
    ['guest/kernel/kernel.ts', `import { nodeFacts } from '../node/start/facts.ts'`],
    ['guest/node/main.ts', `import { Connection } from '../shared/connection.ts'`],
    ['guest/shell/engine.ts', `import type { Exit } from '../../src/protocol/workspace-values.ts'`],
    ['guest/shell/interpreter/run.ts', `import { parse } from 'unbash'`],
    ['src/permissions/shell/analyse.ts', `const { parse } = await import('unbash')`],
    ['src/session/turn/loop.test.ts', `import { x } from '../../models/scripted.ts'`],
    ['src/ui/lessons/x.ts', `import text from '../../../docs/teaching.md?raw'`],
  ])('%s may contain %s', async (file, code) => {
    expect(await arrowsIn(file, code)).toEqual([]);
  });

  test('the lint of the project has the rule on', async () => {
    const config = await eslint.calculateConfigForFile('src/session/log/events.ts');
    expect(config.rules['arrows/direction'][0]).toBe(2);
  });
});
