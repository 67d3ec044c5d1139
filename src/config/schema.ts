import * as z from 'zod';
import { permissionSettingsSchema } from '../permissions/settings.ts';
import { serverNameSchema, writtenServerSchema } from './servers.ts';

/** `provider/model`; a model's id may hold slashes itself. */
const modelSchema = z.string().regex(/^[^/\s]+\/\S+$/, 'must be "provider/model"');

const switchesSchema = z.record(z.string(), z.boolean());

export const agentSchema = z.looseObject({
  description: z.string().optional(),
  mode: z.enum(['primary', 'subagent', 'all']).optional(),
  prompt: z.string().optional(),
  model: modelSchema.optional(),
  steps: z.int().min(1).max(1_000).optional(),
  maxSteps: z.int().min(1).max(1_000).optional(),
  tools: switchesSchema.optional(),
  permission: permissionSettingsSchema.optional(),
  disable: z.boolean().optional(),
  hidden: z.boolean().optional(),
});

export const commandSchema = z.looseObject({
  template: z.string().min(1),
  description: z.string().optional(),
  agent: z.string().optional(),
  model: modelSchema.optional(),
  subtask: z.boolean().optional(),
});

const languageServerSchema = z.looseObject({
  enabled: z.boolean().optional(),
  disabled: z.boolean().optional(),
});

/** What is heeded of opencode.json and config.toml. Other keys are kept and told. */
export const configSchema = z.looseObject({
  $schema: z.string().optional(),
  permission: permissionSettingsSchema.optional(),
  tools: switchesSchema.optional(),
  agent: z.record(z.string(), agentSchema).optional(),
  /** The older name of `agent`, for agents that the person talks to. */
  mode: z.record(z.string(), agentSchema).optional(),
  command: z.record(z.string(), commandSchema).optional(),
  instructions: z.array(z.string().min(1)).max(100).optional(),
  /** Servers that bring tools. */
  mcp: z.record(serverNameSchema, writtenServerSchema).optional(),
  /** Files or folders of the workspace; with options in a pair. */
  plugin: z.array(z.union([z.string(), z.tuple([z.string(), z.record(z.string(), z.json())])])).optional(),
  model: modelSchema.optional(),
  small_model: modelSchema.optional(),
  /** Language services: TypeScript's comes along, others cannot be started in a browser. */
  lsp: z.union([z.boolean(), z.record(z.string(), languageServerSchema)]).optional(),
  compaction: z.looseObject({ auto: z.boolean().optional() }).optional(),
  experimental: z
    .looseObject({ batch_tool: z.boolean().optional(), primary_tools: z.array(z.string()).optional() })
    .optional(),
});

export type AgentConfig = z.output<typeof agentSchema>;
export type CommandConfig = z.output<typeof commandSchema>;

/** Of an agent's file or entry. */
export const AGENT_KEYS: ReadonlySet<string> = new Set([...Object.keys(agentSchema.shape), 'name']);
