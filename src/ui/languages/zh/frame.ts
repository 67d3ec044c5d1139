import type { Wanted } from '../../app.ts';
import type { FrameTexts } from '../catalogue.ts';
import { formatNumber } from '../numbers.ts';
import { page } from './page.ts';

function aboutHosts({ hosts, token }: Wanted): { readonly title: string; readonly text: string } {
  if (token) return aboutToken(token);
  const names = hosts.join(' 和 ');
  const these = hosts.length > 1 ? '这些主机' : '此主机';
  const them = hosts.length > 1 ? '它们' : '它';
  return {
    title: hosts.includes('registry.npmjs.org')
      ? `有程序想从 ${names} 获取软件包。`
      : `有程序想访问 ${names}。`,
    text: `此后，你的工作区中的程序可以向${these}发送任何请求，并把读取到的内容发送给${them}。你可以在“设置”的“工具和服务器”部分撤销。`,
  };
}

function aboutToken({ repository, access }: NonNullable<Wanted['token']>) {
  const isWriting = access === 'write';
  return {
    title: `git 想使用你的 GitHub 令牌来${isWriting ? '修改' : '读取'} ${repository}。`,
    text: isWriting
      ? '此后，此工作区中的程序可以向该仓库推送分支和标签并创建拉取请求，直到此页面重新加载。它们看不到令牌本身。'
      : '此后，此工作区中的程序可以读取该仓库，直到此页面重新加载。它们看不到令牌本身。',
  };
}

export const frame = {
  page,
  container: {
    stuckTitle: '有一个进程无法停止。',
    diedTitle: '容器已停止工作。',
    restartContainer: '重启容器',
    useEmbedded: '使用内嵌工作区',
    tryAgain: '重试',
    containerOffered: 'WebContainer 已就绪。',
    containerOfferedText: '它带有 Node 和 npm。此处的更改会留在此处。',
    containerUse: '使用 Node',
    settingsContainers: 'WebContainer',
    containersAllowed: '向 StackBlitz 请求 WebContainer',
    containersHint:
      'WebContainer 是此标签页中的 Node 和 npm。其运行时来自 stackblitz.com，因此 StackBlitz 会看到你的访问；文件留在标签页中。新工作区会尝试使用它。关闭此项后，页面绝不会连接 StackBlitz。',
    containersOffBySite: '此网站的所有者已关闭 WebContainer。页面绝不会连接 StackBlitz。',
    containersKey: 'WebContainer 的网站密钥',
    containersKeyHint:
      '用于向 StackBlitz 标识此网站。生产环境网站和商业网站需要密钥以及 StackBlitz 的许可。重新加载后生效。',
  },
  repository: {
    title: '打开仓库',
    about: '来自 GitHub，在单独的新工作区中打开。在你发送消息之前不会运行任何内容。',
    field: '仓库',
    fieldHint: '所有者/名称，或 github.com 上的地址',
    ref: '分支或标签',
    refHint: '留空则使用默认分支',
    invalid: '请按“所有者/名称”填写仓库。',
    reach:
      '将从 api.github.com 和 raw.githubusercontent.com 获取最新提交。此后，你的工作区中的程序可以访问这两个主机；你可以在“设置”的“工具和服务器”部分撤销。',
    token: '私有仓库，以及每小时多次打开，需要在“设置”的“工具和服务器”部分填写 GitHub 令牌。',
    prompt: '之后，此消息会留在消息框中等待，不会自动发送。',
    promptFor: (agent: string) => `之后，这条给智能体 ${agent} 的消息会留在消息框中等待，不会自动发送。`,
    open: '打开',
    stop: '停止',
    begun: '正在请求 GitHub',
    progress: (percent: number) => `正在接收文件：${percent}%`,
  },

  hostNotice: {
    about: aboutHosts,
    allow: '允许',
    deny: '拒绝',
  },
  incoming: {
    hint: '拖放图片和 PDF 可添加为附件，拖放录制可将其打开，拖放其他文件可添加到工作区',
    hintBox: '松开即可附加到消息',
    hintRecording: '拖放录制可将其打开',
    attached: (paths: readonly string[]) =>
      paths.length === 1
        ? `已添加为附件，并保存为 ${paths[0]}。`
        : `已添加 ${paths.length} 个文件作为附件，并保存在 attachments 中。`,
    added: (n: number) => `已将 ${n} 个文件添加到工作区的根目录。`,
    kept: (n: number) => `${n} 个文件已存在，未被替换。`,
    refused: (name: string, why: string) => `已略过 ${name}：${why}`,
    moreRefused: (n: number) => `另有 ${formatNumber(n)} 个已略过。`,
    replace: '替换',
    notShown: '此图片的格式无法向模型显示，或超过 50 MB；已作为文件添加。',
    unpack: (name: string) => `解压 ${name}`,
    leaveOutIgnored: '添加，但不含 node_modules、.git 和 .gitignore 所列内容',
    nothing: '其中没有找到文件。请拖放文件或文件夹。',
    noWorkspace: '没有可以添加文件的工作区。请先开始会话，然后再次拖放。',
    recordingShown: '无法向录制添加文件。请先打开或开始一个会话。',
    readOnly: '此会话已在另一个标签页中打开；请在那里添加文件。',
  },
  notify: {
    waits: (session: string) => `${session}：智能体在等待你的答复`,
    done: (session: string) => `${session}：智能体已完成`,
    waitsHere: (session: string) => `“${session}”在等待你的答复。`,
    severalWait: (count: number) => `${count} 个会话在等待你的答复。`,
    show: '显示',
    untitled: '未命名会话',
    waitedMeanwhile: '你离开此标签页后，智能体一直在等待你的答复。',
    doneMeanwhile: '智能体在你离开期间已完成。',
    turnOn: '下次通知我',
    on: '此标签页处于后台时，如果智能体在等待或已完成，你会收到通知。可在“设置”中开关。',
    refused: '浏览器不允许此页面向你发送通知。请在浏览器的网站设置中允许。',
  },
  offline: {
    newer: '新版本已就绪。',
    newerText: '重新加载即可使用。会话和草稿会保留。',
    newerWorking: '智能体仍在工作，重新加载会停止当前轮次。会话和草稿会保留。',
    reload: '重新加载',
    later: '稍后',
    needsReload: 'node 需要重新加载一次。',
    needsReloadText: '此主机不发送 node 所需的标头。重新加载后，页面会自行添加这些标头。会话和草稿会保留。',

    allow: '将 Vitrine 保留在此浏览器中以供离线使用',
    starting: '页面刚刚打开。',
    works: '可离线使用。',
    complete: (size: string) => `可离线使用：此浏览器中保存了 ${size}。`,
    downloading: (kept: string, all: string) => `正在下载以供离线使用：${kept} / ${all}。`,
    downloadingRest: (kept: string, all: string) => `可离线使用。仍在下载不常用的部分：${kept} / ${all}。`,
    savingData: (kept: string, all: string) =>
      `此浏览器已设为节省流量，因此未下载离线内容。已保存 ${kept} / ${all}。`,
    failed: (problem: string) => `离线内容下载失败：${problem}`,
    download: '立即下载',
    again: '重试',
    whyNone: {
      insecure: '无法离线使用：页面不是通过 https 加载的。',
      unsupported: '无法离线使用：此浏览器在此处没有 Service Worker。无痕窗口可能不提供。',
      site: '无法离线使用：此网站的所有者已将其关闭。',
      person: '无法离线使用：此功能已关闭。',
      link: '无法离线使用：页面打开时未启用此功能。',
      refused: '无法离线使用：浏览器拒绝了 Service Worker。',
    },
    nodeIsOff:
      'node 不可用，自定义工具和插件也因此不可用，因为此页面未处于跨源隔离状态。服务器必须随每个文件发送 Cross-Origin-Opener-Policy: same-origin 和 Cross-Origin-Embedder-Policy: require-corp。',
    notIsolated: {
      insecure: '如果通过 https 访问，页面可以自行添加这些标头。',
      unsupported: '页面本可自行添加这些标头，但此浏览器在此处没有 Service Worker。',
      site: '页面本可自行添加这些标头，但此网站的所有者已将其关闭。',
      person: '如果在“设置”中开启“将 Vitrine 保留在此浏览器中以供离线使用”，页面会自行添加这些标头。',
      link: '页面本可自行添加这些标头，但打开时未启用其 Service Worker。',
      refused: '页面本可自行添加这些标头，但浏览器拒绝了其 Service Worker。',
    },
    notIsolatedStarting: '页面即将自行添加这些标头。',
    notIsolatedReload: '请重新加载页面，之后页面会自行添加这些标头。',
    notIsolatedAnyway: '页面已自行添加这些标头，但此浏览器仍未将其隔离。',
  },
  palette: {
    palette: '所有命令',
    field: '命令',
    placeholder: '想做什么？',
    list: '命令',
    none: '没有名称匹配的命令。',
    found: (count: number) => `${count} 个命令`,

    keys: '快捷键',
    keysAbout: '快捷键在整个页面上都有效，除非文本框需要用到它们。你可以为命令设置其他快捷键。',
    command: '命令',
    key: '快捷键',
    noKeys: '无',
    change: (command: string) => `更改“${command}”的快捷键`,
    changeShort: '更改',
    press: '按下新的快捷键。按 Backspace 清除快捷键，按 Escape 保持不变。',
    needsModifier: '请与 Ctrl、Alt 或 ⌘ 搭配，或使用功能键：其他按键会输入文字。',
    taken: (keys: string, command: string) => `${keys} 是“${command}”的快捷键。`,
    take: '改用于此命令',
    leave: '保持不变',
    reset: (command: string) => `恢复“${command}”的默认快捷键`,
    resetShort: '重置',
    resetAll: '恢复所有命令的默认快捷键',

    more: '其他按键',
    others: [
      ['Enter、Shift+Enter', '在消息框中：发送、换行'],
      ['/、@', '在消息框中：命令、文件'],
      ['方向键、Home、End', '在列表、树和选项卡中，以及窗格边缘的分隔线上'],
      ['先 Escape 后 Tab', '离开终端或文件的文本'],
      ['Tab、Shift+Tab', '移到下一项、上一项'],
    ],
  },
  pane: {
    width: { sidebar: '会话列表的宽度', workbench: '工作台的宽度' },
    fill: {
      sessions: '最大化会话列表',
      chat: '最大化对话',
      workbench: '最大化工作台',
    },
    unfill: '重新显示所有窗格',
    layouts: {
      all: { name: '所有窗格', about: '恢复上次的布局' },
      talking: { name: '对话', about: '仅显示对话' },
      reviewing: { name: '审阅', about: '更改，旁边是较窄的对话' },
      watching: { name: '观察', about: '检查器或日志与对话并排' },
    },
    hint: '拖动，或使用方向键。双击可恢复默认宽度。',
    pixels: (width: number) => `${width} 像素`,
  },
  session: {
    pinned: '已置顶',
    pin: '置顶',
    unpin: '取消置顶',
    archive: '归档',
    unarchive: '放回列表',
    archived: (count: number) => `已归档 (${count})`,
    isArchived: '已归档',
    noArchived: '没有已归档的会话。',
    newHere: '在此新建会话',
    states: {
      waiting: '等待你处理',
      paused: '已暂停',
      working: '工作中',
      failed: '失败',
      interrupted: '已中断',
      unseen: '有更新',
    },
    count: (count: number) => `${count} 个会话`,
    opening: '正在启动',
    elsewhere: '在另一个标签页中',
    broken: '失败',
  },
  markdown: {
    picture: '图片',
    remotePicture: (name: string, host: string) => `${name || '图片'}（位于 ${host} 的图片，未加载）`,
    noPicture: (name: string, why: string) => `${name}（${why}）`,
    pictureMissing: '不在工作区中',
    pictureTooLarge: '太大，无法在此显示',
    pictureNotImage: '不是可以显示的图片',
    table: '表格',
    copyMarkdown: '复制为 Markdown',
    copyCSV: '复制为 CSV',
    copied: '已复制',
    diagram: '图表',
    drawing: '正在绘制图表',
    showSource: '显示源代码',
    showDiagram: '显示图表',
    noDiagram: (why: string) => `无法绘制图表：${why}`,
  },
} satisfies FrameTexts;
