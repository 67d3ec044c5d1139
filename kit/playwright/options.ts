import { readFile } from 'node:fs/promises';
import { record } from '../facts/members.ts';
import type { TestTool } from './agent.ts';
import { filesBelow } from './folder.ts';
import type { FileContent, ModelSettings } from './page-calls.ts';
import type { Script, ScriptedStep } from './model.ts';

/** The options of `test.use({ vitrine: { … } })`. */
export interface VitrineOptions {
  /** Files of the workspace: text or bytes by path. */
  readonly files?: Readonly<Record<string, string | Uint8Array>>;
  /** A folder of the test's machine that is copied into the workspace, without `node_modules`, `.git` and what git ignores. */
  readonly folder?: string;
  /** Written to `opencode.json` of the workspace. What it would allow needs `agent.trust()`. */
  readonly config?: Readonly<Record<string, unknown>>;
  /**
   * A recording, or the path of its file: the session goes on from its end, with its conversation and the files of that
   * moment. `files`, `folder` and `config` are written over these.
   */
  readonly recording?: string | Readonly<Record<string, unknown>>;
  /**
   * Addresses of tool servers (MCP) by their names, such as `{ issues: 'http://127.0.0.1:3000/mcp' }`. They are written to
   * `opencode.json`, and the workspace's own files are trusted as they are then, as by `agent.trust()`.
   */
  readonly mcp?: Readonly<Record<string, string>>;
  /** Rules in the shape of opencode.json's `permission`: `"allow"`, `{ "bash": "ask" }` and so on. */
  readonly permission?: unknown;
  /** The agent that prompts and calls of tools go to, such as `plan`; the app's own default if absent. */
  readonly agent?: string;
  /** Hosts that programs of the workspace may reach, such as `127.0.0.1:4873`. */
  readonly hosts?: readonly string[];
  /** A script, or the steps of its one turn. */
  readonly script?: Script | readonly ScriptedStep[];
  readonly model?: ModelSettings;
  /** Tools whose code runs in the test, as with `agent.addTool()`. */
  readonly tools?: readonly TestTool[];
  /**
   * Makes times and ids follow from this number, so that two runs of one script give the same recording. It also decides
   * what `chance` takes in scripts without a seed of their own.
   */
  readonly seed?: number;
  /** Where the time of a test with a `seed` begins; default: noon of the first of January 2026, UTC. */
  readonly time?: string | number | Date;
  /** Parameters of the page's address besides `automation`, such as `{ workspace: 'webcontainer' }`. */
  readonly parameters?: Readonly<Record<string, string>>;
}

export type PermissionAction = 'allow' | 'ask' | 'deny';

/** One action for everything, or actions by permission, or by permission and pattern. */
export type PermissionRules =
  PermissionAction | Readonly<Record<string, PermissionAction | Readonly<Record<string, PermissionAction>>>>;

/** {@link VitrineOptions} as a test writes them, with types that object to misspelt values. */
export interface TestOptions extends VitrineOptions {
  readonly permission?: PermissionRules;
}

/** The files that a test's workspace begins with. */
export async function filesOf(options: VitrineOptions): Promise<Record<string, FileContent>> {
  const { files, folder } = options;
  const config = configOf(options);
  const contents = { ...(folder !== undefined && (await filesBelow(folder))), ...files };
  return {
    ...Object.fromEntries(Object.entries(contents).map(([path, content]) => [path, forPage(content)])),
    ...(config && { 'opencode.json': JSON.stringify(config, undefined, 2) }),
  };
}

function configOf({ config, mcp }: VitrineOptions): Readonly<Record<string, unknown>> | undefined {
  if (!mcp) return config;
  const servers = Object.entries(mcp).map(([name, url]) => [name, { type: 'remote', url, oauth: false }]);
  return { ...config, mcp: { ...record(config?.['mcp']), ...Object.fromEntries(servers) } };
}

/** The recording that the session goes on from, if there is one. Rejects with the path of a file that is none. */
export async function recordingOf({ recording }: VitrineOptions): Promise<unknown> {
  if (typeof recording !== 'string') return recording;
  const text = await readFile(recording, 'utf8').catch(() => {
    throw new Error(`There is no file ${recording}, which the option "recording" names.`);
  });
  try {
    return JSON.parse(text);
  } catch {
    throw new Error(`${recording} is no recording: it is not JSON.`);
  }
}

/** Bytes go to the page as text where they are one. */
function forPage(content: string | Uint8Array): FileContent {
  if (typeof content === 'string') return content;
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(content);
  } catch {
    return { base64: Buffer.from(content).toString('base64') };
  }
}
