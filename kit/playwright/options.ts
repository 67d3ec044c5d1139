import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import type { TestTool } from './agent.ts';
import type { ModelSettings } from './page-calls.ts';
import type { Script, ScriptedStep } from './model.ts';

/** The options of `test.use({ vitrine: { … } })`. */
export interface VitrineOptions {
  /** Files of the workspace: text by path. */
  readonly files?: Readonly<Record<string, string>>;
  /** A folder of the test's machine that is copied into the workspace, without `node_modules` and `.git`. */
  readonly folder?: string;
  /** Written to `opencode.json` of the workspace. What it would allow needs `agent.trust()`. */
  readonly config?: Readonly<Record<string, unknown>>;
  /** Rules in the shape of opencode.json's `permission`: `"allow"`, `{ "bash": "ask" }` and so on. */
  readonly permission?: unknown;
  /** Hosts that programs of the workspace may reach, such as `127.0.0.1:4873`. */
  readonly hosts?: readonly string[];
  /** A script, or the steps of its one turn. */
  readonly script?: Script | readonly ScriptedStep[];
  readonly model?: ModelSettings;
  /** Tools whose code runs in the test, as with `agent.addTool()`. */
  readonly tools?: readonly TestTool[];
  /** Parameters of the page's address besides `automation`, such as `{ workspace: 'webcontainer' }`. */
  readonly parameters?: Readonly<Record<string, string>>;
}

/** The files that a test's workspace begins with. Rejects with the path of a file that is no text. */
export async function filesOf({ files, folder, config }: VitrineOptions): Promise<Record<string, string>> {
  return {
    ...(folder !== undefined && (await filesBelow(folder))),
    ...files,
    ...(config && { 'opencode.json': JSON.stringify(config, undefined, 2) }),
  };
}

const LEFT_OUT = new Set(['node_modules', '.git']);

async function filesBelow(folder: string): Promise<Record<string, string>> {
  const files: Record<string, string> = {};
  const visit = async (below: string): Promise<void> => {
    for (const entry of await readdir(path.join(folder, below), { withFileTypes: true })) {
      if (LEFT_OUT.has(entry.name)) continue;
      const name = below === '' ? entry.name : `${below}/${entry.name}`;
      if (entry.isDirectory()) await visit(name);
      else if (entry.isFile()) files[name] = await textOf(path.join(folder, name));
    }
  };
  await visit('');
  return files;
}

async function textOf(file: string): Promise<string> {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(await readFile(file));
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new Error(`${file} is no text in UTF-8. Only texts can be copied into a test's workspace.`);
  }
}
