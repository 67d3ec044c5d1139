import * as z from 'zod';

/** Server names become part of tool ids. */
export const serverNameSchema = z
  .string()
  .regex(/^[A-Za-z0-9][\w.-]{0,63}$/, 'must be a name of letters, digits, ., - and _');

const timeoutSchema = z.int().min(1).max(600_000);

const signInSchema = z.object({
  /** Optional: without it, the page registers itself as a client. */
  clientId: z.string().min(1).optional(),
  clientSecret: z.string().min(1).optional(),
  scope: z.string().optional(),
});
export type SignInConfig = z.output<typeof signInSchema>;

const remoteServerSchema = z.object({
  type: z.literal('remote'),
  url: z.string().refine(isSafeAddress, 'must be an https address (http only on this machine)'),
  headers: z.record(z.string(), z.string()).optional(),
  /** With `false`, a server that asks for a sign-in counts as failed. */
  oauth: z.union([signInSchema, z.literal(false)]).optional(),
  enabled: z.boolean().optional(),
  /** For connecting and for each call, in milliseconds. */
  timeout: timeoutSchema.optional(),
});

/** A program of the workspace that communicates over its standard streams. */
const localServerSchema = z.object({
  type: z.literal('local'),
  command: z.array(z.string()).min(1),
  cwd: z.string().optional(),
  environment: z.record(z.string(), z.string()).optional(),
  enabled: z.boolean().optional(),
  timeout: timeoutSchema.optional(),
});

export const serverSchema = z.discriminatedUnion('type', [remoteServerSchema, localServerSchema], {
  error: 'must be "remote" (an address) or "local" (a program of the workspace)',
});

export type RemoteServer = z.output<typeof remoteServerSchema>;
export type LocalServer = z.output<typeof localServerSchema>;
export type ServerConfig = z.output<typeof serverSchema>;

/** Allows https, or http on this machine, without a user name or password in the address. */
export function isSafeAddress(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname, username, password } = new URL(text);
  if (username !== '' || password !== '') return false;
  return (
    protocol === 'https:' || (protocol === 'http:' && ['localhost', '127.0.0.1', '[::1]'].includes(hostname))
  );
}

/** Switches a server that another file describes. */
export const serverSwitchSchema = z.strictObject({ enabled: z.boolean() });
export const writtenServerSchema = z.union([serverSwitchSchema, serverSchema]);

/** The entry of one file about a server. */
export interface FileServer {
  readonly name: string;
  readonly file: string;
  readonly config: z.output<typeof writtenServerSchema>;
}

/** A server after merging the files, with the file that describes it. */
export interface ConfiguredServer {
  readonly name: string;
  readonly file: string;
  readonly config: ServerConfig;
}

/** If a name appears twice, the later entry counts; an entry with only `enabled` switches the earlier one. */
export function configuredServers(servers: readonly FileServer[]): readonly ConfiguredServer[] {
  const placed = new Map<string, ConfiguredServer>();
  for (const { name, file, config } of servers) {
    const known = placed.get(name);
    if ('type' in config) placed.set(name, { name, file, config });
    else if (known) placed.set(name, { ...known, config: { ...known.config, enabled: config.enabled } });
  }
  return [...placed.values()];
}

/** The line that the person reads before trusting a workspace's server. */
export function serverInWords({ name, config }: FileServer): string {
  if (!('type' in config)) return `${name}: ${config.enabled ? 'on' : 'off'}`;
  return `${name}: ${config.type === 'remote' ? config.url : config.command.join(' ')}`;
}
