import type { Grant } from '../../../config/grants.ts';
import type { ServerState } from '../../../extensions/mcp/servers.ts';
import type { SettingsTexts } from '../catalogue.ts';
import { browserModel, local, openRouter, settingsPages, tabModels } from './settings-pages.ts';
import { counted, form, named } from './shared.ts';

/** Labels of permissions in the settings, by their names. */
const permissionNames: Readonly<Record<string, string>> = {
  read: 'Чтение файлов',
  list: 'Просмотр папок',
  glob: 'Поиск файлов по имени',
  grep: 'Поиск в файлах',
  lsp: 'Вопросы о коде',
  edit: 'Изменение файлов',
  bash: 'Выполнение команд',
  preview: 'Предпросмотр',
  webfetch: 'Загрузка страниц',
  websearch: 'Поиск в интернете',
  codesearch: 'Поиск по открытому коду',
  skill: 'Использование навыков',
  task: 'Поручения субагентам',
  doom_loop: 'Продолжение при подозрении на зацикливание',
  secret: 'Передача секрета хосту',
};

const grants: Readonly<Record<Grant['kind'], (what: string) => string>> = {
  rule: (what) => `Разрешить без вопроса: ${what}`,
  'agent-rule': (what) => `Разрешить агенту без вопроса: ${what}`,
  instructions: (what) => `Загрузить инструкции с ${what}`,
  model: (what) => `Отправлять другой модели: ${what}`,
  switch: (what) => `Включить: ${what}`,
  setting: (what) => `Использовать: ${what}`,
  provider: (what) => `Отправлять моделям провайдера ${what}`,
  server: (what) => `Использовать инструменты сервера ${what}`,
  code: (what) => `Загрузить и выполнить: ${what}`,
};

const serverStates: {
  readonly [S in ServerState['state']]: (state: Extract<ServerState, { state: S }>) => string;
} = {
  off: () => 'Выключен',
  connecting: () => 'Подключение…',
  connected: ({ tools }) =>
    `Подключён, ${counted(tools.length, 'инструмент', 'инструмента', 'инструментов')}`,
  'sign-in': ({ wider }) =>
    wider
      ? 'Вход выполнен, но для вызова нужно больше прав: войдите ещё раз, чтобы дать их'
      : 'Требует входа',
  'no-client': ({ fault }) => told(fault),
  failed: ({ fault }) => told(fault),
};

function told({ what, next }: { readonly what: string; readonly next?: string | undefined }): string {
  return next === undefined ? what : `${what} ${next}`;
}

/** Why a model of a configuration is not used. */
function unused(provider: string, model: string, providerName: string | undefined): string {
  return providerName
    ? `${model} не используется: провайдер ${providerName} не настроен в этом браузере.`
    : `${model} не используется: провайдера «${provider}» здесь нет.`;
}

export const settings = {
  browserModel,
  tabModels,
  local,
  openRouter,
  settingsPages,
  config: {
    heading: 'Файлы конфигурации',
    hint: 'Что говорят файлы этой рабочей области и ваши собственные. Файлы рабочей области могут только спрашивать и запрещать, пока вы им не доверяете.',
    noWorkspace: 'Рабочая область не открыта.',
    noFiles: 'В этой рабочей области нет файлов конфигурации.',
    filesRead: 'Прочитанные файлы',
    rules: 'Действующие правила; последующие важнее',
    problems: 'Что не учитывается',
    problem: (file: string, line: number | undefined, what: string, next: string) =>
      `${file}${line === undefined ? '' : `:${line}`}: ${what} ${next}`,
    unusedModel: (provider: string, model: string, providerName: string | undefined) => ({
      what: unused(provider, model, providerName),
      next: providerName
        ? 'Настройте его выше; до тех пор промпты идут модели, которая выбрана там.'
        : 'Промпты идут модели, которая выбрана выше.',
    }),
    unusedAgentModel: (provider: string, model: string, providerName: string | undefined) => ({
      what: unused(provider, model, providerName),
      next: 'Агент работает с той моделью, которой отправлен промпт.',
    }),
    grants: 'Что они разрешили бы',
    grant: (kind: Grant['kind'], what: string) => grants[kind](what),
    trusted: 'Вы этому доверяете.',
    untrusted: 'Вы этому не доверяете, поэтому ничего из этого не действует.',
    trustTitle: 'Эта рабочая область хочет больше, чем разрешают ваши настройки.',
    trustText: (count: number) =>
      `Вашего доверия ${form(count, 'ждёт', 'ждут', 'ждёт')} ${counted(count, 'пункт', 'пункта', 'пунктов')} в её файлах. До тех пор они могут только спрашивать и запрещать.`,
    commands: 'Команды',
    foundCommands: (count: number) =>
      `${counted(count, 'команда', 'команды', 'команд')}: стрелки вверх и вниз — выбрать, Enter — вставить, Escape — закрыть`,
    look: 'Просмотреть',
    trust: 'Доверять',
    distrust: 'Не доверять',
    secrets: 'Секреты',
    secretsHint:
      'Файлы и собственные инструменты называют их ${NAME} или {env:NAME}, но не видят их: приложение подставляет значение в запрос, предварительно спросив вас о хосте. Секреты хранятся до закрытия вкладки, если их не запомнить.',
    secretName: 'Имя секрета',
    secretValue: 'Значение',
    rememberSecret: 'Запомнить на этом устройстве',
    saveSecret: 'Сохранить секрет',
    noValue: 'в этой вкладке нет значения',
    secretAsked: (name: string, host: string) => `${host} запрашивает секрет ${name}.`,
    allowSecret: 'Разрешить',
    own: 'Ваши собственные файлы',
    ownHint:
      'Для всех рабочих областей этого браузера. Агент может читать их в ~/.config/opencode, но не может изменять. opencode.json и config.toml содержат настройки, AGENTS.md — инструкции, agents/*.md — агентов, commands/*.md — команды, skills/NAME/SKILL.md — навыки, tools/*.ts — инструменты, plugins/*.ts — плагины.',
    ownFile: 'Файл',
    ownText: 'Текст',
    newFile: 'Новый собственный файл',
    fileName: 'Имя нового файла',
    editedName: 'Имя файла',
    taken: (path: string) => `${path} уже существует. Измените этот файл.`,
    unusedName:
      'Сохранено, но файл с таким именем сам по себе не используется: только названные выше. На него может ссылаться другой файл.',
    cancel: 'Отмена',
    done: 'Готово',
    removed: (path: string) => `Файл ${path} удалён.`,
    save: 'Сохранить файл',
    saved: 'Сохранено.',
    remove: 'Удалить',
    removeFile: (path: string) => `Удалить ${path}`,
    edit: 'Изменить',
    editFile: (path: string) => `Изменить ${path}`,
  },

  host: {
    hosts: 'Хосты, доступные программам',
    hostsHint:
      'По одному в строке, например api.example.com, example.com:8443 или *.example.com. Код во встроенной рабочей области может обращаться к ним и отправлять им всё, что читает; разрешение запрашивается на команду, а не на каждый запрос. Отвечают только хосты, которые разрешают веб-страницам читать свои ответы (CORS).',
  },

  script: {
    script: 'Сценарий',
    hint: 'Что скажет модель, в формате JSON: текст и вызовы инструментов, шаг за шагом. Инструменты действительно выполняются и спрашивают как обычно. Сценарий с файлами получает новую рабочую область.',
    file: 'Выбрать файл',
    example: `{
  "version": 1,
  "title": "Прочитать заметку",
  "files": { "notes.txt": "Купить молоко\\n" },
  "turns": [
    {
      "steps": [
        { "tools": [{ "tool": "read", "input": { "filePath": "notes.txt" } }] },
        { "text": "В заметке написано: купить молоко." }
      ]
    }
  ]
}
`,
  },

  server: {
    heading: 'Серверы инструментов (MCP)',
    hint: 'Серверы в интернете, которые дают агенту дополнительные инструменты. Перед каждым вызовом они запрашивают разрешение под именем server/tool. Не доверяйте тому, что они возвращают.',
    list: 'Серверы инструментов',
    none: 'Серверов инструментов пока нет.',
    state: (state: ServerState): string =>
      (serverStates[state.state] as (state: ServerState) => string)(state),
    tools: 'Инструменты',
    signIn: 'Войти',
    signInTo: (name: string) => `Войти в ${name} (откроется другая страница)`,
    signOut: 'Выйти',
    signOutOf: (name: string) => `Выйти из ${name}`,
    again: 'Подключить снова',
    connectAgain: (name: string) => `Подключить ${name} снова`,
    remove: 'Удалить',
    removeServer: (name: string) => `Удалить ${name}`,
    remember: (name: string) => `Не выходить из ${name} на этом устройстве`,
    name: 'Имя сервера',
    url: 'Адрес сервера',
    clientId: 'Идентификатор клиента, если сервер не регистрирует его сам',
    add: 'Добавить сервер',
  },

  settings: {
    settingsPermissions: 'Разрешения',
    settingsRules: 'Сохранённые ответы',
    settingsLook: 'Внешний вид',
    settingsNotifications: 'Пока эта вкладка скрыта',
    notifications: 'Уведомлять, когда агент ждёт или закончил',
    notificationSound: 'Воспроизводить при этом звук',
    notificationsRefused:
      'Браузер не разрешает этой странице показывать уведомления. Разрешите их в настройках браузера для этой страницы.',
    settingsStorage: 'Хранилище',
    provider: 'Провайдер',
    chooseProvider: 'Выберите',
    baseURL: 'Базовый URL',
    apiKey: 'Ключ API',
    keyStored: { none: '', tab: 'Сохранён для этой вкладки', device: 'Сохранён на этом устройстве' },
    keyOptional: 'Только если он нужен вашему серверу',
    keyPlaceholder: 'Вставьте ключ',
    remember: 'Запомнить ключ на этом устройстве',
    rememberHint: 'Иначе он исчезнет, когда эта вкладка закроется. Ключ отправляется только провайдеру.',
    forgetKey: 'Забыть ключ',
    getKey: 'Получить ключ',
    test: 'Проверить соединение',
    testing: 'Проверка',
    testOk: 'Модель ответила.',
    save: 'Сохранить',
    saved: 'Сохранено.',
    baseURLDefault: 'Собственный адрес провайдера',
    listing: 'Загружается список моделей',
    listed: (n: number) =>
      `${form(n, 'Найдена', 'Найдено', 'Найдено')} ${counted(n, 'модель', 'модели', 'моделей')}`,
    permissionName: (permission: string) => named(permissionNames, permission) ?? permission,
    permissionActions: {
      allow: 'Разрешать',
      ask: 'Спрашивать',
      deny: 'Запрещать',
      custom: 'По шаблону',
    },
    permissionsHint: 'Что агент может делать без вопроса, во всех рабочих областях.',
    rulesHint: 'Что вы разрешили навсегда, здесь или во всех рабочих областях.',
    noRules: 'Сохранённых ответов пока нет.',
    ruleScopes: { workspace: 'эта рабочая область', everywhere: 'везде' },
    exportRules: 'Экспортировать в файл',
    importRules: 'Импортировать из файла',
    importedRules: (n: number) =>
      `${form(n, 'Добавлен', 'Добавлено', 'Добавлено')} ${counted(n, 'ответ', 'ответа', 'ответов')}.`,
    rulesFile: 'vitrine-rules.json',
    revoke: 'Отозвать',
    revokeRule: (rule: string) => `Отозвать ${rule}`,
    settingsTools: 'Инструменты',
    toolSwitches: {
      'experimental.batch_tool': 'Несколько вызовов в одном (batch)',
      'experimental.lsp_tool': 'Вопросы о коде (lsp)',
      'lsp.after_changes': 'Сообщать агенту, какие ошибки остаются в TypeScript и JavaScript после изменения',
    } as Readonly<Record<string, string>>,
    toolsHint: 'Выключенные инструменты не предлагаются агенту начиная с его следующего шага.',
    settingsConversations: 'Разговоры',
    makeTitles: 'Называть сеансы автоматически',
    makeTitlesHint:
      'Ещё один небольшой запрос вместе с первым сообщением. Иначе названием служит его первая строка.',
    makeSummaries: 'Составлять сводку, когда контекст заполнен',
    makeSummariesHint:
      'Тогда модель видит сводку вместо старых сообщений и вывода; на странице всё остаётся. Иначе ход завершается, а сводку составляет по вашей просьбе команда /compact.',
    settingsWeb: 'Интернет',
    fetchProxy: 'Прокси для загрузки страниц',
    fetchProxyHint:
      'Большинство сайтов не позволяют таким страницам, как эта, читать себя. Прокси, которому вы доверяете, это может; он видит каждый адрес. Поставьте {url} там, где должен быть адрес.',
    useSearchKey: 'Использовать',
    rememberSearchKey: 'Запомнить ключ на этом устройстве',
    searchKeys: {
      exa: {
        label: 'Ключ Exa',
        save: 'Использовать ключ Exa',
        forget: 'Забыть ключ Exa',
        hint: 'С ключом агент может искать в интернете через Exa. Ключ отправляется только на api.exa.ai.',
      },
      github: {
        label: 'Токен GitHub',
        save: 'Использовать токен GitHub',
        forget: 'Забыть токен GitHub',
        hint: 'С токеном агент может искать по открытому коду, а git — работать с закрытыми репозиториями и отправлять изменения. Для поиска достаточно токена без прав. Токен отправляется только на api.github.com; для git спрашивается о каждом репозитории.',
      },
    },
    language: 'Язык',
    languageOfBrowser: 'Как в браузере',
    languageReload:
      'Язык изменится при следующей перезагрузке. Перезагрузка останавливает выполняющийся ход. Сеансы и черновики сохранятся.',
    reload: 'Перезагрузить',
    theme: 'Тема',
    themes: { system: 'Системная', light: 'Светлая', dark: 'Тёмная' },
    textSize: 'Размер текста',
    codeSize: 'Размер кода',
    sizes: {
      small: 'Мелкий',
      normal: 'Стандартный',
      large: 'Крупный',
      larger: 'Очень крупный',
      largest: 'Самый крупный',
    },
    density: 'Плотность',
    densities: { comfortable: 'Свободная', compact: 'Компактная' },
    contrast: 'Контрастность',
    contrasts: { system: 'Как в системе', more: 'Повышенная' },
    licences: 'Лицензии сторонних компонентов',
    storageUsed: (used: string, quota: string) => `Занято ${used} из ${quota}, доступных в браузере.`,
    storageUnknown: 'Браузер не сообщает, сколько места занято.',
    storagePersistent: 'Сеансы и файлы хранятся в этом браузере.',
    storageMemory: 'Ничего не хранится: этот браузер не разрешает. Всё пропадёт, когда вкладка закроется.',
  },
} satisfies SettingsTexts;
