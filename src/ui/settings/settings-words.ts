import { permissionNamed } from '../../tools/permissions.ts';
import { messages } from '../languages/messages.ts';

/** Texts of the settings, loaded with them. */
export const settingsWords = messages('settings', {
  settingsPermissions: 'Permissions',
  settingsRules: 'Saved answers',
  settingsLook: 'Appearance',
  settingsNotifications: 'While this tab is hidden',
  notifications: 'Notify me when the agent waits or is done',
  notificationSound: 'Play a sound then',
  notificationsRefused:
    'The browser does not allow this page to notify you. Allow it in the browser’s settings of this page.',
  settingsStorage: 'Storage',
  provider: 'Provider', // contract
  chooseProvider: 'Choose one',
  baseURL: 'Base URL', // contract
  apiKey: 'API key', // contract
  keyStored: { none: '', tab: 'Stored for this tab', device: 'Stored on this device' },
  keyOptional: 'Only if your server needs one',
  keyPlaceholder: 'Paste the key',
  remember: 'Remember the key on this device',
  rememberHint: 'Otherwise it is gone when this tab closes. It is only ever sent to the provider.',
  forgetKey: 'Forget the key',
  getKey: 'Get a key',
  test: 'Test the connection',
  testing: 'Testing',
  testOk: 'The model answered.',
  save: 'Save',
  saved: 'Saved.',
  baseURLDefault: 'The provider’s own address',
  listing: 'Fetching the list of models',
  listed: (n: number) => (n === 1 ? '1 model found' : `${n} models found`),
  permissionName: (permission: string) => permissionNamed(permission)?.label ?? permission,
  permissionActions: { allow: 'Allow', ask: 'Ask', deny: 'Deny', custom: 'By pattern' },
  permissionsHint: 'What the agent may do without asking, in every workspace.',
  rulesHint: 'What you have always allowed, here or in every workspace.',
  noRules: 'No saved answers yet.',
  ruleScopes: { workspace: 'this workspace', everywhere: 'everywhere' },
  exportRules: 'Export to a file',
  importRules: 'Import from a file',
  importedRules: (n: number) => (n === 1 ? '1 answer was added.' : `${n} answers were added.`),
  rulesFile: 'vitrine-rules.json',
  revoke: 'Revoke',
  revokeRule: (rule: string) => `Revoke ${rule}`,
  settingsTools: 'Tools',
  toolSwitches: {
    'experimental.batch_tool': 'Several calls in one (batch)',
    'experimental.lsp_tool': 'Questions about code (lsp)',
    'lsp.after_changes': 'Tell the agent which errors a change leaves in TypeScript and JavaScript',
  } as Readonly<Record<string, string>>,
  toolsHint: 'Tools that are off are not offered to the agent, from its next step on.',
  settingsConversations: 'Conversations',
  // These texts avoid the label of the model's field, so that a search for that label finds one element.
  makeTitles: 'Name sessions automatically',
  makeTitlesHint: 'One more small request with your first message. Otherwise its first line is the name.',
  makeSummaries: 'Summarize when the context is full',
  makeSummariesHint:
    'The model then sees a summary in place of old messages and outputs; the page keeps them all. Otherwise the turn ends, and /compact does it when you ask.',
  settingsWeb: 'Web',
  fetchProxy: 'Proxy for fetching pages',
  fetchProxyHint:
    'Most sites do not let pages like this one read them. A proxy you trust can; it sees every address. Put {url} where the address goes.',
  // These texts differ from those of the model's key, so that "Save" and "Remember the key" find only that
  // one.
  useSearchKey: 'Use',
  rememberSearchKey: 'Remember the key on this device',
  searchKeys: {
    exa: {
      label: 'Exa key',
      save: 'Use the Exa key',
      forget: 'Forget the Exa key',
      hint: 'With a key the agent can search the web with Exa. It is only ever sent to api.exa.ai.',
    },
    github: {
      label: 'GitHub token',
      save: 'Use the GitHub token',
      forget: 'Forget the GitHub token',
      hint: 'With a token the agent can search public code, and git can reach private repositories and push. One without any rights is enough to search. It is only ever sent to api.github.com; for git, each repository is asked for.',
    },
  },
  language: 'Language',
  languageOfBrowser: 'As the browser',
  languageReload:
    'The language changes with the next reload. A reload stops a turn that runs. Sessions and drafts are kept.',
  reload: 'Reload',
  theme: 'Theme',
  themes: { system: 'System', light: 'Light', dark: 'Dark' },
  textSize: 'Text size',
  codeSize: 'Code size',
  sizes: { small: 'Small', normal: 'Standard', large: 'Large', larger: 'Larger', largest: 'Largest' },
  density: 'Density',
  densities: { comfortable: 'Comfortable', compact: 'Compact' },
  contrast: 'Contrast',
  contrasts: { system: 'As the system asks', more: 'More contrast' },
  licences: 'Third-party licences',
  storageUsed: (used: string, quota: string) => `${used} used of ${quota} that the browser allows.`,
  storageUnknown: 'The browser does not say how much is used.',
  storagePersistent: 'Sessions and files are stored in this browser.',
  storageMemory: 'Nothing is stored: this browser refuses it. Everything is lost when the tab closes.',
});
