import type { Check } from '../../../lessons/checks.ts';
import type { LessonTexts } from '../catalogue.ts';
import { taskStates } from './conversation.ts';
import { page } from './page.ts';

export const lessons = {
  lesson: {
    sentence: sentenceOf,
    title: '课程',
    about: '每节课程都有自己的工作区和会话。模型按脚本回答；工具会真正运行。',
    unknownMessage:
      '我是这节课的脚本模型：只能回答这节课自己的消息。请在旁边的课程中点击*使用此消息*并原样发送，或点击那里的*重新开始*。想自由对话，请用你自己的模型新建一个会话。',
    workspace: (title: string) => `课程：${title}`,
    loading: '正在加载',
    close: '关闭课程',
    back: '所有课程',
    minutes: (n: number) => `${n} 分钟`,
    steps: (done: number, of: number) => `${done} / ${of} 步`,
    finished: '已完成',
    notBegun: '未开始',
    bundled: '应用自带的课程',
    own: '你的课程',
    write: '编写课程',
    openFile: '打开课程文件',
    lessonFile: '课程文件',
    edit: '编辑',
    copy: '复制一份以编辑',
    remove: '删除',
    removed: (title: string) => `已删除“${title}”。`,
    actions: (title: string) => `“${title}”的操作`,
    tryAgain: '重试',

    stepList: '步骤',
    stepOf: (n: number, of: number) => `第 ${n} 步，共 ${of} 步`,
    done: '已完成',
    later: '稍后',
    message: '要发送的消息',
    take: '使用此消息',
    checks: '要做的事',
    met: '已完成：',
    open: '待完成：',
    hint: '显示提示',
    nextHint: '显示下一个提示',
    hints: '提示',
    answer: '你的回答',
    check: '检查',
    wrong: '不太对。再看看。',
    wrongWithHints: '不太对。再看看，或查看提示。',
    goOn: '下一步',
    stepDone: (n, of) => `第 ${n} 步（共 ${of} 步）已完成。`,
    unfinished: '这一步还有未完成的事项。',
    asks: '课程有一个问题等你回答。',
    toLesson: '返回课程',
    aboutRequest: '课程里有关于这个请求的说明。',
    toChat: '前往对话',
    pressSend: '课程的消息已在输入框中。请按“发送”。',
    stalled: '本轮已结束，但这里还有未完成的事项。请重新发送消息，或点击下方的“重新开始”。',
    ruled:
      '有一条规则已允许此操作，所以没有询问你。若想被询问，请在设置的“权限”中移除该规则，再点击下方的“重新开始”。也可以就这样继续。',
    ruledByMode: (mode) =>
      `当前模式是“${page.modes[mode].name}”，所以没有询问你。若想被询问，请点击下方的“重新开始”，模式会恢复原状。也可以就这样继续。`,
    restart: '重新开始',
    restartHint: '创建新的工作区和会话；旧的会被移除，你在本课程中全局允许的内容也会撤销。',
    toSession: '返回此课程的会话',
    elsewhere: '你正在查看另一个会话。',
    small: {
      looking: '正在此浏览器中查找小模型…',
      none: '此浏览器中没有小模型。',
      found: (n: number) => `此浏览器中有 ${n} 个小模型。`,
      ofBrowser: '此浏览器自带的模型',
      use: (name: string) => `让它回答：${name}`,
      answers: (name: string) => `现在由此模型回答你的消息：${name}`,
      back: '改回脚本',
      watch: '观看录制',
      settings: '在设置中获取',
    },
    complete: '课程已完成。',
    next: (title: string) => `下一节：${title}`,
    allDone: '这是最后一节。现在，让使用你自己模型的智能体为你做些事情吧。',
    announce: (n: number, of: number, title: string) =>
      `第 ${n - 1} 步已完成。第 ${n} 步，共 ${of} 步：${title}`,
    announceEnd: '所有步骤都已完成。',

    sharedTitle: '来自链接的课程',
    sharedText:
      '有人制作了此课程并发送给你。在你发送消息之前，其中的任何内容都不会运行。工具仍会请求你的授权。',
    sharedFiles: (n: number) => `${n} 个文件`,
    start: '开始课程',
    dismiss: '不用了',

    editor: '编写课程',
    editorHint: '左侧编写课程，右侧编写其模型的脚本。',
    reference: '如何编写课程',
    markdown: '课程 (Markdown)',
    script: '脚本 (JSON)',
    valid: (steps: number) => `有效：${steps} 个步骤。`,
    problems: '问题所在',
    doubts: '值得再看一眼',
    save: '保存',
    saved: '已保存。',
    unsaved: '未保存，但已保留在此设备上。',
    startOver: '放弃更改',
    bringBack: '恢复更改',
    inOtherTab: '此课程也在另一个标签页中打开。会保留最后输入的文本。',
    takeOther: '采用另一个标签页的文本',
    other: '现在显示的是另一个标签页的文本。你可以恢复自己的文本。',
    tryIt: '保存并试用',
    copyLink: '复制链接',
    linkCopied: '已复制链接。打开链接的人会得到此课程的副本。',
    tooLongLink: '此课程太长，无法生成链接。请下载并发送文件。',
    download: '下载',
  },
} satisfies LessonTexts;

const replies: Readonly<Record<string, string>> = {
  once: '允许一次',
  session: '在此会话中允许',
  always: '始终允许',
  everywhere: '全局允许',
  reject: '拒绝',
  feedback: '拒绝并给出原因',
};

const ends: Readonly<Record<string, string>> = {
  ok: '成功',
  failed: '失败',
  denied: '被拒绝',
  cancelled: '被取消',
  interrupted: '被中断',
  invalid: '不符合其 schema',
};

const turns: Readonly<Record<string, string>> = {
  idle: '本轮结束',
  error: '本轮失败',
  aborted: '你停止本轮',
  rejected: '拒绝使本轮结束',
  interrupted: '本轮被中断',
};

const restores = {
  undo: '你回到先前的时刻',
  redo: '你恢复已撤消的内容',
  branch: '你转到对话的另一个版本',
} as const;

/** The texts name what is to happen, without a tense: they stand before and after it is done. */
function sentenceOf(check: Check): string {
  switch (check.kind) {
    case 'prompt':
      return check.prompt === '*' ? '你发送一条消息' : `你发送一条类似${quoted(check.prompt)}的消息`;
    case 'call': {
      const call = check.with ? `${check.call}（参数含${quoted(check.with)}）` : `${check.call} `;
      const times = (check.times ?? 1) > 1 ? `，共 ${check.times} 次` : '';
      return `${call}${check.outcome ? ends[check.outcome] : '结束'}${times}`;
    }
    case 'asked':
      return `你收到 ${check.asked} 的权限请求`;
    case 'permission': {
      const reply = check.reply && [check.reply].flat().map((each) => replies[each]);
      return `你答复 ${check.permission} 的权限请求${reply ? `：${reply.join('或')}` : ''}`;
    }
    case 'decided':
      return `规则未经询问即${check.action === 'allow' ? '允许' : '拒绝'} ${check.decided}`;
    case 'question':
      return check.question === 'answered' ? '你回答提问' : '你忽略提问';
    case 'turn':
      return turns[check.turn] ?? '';
    case 'steps':
      return `模型被调用 ${check.steps} 次`;
    case 'says':
      return `模型说出${quoted(check.says)}`;
    case 'mode':
      return `你选择模式“${page.modes[check.mode].name}”`;
    case 'task':
      return `${check.agent === undefined ? '子智能体' : `${check.agent} `}的任务结束：${taskStates[check.task]}`;
    case 'compacted':
      return '对话被总结';
    case 'restored':
      return restores[check.restored];
    case 'file':
      return check.gone ? `${check.file} 已不存在` : `${check.file} 符合要求`;
    case 'ask':
      return check.ask;
  }
}

function quoted(pattern: string): string {
  return `“${pattern.replace(/^\*|\*$/g, '')}”`;
}
