import type { ServerState } from '../../../extensions/mcp/servers.ts';
import { messages } from '../../languages/messages.ts';

const STATES: {
  readonly [S in ServerState['state']]: (state: Extract<ServerState, { state: S }>) => string;
} = {
  off: () => 'Switched off',
  connecting: () => 'Connecting…',
  connected: ({ tools }) => (tools.length === 1 ? 'Connected, 1 tool' : `Connected, ${tools.length} tools`),
  'sign-in': ({ wider }) =>
    wider ? 'Signed in, but a call needs more: sign in again to allow it' : 'Wants you to sign in',
  'no-client': ({ fault }) => told(fault),
  failed: ({ fault }) => told(fault),
};

function told({ what, next }: { readonly what: string; readonly next?: string | undefined }): string {
  return next === undefined ? what : `${what} ${next}`;
}

export const serverWords = messages('server', {
  heading: 'Tool servers (MCP)',
  hint: 'Servers on the web that bring the agent more tools. Their tools ask before each call, under server/tool. Treat what they return as untrusted.',
  list: 'Tool servers',
  none: 'No tool servers yet.',
  state: (state: ServerState): string => (STATES[state.state] as (state: ServerState) => string)(state),
  tools: 'Tools',
  signIn: 'Sign in',
  signInTo: (name: string) => `Sign in to ${name} (opens another page)`,
  signOut: 'Sign out',
  signOutOf: (name: string) => `Sign out of ${name}`,
  again: 'Connect again',
  connectAgain: (name: string) => `Connect ${name} again`,
  remove: 'Remove',
  removeServer: (name: string) => `Remove ${name}`,
  remember: (name: string) => `Stay signed in to ${name} on this device`,
  name: 'Name of the server',
  url: 'Address of the server',
  clientId: 'Client id, if the server does not register one itself',
  add: 'Add server',
});
