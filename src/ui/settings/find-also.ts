import { containerWords } from '../frame/containers/container-words.ts';
import { offlineWords } from '../frame/offline/offline-words.ts';
import { paletteWords } from '../frame/palette/palette-words.ts';
import { words } from '../words.ts';
import { configWords } from './config/config-words.ts';
import { hostWords } from './host-words.ts';
import { ENGLISH_ALSO, pageWords } from './page-words.ts';
import { localWords } from './local/local-words.ts';
import { serverWords } from './servers/server-words.ts';
import { settingsWords as settings } from './settings-words.ts';

/** The words of the page's language and, beside them, the English ones. */
function also(name: keyof typeof ENGLISH_ALSO): string {
  const english = ENGLISH_ALSO[name];
  const own = pageWords.also[name];
  return own === english ? own : `${own}, ${english}`;
}

/** Other words for a setting, in the language of the page, by the setting's label or heading. */
export const ALSO: ReadonlyMap<string, string> = new Map([
  [words.settingsModel, also('model')],
  [settings.provider, also('provider')],
  [settings.baseURL, also('baseURL')],
  [localWords.heading, also('local')],
  [settings.apiKey, also('apiKey')],
  [pageWords.saved, also('saved')],
  [pageWords.small, also('small')],
  [settings.makeTitles, also('titles')],
  [settings.makeSummaries, also('summaries')],
  [settings.settingsPermissions, also('permissions')],
  [settings.settingsRules, also('rules')],
  [configWords.heading, also('config')],
  [containerWords.settingsContainers, also('containers')],
  [settings.settingsTools, also('tools')],
  [serverWords.heading, also('servers')],
  [settings.fetchProxy, also('proxy')],
  [settings.searchKeys.exa.label, also('exa')],
  [settings.searchKeys.github.label, also('github')],
  [hostWords.hosts, also('hosts')],
  [configWords.secrets, also('secrets')],
  [settings.settingsLook, also('look')],
  [settings.language, also('language')],
  [settings.theme, also('theme')],
  [settings.contrast, also('contrast')],
  [settings.textSize, also('textSize')],
  [settings.codeSize, also('codeSize')],
  [settings.density, also('density')],
  [paletteWords.keys, also('keys')],
  [settings.settingsNotifications, also('hidden')],
  [settings.notifications, also('notifications')],
  [settings.notificationSound, also('sound')],
  [settings.settingsStorage, also('storage')],
  [offlineWords.allow, also('offline')],
  [words.brand, also('about')],
]);
