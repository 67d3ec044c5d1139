import * as z from 'zod/mini';
import type { JsonObject } from '../base/json.ts';
import { checked } from './arguments.ts';
import type { Automation } from './types.ts';

/** The part of WebMCP that offers tools: `document.modelContext` of the browsers that have it. */
export interface ModelContext {
  registerTool(tool: BrowserTool): Promise<unknown>;
}

/** A tool as WebMCP takes it. */
export interface BrowserTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JsonObject;
  readonly annotations?: { readonly readOnlyHint?: boolean; readonly untrustedContentHint?: boolean };
  execute(input: unknown, options?: { readonly signal?: AbortSignal }): Promise<unknown>;
}

export interface BrowserToolsDeps {
  readonly automation: Pick<Automation, 'prompt' | 'abort'> & {
    readonly sessions: Pick<Automation['sessions'], 'list'>;
    readonly tools: Pick<Automation['tools'], 'call'>;
    readonly workspace: Pick<Automation['workspace'], 'changes'>;
  };
  /** The id of the session on the page. */
  shown(): string | undefined;
  /** Returns a session as Markdown, without secrets that this page knows. */
  transcript(sessionID: string): Promise<string>;
}

export function isModelContext(value: unknown): value is ModelContext {
  return typeof value === 'object' && value !== null && 'registerTool' in value;
}

const text = (description: string) => ({ type: 'string', description });
const object = (properties: JsonObject, ...required: string[]): JsonObject => ({
  ...{ type: 'object', properties, required, additionalProperties: false },
});

const askSchema = z.strictObject({ text: z.string().check(z.minLength(1)), agent: z.optional(z.string()) });
const sessionSchema = z.strictObject({ sessionID: z.optional(z.string()) });
const pathSchema = z.strictObject({ path: z.string().check(z.minLength(1)) });

/**
 * Returns the tools that this page offers to the browser's agent. None of them configures, trusts or allows anything: the rules
 * of our agent hold, and a permission request waits for the person on the page.
 */
export function browserTools(deps: BrowserToolsDeps): readonly BrowserTool[] {
  const reads = { readOnlyHint: true, untrustedContentHint: true };
  return [askTool(deps), stopTool(deps), ...readingTools(deps, reads)];
}

function askTool({ automation, transcript }: BrowserToolsDeps): BrowserTool {
  return {
    name: 'vitrine_ask_agent',
    description:
      'Sends a message to the coding agent of this page, in the session that is open, and waits until the agent has stopped. The agent works on the files of this tab. What its rules do not allow, the person at the page is asked. Returns how it ended, and the conversation as Markdown.',
    inputSchema: object(
      { text: text('The message'), agent: text('The name of another agent, such as plan') },
      'text',
    ),
    annotations: { untrustedContentHint: true },
    async execute(input, options) {
      const { text, agent } = checked('The input', askSchema, input);
      options?.signal?.throwIfAborted();
      const stop = () => void automation.abort();
      options?.signal?.addEventListener('abort', stop, { once: true });
      try {
        const { sessionID, status } = await automation.prompt(text, agent === undefined ? {} : { agent });
        return { sessionID, status, conversation: await transcript(sessionID) };
      } finally {
        options?.signal?.removeEventListener('abort', stop);
      }
    },
  };
}

function stopTool({ automation }: BrowserToolsDeps): BrowserTool {
  return {
    name: 'vitrine_stop_agent',
    description: 'Stops whatever the agents of this page are doing. Files stay as they are then.',
    inputSchema: object({}),
    async execute() {
      await automation.abort();
      return { stopped: true };
    },
  };
}

function readingTools(
  { automation, shown, transcript }: BrowserToolsDeps,
  annotations: BrowserTool['annotations'] & object,
): readonly BrowserTool[] {
  return [
    {
      name: 'vitrine_list_sessions',
      description: 'Lists the sessions of this page with their ids and titles, and which one is open.',
      inputSchema: object({}),
      annotations,
      execute: async () => ({ open: shown() ?? null, sessions: await automation.sessions.list() }),
    },
    {
      name: 'vitrine_read_session',
      description: 'Returns the conversation of a session as Markdown; of the one that is open by default.',
      inputSchema: object({ sessionID: text('The id of a session') }),
      annotations,
      async execute(input) {
        const { sessionID = shown() } = checked('The input', sessionSchema, input);
        if (sessionID === undefined) throw new Error('No session is open. Give the id of one.');
        return transcript(sessionID);
      },
    },
    {
      name: 'vitrine_list_changed_files',
      description: 'Lists the files that differ since the first message of the session that is open.',
      inputSchema: object({}),
      annotations,
      execute: () => automation.workspace.changes({ since: 'session' }),
    },
    {
      name: 'vitrine_read_file',
      description:
        'Reads a file of the workspace, as the agent could: its rules hold, and the call is seen in the session.',
      inputSchema: object({ path: text('The path, relative to the root of the workspace') }, 'path'),
      annotations: { untrustedContentHint: true },
      async execute(input) {
        const { path } = checked('The input', pathSchema, input);
        const { outcome, output } = await automation.tools.call('read', { filePath: path });
        return { outcome, output };
      },
    },
  ];
}
