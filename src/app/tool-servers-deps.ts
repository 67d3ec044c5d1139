import type { Timer } from '../base/timer.ts';
import type { KeyStore } from '../models/keys.ts';
import type { ToolInfo } from '../tools/tool.ts';
import type { Unlisten } from '../base/listeners.ts';
import type { ReadLimits, Workspace } from '../workspace/workspace.ts';
import type { ConfigurationsOfApp } from './configurations.ts';
import type { SecretsOfApp } from './secrets.ts';

export interface ToolServersDeps {
  readonly configurations: Pick<
    ConfigurationsOfApp,
    'all' | 'ownServers' | 'ownFiles' | 'setOwnFile' | 'onChange'
  >;
  readonly keys: KeyStore;
  readonly secrets: Pick<SecretsOfApp, 'fillUnasked' | 'onGiven'>;
  readonly timer: Timer;
  workspace(id: string): Promise<Workspace>;
  /** The limits on what a workspace's programs may read and change. */
  reads(workspaceID: string): ReadLimits;
  register(tool: ToolInfo): Unlisten;
}

/** The person's own configuration file, in which servers can be added and removed. */
export const OWN_FILE = 'opencode.json';

/** The scope of a server's tokens in the key store. */
export function scopeOf(name: string): string {
  return `server.${name}`;
}
