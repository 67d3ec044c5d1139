import type { SettingsNote } from '../../workbench/files/editor/format/protocol.ts';
import type { WorkbenchTexts } from '../catalogue.ts';

/** The texts of the editor, of formatting and of the language service. */
export const editing = {
  codeServices: {
    problems: (count: number) => `${count} 个问题`,
    problemsTitle: '列出问题 (Ctrl+Shift+M)。按 Alt+F8 转到下一个问题。',
    definition: '定义',
    definitionTitle: '转到定义 (F12)',
    rename: '重命名',
    renameTitle: '重命名光标处的符号 (F2)',
    unavailable: (why: string) => `语言服务无法响应：${why}`,
    noDefinition: '在此处未找到定义。',
    builtIn: (name: string) => `此项在 ${name} 中声明，该文件随 TypeScript 提供，不在工作区中。`,
    noHover: '没有关于此处的信息。',

    renameLabel: (name: string) => `${name} 的新名称`,
    noName: '请将光标放在要更改的名称上。',
    saveFirst: (path: string) => `${path} 有未保存的编辑。请先保存或放弃，然后再重命名。`,
    changed: (path: string) => `${path} 在此期间已更改。未重命名任何内容。请重试。`,
    halfDone: (paths: string) => `有文件在此期间已更改，以下文件无法还原：${paths}`,
    places: (places: number, inFiles: number) => `${inFiles} 个文件中的 ${places} 处：`,
    inFile: (path: string, places: number) => `${path} (${places})`,
    nothing: '没有任何更改。',
    look: '显示各处位置',
    renameAll: '全部重命名',
    cancel: '取消',
    renamed: (name: string, places: number) => `已将 ${places} 处重命名为 ${name}。`,
  },
  editor: {
    openFiles: '打开的文件',
    textOf: (path: string) => `${path} 的文本`,
    unsaved: '未保存',
    closeTab: '关闭',
    save: '保存',
    find: '查找',
    leave: 'Tab 键用于缩进。先按 Escape 再按 Tab 可离开文本。',
    lineEnds: (name: string) => `此文件混用了两种行尾。保存时会全部改为 ${name}。`,
    notSaved: (name: string, why: string) => `未保存 ${name}：${why}`,
    notDurable: (name: string, why: string) => `${name} 已保存，但重新加载后可能会丢失：${why}`,
    changedAgain: '文件刚刚被更改。请再次保存。',
    loadFailed: '无法加载编辑器，因此文件为只读。',
    tryAgain: '重试',

    largeReadOnly: '大文件为只读。',
    notUTF8: '此文件不完全是 UTF-8 编码。部分字符无法显示，文件为只读。',

    closeUnsaved: (name: string) => `${name} 有未保存的编辑。`,
    discard: '放弃',
    cancel: '取消',

    changedBy: (name: string, agent: boolean) =>
      agent ? `你有未保存的编辑时，${name} 被智能体更改。` : `你有未保存的编辑时，${name} 被更改。`,
    showBoth: '显示两者',
    keepMine: '保留我的',
    takeTheirs: (agent: boolean) => (agent ? '采用智能体的' : '采用另一个'),
    bothLegend: (agent: boolean) =>
      agent ? '带 − 的行来自智能体，带 + 的行是你的。' : '带 − 的行在文件中，带 + 的行是你的。',
    comparing: '正在比较',
    tooDifferent: '两份文本差异太大，无法逐行比较。',
    deleted: (name: string) => `${name} 已被删除。保存会重新写入。`,

    phrases: {
      Find: '查找',
      Replace: '替换为',
      next: '下一个',
      previous: '上一个',
      all: '全选',
      'match case': '区分大小写',
      'by word': '全字匹配',
      regexp: '正则表达式',
      replace: '替换',
      'replace all': '全部替换',
      close: '关闭查找',
      'current match': '匹配项',
      'replaced $ matches': '已替换 $ 个匹配项。',
      'replaced match on line $': '已替换第 $ 行的匹配项。',
      'on line': '位于行',
      Diagnostics: '问题',
      'No diagnostics': '没有问题',
      Completions: '补全建议',
      'Go to line': '转到行',
      go: '转到',
    },
  },
  format: {
    format: '格式化',
    keys: 'Shift+Alt+F',
    onSave: '保存时格式化',
    formatting: '正在格式化',
    formatted: '已格式化。',
    unchanged: '文本已是格式化后的样子。',
    ignored: '此文件被 .prettierignore 排除，或属于某个软件包。未作更改。',
    syntax: (line: number, column: number, message: string) =>
      `未格式化。第 ${line} 行，第 ${column} 列：${message}`,
    failed: (why: string) => `未格式化。${why}`,
    changedMeanwhile: '未格式化，因为文本在此期间已更改。请重新格式化。',
    note: (note: SettingsNote, path: string): string => {
      switch (note.kind) {
        case 'code':
          return `${path} 是代码，格式化时不会运行它：已使用默认设置和 .editorconfig。`;
        case 'unreadable':
          return `无法读取 ${path}（${note.why}），因此已使用默认设置和 .editorconfig。`;
        case 'plugins':
          return `已略过 ${path} 中的插件。`;
      }
    },
  },
} satisfies Pick<WorkbenchTexts, 'codeServices' | 'editor' | 'format'>;
