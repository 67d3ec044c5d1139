import type { Grant } from '../../../config/grants.ts';
import { messages } from '../../languages/messages.ts';

const GRANTS: Readonly<Record<Grant['kind'], (what: string) => string>> = {
  rule: (what) => `Allow without asking: ${what}`,
  'agent-rule': (what) => `Allow an agent without asking: ${what}`,
  instructions: (what) => `Fetch instructions from ${what}`,
  model: (what) => `Send to another model: ${what}`,
  switch: (what) => `Switch on: ${what}`,
  setting: (what) => `Use: ${what}`,
  provider: (what) => `Send to the models of ${what}`,
  server: (what) => `Use the tools of the server ${what}`,
  code: (what) => `Load and run: ${what}`,
};

export const configWords = messages('config', {
  heading: 'Configuration files',
  hint: 'What the files of this workspace say, and your own. Those of a workspace can only ask and deny until you trust them.',
  noWorkspace: 'No workspace is open.',
  noFiles: 'This workspace has no configuration files.',
  filesRead: 'Files that were read',
  rules: 'Active rules; later ones win',
  problems: 'What is ignored',
  problem: (file: string, line: number | undefined, what: string, next: string) =>
    `${file}${line === undefined ? '' : `:${line}`}: ${what} ${next}`,
  unusedModel: (provider: string, model: string, providerName: string | undefined) => ({
    what: providerName
      ? `${model} is not used: ${providerName} is not set up in this browser.`
      : `${model} is not used: there is no provider "${provider}" here.`,
    next: providerName
      ? 'Set it up above; until then prompts go to the model that is chosen there.'
      : 'Prompts go to the model that is chosen above.',
  }),
  unusedAgentModel: (provider: string, model: string, providerName: string | undefined) => ({
    what: `${model} is not used: ${providerName ? `${providerName} is not set up in this browser` : `there is no provider "${provider}" here`}.`,
    next: 'The agent works with the model that a prompt goes to.',
  }),
  grants: 'What they would allow',
  grant: (kind: Grant['kind'], what: string) => GRANTS[kind](what),
  trusted: 'You trust this.',
  untrusted: 'You do not trust this, so none of it applies.',
  trustTitle: 'This workspace wants more than your settings allow.',
  trustText: (count: number) =>
    `${count === 1 ? 'One thing in its files waits' : `${count} things in its files wait`} for your trust. Until then they can only ask and deny.`,
  commands: 'Commands',
  foundCommands: (count: number) =>
    `${count === 1 ? '1 command' : `${count} commands`}: Up and Down choose, Enter takes it, Escape closes`,
  look: 'Review',
  trust: 'Trust',
  distrust: 'Do not trust',
  secrets: 'Secrets',
  secretsHint:
    'Files and custom tools name them as ${NAME} or {env:NAME} and never see them: the app puts the value into a request, after asking you about its host. They last until the tab closes, unless remembered.',
  secretName: 'Name of the secret',
  secretValue: 'Value',
  rememberSecret: 'Remember on this device',
  saveSecret: 'Store secret',
  noValue: 'no value in this tab',
  secretAsked: (name: string, host: string) => `${host} wants the secret ${name}.`,
  allowSecret: 'Allow',
  own: 'Your own files',
  ownHint:
    'For every workspace of this browser. The agent can read them below ~/.config/opencode, and cannot change them. opencode.json and config.toml hold settings, AGENTS.md instructions, agents/*.md agents, commands/*.md commands, skills/NAME/SKILL.md skills, tools/*.ts tools, plugins/*.ts plugins.',
  ownFile: 'File',
  ownText: 'Text',
  newFile: 'New file of your own',
  fileName: 'Name of the new file',
  editedName: 'Name of the file',
  taken: (path: string) => `${path} already exists. Edit that file instead.`,
  unusedName:
    'Saved, but no file of this name is used by itself: only the names above are. Another file may name it.',
  cancel: 'Cancel',
  done: 'Done',
  removed: (path: string) => `Removed ${path}.`,
  save: 'Store file',
  saved: 'Saved.',
  remove: 'Remove',
  removeFile: (path: string) => `Remove ${path}`,
  edit: 'Edit',
  editFile: (path: string) => `Edit ${path}`,
});
