/** The texts of a permission, by the same names as in its manifest. */
interface PermissionTexts {
  readonly question: string;
  readonly label?: string;
  readonly asksByDefault?: string;
  readonly anything?: string;
}

const texts: Readonly<Record<string, PermissionTexts>> = {
  bash: {
    question: '运行命令',
    label: '运行命令',
    asksByDefault: '运行命令默认需要询问。',
    anything: '任何命令',
  },
  codesearch: {
    question: '搜索公开代码',
    label: '搜索公开代码',
    asksByDefault: '搜索公开代码默认需要询问。',
  },
  edit: {
    question: '更改文件',
    label: '更改文件',
    asksByDefault: '更改文件默认需要询问。',
    anything: '更改任何文件',
  },
  glob: { question: '搜索文件名', label: '搜索文件名' },
  grep: { question: '在文件中搜索', label: '在文件中搜索' },
  list: { question: '列出文件夹内容', label: '列出文件夹内容', anything: '任何文件夹' },
  lsp: { question: '查询代码信息', label: '查询代码信息' },
  preview: {
    question: '使用预览',
    label: '使用预览',
    asksByDefault: '在页面中运行代码默认需要询问。',
    anything: '预览中的任何操作',
  },
  read: {
    question: '读取文件',
    label: '读取文件',
    asksByDefault: '读取此类文件默认需要询问。',
    anything: '读取任何文件',
  },
  skill: { question: '使用技能', label: '使用技能' },
  task: { question: '向子智能体分派任务', label: '向子智能体分派任务' },
  webfetch: {
    question: '抓取网页',
    label: '抓取网页',
    asksByDefault: '抓取网页默认需要询问。',
    anything: '任何网页',
  },
  websearch: {
    question: '搜索网页',
    label: '搜索网页',
    asksByDefault: '搜索网页默认需要询问。',
  },
  doom_loop: {
    question: '在疑似陷入循环后继续',
    label: '在疑似陷入循环后继续',
    asksByDefault: '疑似陷入循环时默认需要询问。',
  },
  external_directory: { question: '读取工作区以外的内容' },
  secret: { question: '向主机提供机密', label: '向主机提供机密' },
};

/** `undefined` for the permission of a tool that is not the app's own. */
export function permissionTexts(id: string): PermissionTexts | undefined {
  return Object.hasOwn(texts, id) ? texts[id] : undefined;
}
