import type { Grant } from '../../../config/grants.ts';
import type { ServerState } from '../../../extensions/mcp/servers.ts';
import type { SettingsTexts } from '../catalogue.ts';
import { browserModel, local, openRouter, settingsPages, tabModels } from './settings-pages.ts';
import { permissionTexts } from './permissions.ts';

const grants: Readonly<Record<Grant['kind'], (what: string) => string>> = {
  rule: (what) => `不经询问即允许：${what}`,
  'agent-rule': (what) => `不经询问即允许智能体：${what}`,
  instructions: (what) => `从 ${what} 获取指令`,
  model: (what) => `发送到其他模型：${what}`,
  switch: (what) => `开启：${what}`,
  setting: (what) => `使用：${what}`,
  provider: (what) => `发送到 ${what} 的模型`,
  server: (what) => `使用服务器 ${what} 的工具`,
  code: (what) => `加载并运行：${what}`,
};

/** Why a model that a file names cannot be used. */
const unused = (provider: string, model: string, providerName: string | undefined) =>
  providerName
    ? `未使用 ${model}：此浏览器中未设置 ${providerName}。`
    : `未使用 ${model}：此处没有提供商“${provider}”。`;

export const settings = {
  browserModel,
  tabModels,
  local,
  openRouter,
  settingsPages,
  config: {
    heading: '配置文件',
    hint: '此工作区的文件以及你自己的文件所作的配置。在你信任之前，工作区的文件只能要求询问和拒绝。',
    noWorkspace: '未打开工作区。',
    noFiles: '此工作区没有配置文件。',
    filesRead: '已读取的文件',
    rules: '生效的规则（后面的优先）',
    problems: '被忽略的内容',
    problem: (file: string, line: number | undefined, what: string, next: string) =>
      `${file}${line === undefined ? '' : `:${line}`}：${what} ${next}`,
    unusedModel: (provider: string, model: string, providerName: string | undefined) => ({
      what: unused(provider, model, providerName),
      next: providerName
        ? '请在上方进行设置；在此之前，提示词会发送到上方所选的模型。'
        : '提示词会发送到上方所选的模型。',
    }),
    unusedAgentModel: (provider: string, model: string, providerName: string | undefined) => ({
      what: unused(provider, model, providerName),
      next: '智能体使用提示词所发送到的模型。',
    }),
    grants: '它们将允许的内容',
    grant: (kind: Grant['kind'], what: string) => grants[kind](what),
    trusted: '你信任这些内容。',
    untrusted: '你不信任这些内容，因此均不生效。',
    trustTitle: '此工作区想要的权限超出了你的设置。',
    trustText: (count: number) =>
      `其文件中有 ${count} 项内容等待你的信任。在此之前，它们只能要求询问和拒绝。`,
    commands: '命令',
    foundCommands: (count: number) => `${count} 个命令：按上下键选择，按 Enter 键采用，按 Esc 键关闭`,
    look: '查看',
    trust: '信任',
    distrust: '不信任',
    secrets: '机密',
    secretsHint:
      '文件和自定义工具以 ${NAME} 或 {env:NAME} 引用机密，但绝不会看到其值：应用会先询问你是否允许相应的主机，然后将值放入请求。除非选择记住，否则机密在标签页关闭后失效。',
    secretName: '机密名称',
    secretValue: '值',
    rememberSecret: '在此设备上记住',
    saveSecret: '存储机密',
    noValue: '此标签页中没有值',
    secretAsked: (name: string, host: string) => `${host} 需要机密 ${name}。`,
    allowSecret: '允许',
    own: '你自己的文件',
    ownHint:
      '适用于此浏览器的每个工作区。智能体可以在 ~/.config/opencode 下读取它们，但不能更改。opencode.json 和 config.toml 存放设置，AGENTS.md 存放指令，agents/*.md 存放智能体，commands/*.md 存放命令，skills/NAME/SKILL.md 存放技能，tools/*.ts 存放工具，plugins/*.ts 存放插件。',
    ownFile: '文件',
    ownText: '文本',
    newFile: '新建自己的文件',
    fileName: '新文件的名称',
    editedName: '文件名称',
    taken: (path: string) => `${path} 已存在。请改为编辑该文件。`,
    unusedName: '已保存，但此名称的文件不会自动使用，只有上面列出的名称才会。其他文件可以引用它。',
    cancel: '取消',
    done: '完成',
    removed: (path: string) => `已移除 ${path}。`,
    save: '存储文件',
    saved: '已保存。',
    remove: '移除',
    removeFile: (path: string) => `移除 ${path}`,
    edit: '编辑',
    editFile: (path: string) => `编辑 ${path}`,
  },
  host: {
    hosts: '程序可以访问的主机',
    hostsHint:
      '每行一个，例如 api.example.com、example.com:8443 或 *.example.com。内嵌工作区中的代码可以向这些主机发送请求，并把读取到的任何内容发送给它们；授权针对命令，而不是每个请求。只有允许网页读取 (CORS) 的主机才会响应。',
  },
  script: {
    script: '脚本',
    hint: '模型要说的内容，以 JSON 表示：文本和工具调用，逐步列出。工具会真正运行，并照常询问。含文件的脚本会使用新工作区。',
    file: '选择文件',
    example: `{
  "version": 1,
  "title": "读取便条",
  "files": { "notes.txt": "买牛奶\\n" },
  "turns": [
    {
      "steps": [
        { "tools": [{ "tool": "read", "input": { "filePath": "notes.txt" } }] },
        { "text": "便条上写着：买牛奶。" }
      ]
    }
  ]
}
`,
  },
  server: {
    heading: '工具服务器 (MCP)',
    hint: '网络上为智能体提供更多工具的服务器。每次调用这些工具之前都会询问，权限名称为“服务器/工具”。请将它们返回的内容视为不可信。',
    list: '工具服务器',
    none: '还没有工具服务器。',
    state: stateOf,
    tools: '工具',
    signIn: '登录',
    signInTo: (name: string) => `登录 ${name}（打开另一个页面）`,
    signOut: '退出登录',
    signOutOf: (name: string) => `退出登录 ${name}`,
    again: '重新连接',
    connectAgain: (name: string) => `重新连接 ${name}`,
    remove: '移除',
    removeServer: (name: string) => `移除 ${name}`,
    remember: (name: string) => `在此设备上保持登录 ${name}`,
    name: '服务器名称',
    url: '服务器地址',
    clientId: '客户端 ID（如果服务器不自行注册）',
    add: '添加服务器',
  },
  settings: {
    settingsPermissions: '权限',
    settingsRules: '已保存的授权',
    settingsLook: '外观',
    settingsNotifications: '此标签页处于后台时',
    notifications: '智能体等待或完成时通知我',
    notificationSound: '同时播放声音',
    notificationsRefused: '浏览器不允许此页面向你发送通知。请在浏览器的网站设置中允许。',
    settingsStorage: '存储',
    provider: '提供商',
    chooseProvider: '请选择',
    baseURL: '基础 URL',
    apiKey: 'API 密钥',
    keyStored: { none: '', tab: '已为此标签页存储', device: '已存储在此设备上' },
    keyOptional: '仅当你的服务器需要时',
    keyPlaceholder: '粘贴密钥',
    remember: '在此设备上记住密钥',
    rememberHint: '否则关闭此标签页后密钥即失效。密钥只会发送给提供商。',
    forgetKey: '忘记密钥',
    getKey: '获取密钥',
    test: '测试连接',
    testing: '正在测试',
    testOk: '模型已回答。',
    save: '保存',
    saved: '已保存。',
    baseURLDefault: '提供商自己的地址',
    listing: '正在获取模型列表',
    listed: (n: number) => `找到 ${n} 个模型`,
    permissionName: (permission: string) => permissionTexts(permission)?.label ?? permission,
    permissionActions: { allow: '允许', ask: '询问', deny: '拒绝', custom: '按匹配模式' },
    permissionsHint: '智能体在每个工作区中不经询问即可执行的操作。',
    rulesHint: '你在此处或在每个工作区中始终允许的内容。',
    noRules: '还没有已保存的授权。',
    ruleScopes: { workspace: '此工作区', everywhere: '全局' },
    exportRules: '导出到文件',
    importRules: '从文件导入',
    importedRules: (n: number) => `已添加 ${n} 项授权。`,
    rulesFile: 'vitrine-rules.json',
    revoke: '撤销',
    revokeRule: (rule: string) => `撤销 ${rule}`,
    settingsTools: '工具',
    toolSwitches: {
      'experimental.batch_tool': '一次发起多个调用 (batch)',
      'experimental.lsp_tool': '查询代码信息 (lsp)',
      'lsp.after_changes': '将更改在 TypeScript 和 JavaScript 中留下的错误告知智能体',
    },
    toolsHint: '从下一步起，不再向智能体提供已关闭的工具。',
    settingsConversations: '对话',
    makeTitles: '自动命名会话',
    makeTitlesHint: '随你的第一条消息多发送一个小请求。否则以消息的第一行命名。',
    makeSummaries: '上下文已满时进行总结',
    makeSummariesHint:
      '之后模型看到的是摘要，而不是旧的消息和输出；页面会保留所有内容。否则本轮会结束，你可以用 /compact 进行总结。',
    settingsWeb: '网络',
    fetchProxy: '用于抓取网页的代理',
    fetchProxyHint:
      '大多数网站不允许此类页面读取其内容。你信任的代理可以；它会看到每个地址。请在地址所在的位置写入 {url}。',
    useSearchKey: '使用',
    rememberSearchKey: '在此设备上记住密钥',
    searchKeys: {
      exa: {
        label: 'Exa 密钥',
        save: '使用 Exa 密钥',
        forget: '忘记 Exa 密钥',
        hint: '有了密钥，智能体可以用 Exa 搜索网页。密钥只会发送到 api.exa.ai。',
      },
      github: {
        label: 'GitHub 令牌',
        save: '使用 GitHub 令牌',
        forget: '忘记 GitHub 令牌',
        hint: '有了令牌，智能体可以搜索公开代码，git 可以访问私有仓库并推送。仅用于搜索时，没有任何权限的令牌就足够。令牌只会发送到 api.github.com；git 使用前会就每个仓库询问。',
      },
    },
    language: '语言',
    languageOfBrowser: '跟随浏览器',
    languageReload: '语言将在下次重新加载时更改。重新加载会停止正在运行的轮次。会话和草稿会保留。',
    reload: '重新加载',
    theme: '主题',
    themes: { system: '跟随系统', light: '浅色', dark: '深色' },
    textSize: '文字大小',
    codeSize: '代码大小',
    sizes: { small: '小', normal: '标准', large: '大', larger: '特大', largest: '最大' },
    density: '密度',
    densities: { comfortable: '宽松', compact: '紧凑' },
    contrast: '对比度',
    contrasts: { system: '跟随系统', more: '高对比度' },
    licences: '第三方许可',
    storageUsed: (used: string, quota: string) => `已使用 ${used}，浏览器允许 ${quota}。`,
    storageUnknown: '浏览器未说明已使用多少空间。',
    storagePersistent: '会话和文件存储在此浏览器中。',
    storageMemory: '未存储任何内容：此浏览器拒绝存储。关闭标签页后，所有内容都会丢失。',
  },
} satisfies SettingsTexts;

function stateOf(state: ServerState): string {
  switch (state.state) {
    case 'off':
      return '已关闭';
    case 'connecting':
      return '正在连接…';
    case 'connected':
      return `已连接，${state.tools.length} 个工具`;
    case 'sign-in':
      return state.wider ? '已登录，但某次调用需要更多权限：请重新登录以允许' : '需要你登录';
    case 'no-client':
    case 'failed':
      return [state.fault.what, state.fault.next].filter(Boolean).join(' ');
  }
}
