import * as z from 'zod';

/** Names are part of tool ids. */
export const serverNameSchema = z
  .string()
  .regex(/^[A-Za-z0-9][\w.-]{0,63}$/, 'a name of letters, digits, - and _');

const timeoutSchema = z.int().min(1).max(600_000);

const signInSchema = z.object({
  /** Given: no client is registered for this page. */
  clientId: z.string().min(1).optional(),
  clientSecret: z.string().min(1).optional(),
  scope: z.string().optional(),
});
export type SignInConfig = z.output<typeof signInSchema>;

const remoteServerSchema = z.object({
  type: z.literal('remote'),
  url: z.string().refine(isSafeAddress, 'must be an https address (http only on this machine)'),
  headers: z.record(z.string(), z.string()).optional(),
  /** `false`: a server that asks for a sign-in has failed. */
  oauth: z.union([signInSchema, z.literal(false)]).optional(),
  enabled: z.boolean().optional(),
  /** Milliseconds, for connecting and for each call. */
  timeout: timeoutSchema.optional(),
});

/** A program of the workspace that speaks over its standard streams. */
const localServerSchema = z.object({
  type: z.literal('local'),
  command: z.array(z.string()).min(1),
  cwd: z.string().optional(),
  environment: z.record(z.string(), z.string()).optional(),
  enabled: z.boolean().optional(),
  timeout: timeoutSchema.optional(),
});

export const serverSchema = z.discriminatedUnion('type', [remoteServerSchema, localServerSchema]);

export type RemoteServer = z.output<typeof remoteServerSchema>;
export type LocalServer = z.output<typeof localServerSchema>;
export type ServerConfig = z.output<typeof serverSchema>;

/** https, or http on this machine; nothing that names a person. */
export function isSafeAddress(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname, username, password } = new URL(text);
  if (username !== '' || password !== '') return false;
  return (
    protocol === 'https:' || (protocol === 'http:' && ['localhost', '127.0.0.1', '[::1]'].includes(hostname))
  );
}

/** Of a server that another file brings. */
const serverSwitchSchema = z.strictObject({ enabled: z.boolean() });
export const writtenServerSchema = z.union([serverSwitchSchema, serverSchema]);

/** What one file says of a server. */
export interface FileServer {
  readonly name: string;
  readonly file: string;
  readonly config: z.output<typeof writtenServerSchema>;
}

/** A server that counts, and the file that says what it is. */
export interface PlacedServer {
  readonly name: string;
  readonly file: string;
  readonly config: ServerConfig;
}

/** Of the same name, the later one counts; one that only says `enabled` switches the earlier. */
export function placedServers(servers: readonly FileServer[]): readonly PlacedServer[] {
  const placed = new Map<string, PlacedServer>();
  for (const { name, file, config } of servers) {
    const known = placed.get(name);
    if ('type' in config) placed.set(name, { name, file, config });
    else if (known) placed.set(name, { ...known, config: { ...known.config, enabled: config.enabled } });
  }
  return [...placed.values()];
}

/** What the person reads before trusting a server of a workspace. */
export function serverInWords({ name, config }: FileServer): string {
  if (!('type' in config)) return `${name}: ${config.enabled ? 'on' : 'off'}`;
  return `${name}: ${config.type === 'remote' ? config.url : config.command.join(' ')}`;
}
