import type { ConversationTexts, GlassTexts } from '../catalogue.ts';

/** The verbs of the app's tools, by the English ones of their cards. */
const verbOf: Readonly<Record<string, string>> = {
  Patch: '打补丁',
  Run: '运行',
  Batch: '批量',
  'Search code': '搜索代码',
  Edit: '编辑',
  Search: '搜索',
  List: '列出',
  'Plan first': '先做计划',
  'Plan is ready': '计划就绪',
  Ask: '提问',
  Read: '读取',
  Skill: '技能',
  'Sub-agent': '子智能体',
  'In background': '后台运行',
  'Background work': '后台任务',
  'Stop work': '停止任务',
  Plan: '计划',
  Fetch: '获取',
  'Search web': '搜索网页',
  Write: '写入',
  Definition: '定义',
  References: '引用',
  Type: '类型',
  Symbols: '符号',
  'Find symbol': '查找符号',
  Implementations: '实现',
  Calls: '调用',
  Callers: '调用方',
  Callees: '被调用方',
  Rename: '重命名',
  Check: '检查',
  'Code actions': '代码操作',
  Preview: '预览',
  Open: '打开',
  'Look at the page': '查看页面',
  'Read the console': '读取控制台',
  Click: '点击',
  Press: '按键',
  Choose: '选择',
  'Wait for': '等待',
  'Run in the page': '在页面中运行',
  'Resize the page': '调整页面大小',
  'Reload the page': '重新加载页面',
  'Go back': '后退',
  'Type text': '输入文本',
};

export const verbs = {
  of: (english: string) => verbOf[english] ?? english,
} satisfies ConversationTexts['verbs'];

export const reasons = {
  yourArguments: '未运行：你的参数不符合 schema。',
  cannotRun: '未运行：模型写出的调用无法运行，已告知模型原因。',
  noDecision: '无需决定：此工具不请求任何权限。',
  endedBefore: {
    cancelled: '在作出决定之前已取消。',
    interrupted: '在作出决定之前已中断。',
    other: '在作出决定之前已结束。',
  },
  stillWritten: '模型还在写这个调用。',
  notStarted: '尚未开始。',
  deniedBefore: '未询问即拒绝：同一请求在本轮中已被拒绝过。',
  dangerous: (text: string) => `无论规则允许什么都会询问：${text} 符合危险模式。`,
  verdict: {
    asked: (cause: string) => `已询问：${cause}。`,
    denied: (cause: string) => `未询问即拒绝：${cause}。`,
    allowed: (cause: string) => `未询问即允许：${cause}。`,
  },
  askedWithoutRule: '已询问，因为没有适用的规则。',
  decidedWithoutRule: '未依据规则作出决定。',
  noRule: (pattern: string) => `没有适用于“${pattern}”的规则`,
  byRule: (rule: string, source: string, pattern: string) => `“${pattern}”由规则“${rule}”（${source}）决定`,
  also: (same: number, other: number) =>
    [same > 0 && `另有 ${same} 个匹配模式由同一规则决定`, other > 0 && `另有 ${other} 个由其他规则决定`]
      .filter(Boolean)
      .join('，'),
  withAlso: (cause: string, also: string) => `${cause}；${also}`,
  withdrawn: (time: string) => `${time} 后撤回：本轮在答复之前已结束。`,
  answered: (answer: string, time: string) => `${answer}，用时 ${time}。`,
  answeredSaying: (answer: string, time: string, message: string) =>
    `${answer}，用时 ${time}，并说明：${message}。`,
  waits: '正在等待你的答复。',
} satisfies GlassTexts['reasons'];
