import type { Page } from '@playwright/test';
import { messageOf } from '../../src/base/message-of.ts';
import type { RemoteProvider } from '../../src/models/providers/names.ts';
import type { AgentEvent } from '../facts/agent-event.ts';
import type { CallOutcome } from '../facts/events.ts';
import type { ChangedFile } from '../matchers/files.ts';

/** A real model, or a server that speaks a provider's protocol. */
export interface ModelSettings {
  readonly provider: RemoteProvider;
  readonly model: string;
  readonly baseURL?: string | undefined;
  /** `undefined`, as of an environment variable that is not set, is as none. */
  readonly apiKey?: string | undefined;
}

export interface PromptOptions {
  readonly agent?: string;
  readonly model?: string;
}

export interface ExecOptions {
  readonly cwd?: string;
  readonly env?: Record<string, string>;
  readonly stdin?: string;
  readonly timeoutMs?: number;
}

/** The result of a call that the test itself made. */
export interface ToolResult {
  readonly outcome: CallOutcome;
  /** The text that a model would get back; an error or a refusal has one, too. */
  readonly output: string;
  readonly title: string;
  readonly metadata: Readonly<Record<string, unknown>>;
}

/** A file's content as the page takes it: text, or bytes in Base64. */
export type FileContent = string | { readonly base64: string };

/** The functions of `window.vitrine` that the kit calls, by their names below it. */
export interface PageCalls {
  configure(
    settings: Omit<ModelSettings, 'provider'> & {
      readonly provider: RemoteProvider | 'scripted';
      readonly script?: unknown;
      readonly permission?: unknown;
      readonly hosts?: string[];
    },
  ): void;
  prompt(text: string, options: PromptOptions): { sessionID: string; status: string };
  abort(): void;
  trust(): { trusted: string[] };
  unplayed(): { turn: number; step: number }[] | null;
  'tools.ids'(): string[];
  'tools.denied'(options: { readonly agent?: string }): string[];
  'tools.call'(id: string, input: unknown, options: { readonly agent?: string }): ToolResult;
  'workspace.exec'(command: string, options: ExecOptions): { exitCode: number; output: string };
  'workspace.readFile'(path: string): string;
  'workspace.writeFile'(path: string, content: FileContent): void;
  'workspace.list'(glob: string): string[];
  'workspace.remove'(path: string): void;
  'workspace.changes'(options: { since?: 'turn' | 'session' }): ChangedFile[];
  'sessions.create'(options: { files?: Record<string, FileContent> }): { sessionID: string };
  'sessions.events'(id: string): AgentEvent[];
  'sessions.export'(id: string): unknown;
  'sessions.import'(recording: unknown): { sessionID: string };
  'sessions.fork'(id: string): { sessionID: string };
}

/** Returns the page's own message of a failure, without the name of Playwright's function and without the page's stack. */
export function saidByPage(message: string): string {
  return message.replace(/^page\.evaluate: (?:Error: )?/, '').replace(/(?:\n {4}at .*)+$/, '');
}

/** Calls a function of `window.vitrine`. Rejects with what it says when it fails. */
export async function callPage<Name extends keyof PageCalls>(
  page: Page,
  name: Name,
  ...args: Parameters<PageCalls[Name]>
): Promise<ReturnType<PageCalls[Name]>> {
  const called = page.evaluate(
    async ([path, given]) => {
      let holder: unknown = window;
      let found: unknown = Reflect.get(window, 'vitrine');
      for (const part of path.split('.')) {
        holder = found;
        found = typeof found === 'object' && found !== null ? Reflect.get(found, part) : undefined;
      }
      if (typeof found !== 'function') throw new Error(`window.vitrine has no ${path}().`);
      return Reflect.apply(found, holder, given) as Promise<ReturnType<PageCalls[Name]>>;
    },
    [name, args] as const,
  );
  return called.catch((error: unknown) => {
    throw new Error(saidByPage(messageOf(error)), { cause: error });
  });
}
