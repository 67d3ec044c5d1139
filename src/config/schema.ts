import * as z from 'zod';
import { permissionSettingsSchema } from '../permissions/settings.ts';
import { providersSchema } from './providers.ts';
import { serverNameSchema, writtenServerSchema } from './servers.ts';

/** Splits into `provider/model`; the model's id may contain slashes itself. */
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
  permission: z.optional(permissionSettingsSchema),
  /** The names that opencode 2 uses for `permission`, `prompt` and `disable`. */
  permissions: z.unknown().optional(),
  system: z.string().optional(),
  disabled: z.boolean().optional(),
  disable: z.boolean().optional(),
  hidden: z.boolean().optional(),
  temperature: z.number().min(0).max(2).optional(),
  top_p: z.number().min(0).max(1).optional(),
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

/** The keys of opencode.json and config.toml that have an effect. Other keys are kept and reported. */
export const configSchema = z.looseObject({
  $schema: z.string().optional(),
  permission: z.optional(permissionSettingsSchema),
  /** The rules in the form of opencode 2. */
  permissions: z.unknown().optional(),
  tools: switchesSchema.optional(),
  /** The name that opencode 2 uses for `agent`. */
  agents: z.unknown().optional(),
  agent: z.record(z.string(), agentSchema).optional(),
  /** The older name of `agent`, for agents that the person talks to. */
  mode: z.record(z.string(), agentSchema).optional(),
  command: z.record(z.string(), commandSchema).optional(),
  instructions: z.array(z.string().min(1)).max(100).optional(),
  /** MCP servers, which bring tools. */
  mcp: z.record(serverNameSchema, writtenServerSchema).optional(),
  /** Paths of files or folders in the workspace; a pair adds options. */
  plugin: z.array(z.union([z.string(), z.tuple([z.string(), z.record(z.string(), z.json())])])).optional(),
  model: modelSchema.optional(),
  small_model: modelSchema.optional(),
  /** The agent that receives prompts if the person has not chosen one. */
  default_agent: z.string().min(1).optional(),
  provider: providersSchema.optional(),
  /** The name that opencode 2 uses for `provider`. */
  providers: providersSchema.optional(),
  /** Language services: only TypeScript's is included; others cannot be started in a browser. */
  lsp: z.union([z.boolean(), z.record(z.string(), languageServerSchema)]).optional(),
  compaction: z.looseObject({ auto: z.boolean().optional() }).optional(),
  experimental: z
    .looseObject({ batch_tool: z.boolean().optional(), primary_tools: z.array(z.string()).optional() })
    .optional(),
});

export type AgentConfig = z.output<typeof agentSchema>;
export type CommandConfig = z.output<typeof commandSchema>;

/** The keys that an agent's file or entry may have. */
export const AGENT_KEYS: ReadonlySet<string> = new Set([...Object.keys(agentSchema.shape), 'name']);
