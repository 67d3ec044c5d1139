import { bytes } from '../../format.ts';
import type { GlassTexts } from '../catalogue.ts';
import { formatNumber } from '../numbers.ts';

export const share = {
  title: '分享',
  about: '拥有链接或文件的人可以看到这里列出的内容，无需安装，也不需要密钥。',
  aboutLesson: '拥有链接的人可以学习这一课，无需安装，也不需要密钥。',
  preparing: '正在准备',
  stages: {
    reading: '正在读取会话…',
    writing: '正在写入文件…',
    linking: '正在生成链接…',
  },
  goesAlong: '分享的内容',
  always: (messages: number, calls: number) =>
    `${formatNumber(messages)} 条消息和 ${formatNumber(calls)} 次工具调用，包括参数和结果`,
  parts: {
    files: (n: number) => `文件：${formatNumber(n)} 个，开始时和每次调用之后的样子`,
    outputs: (n: number) => `长输出的全文：${formatNumber(n)} 份`,
    pictures: (n: number) => `图片和附件：${formatNumber(n)} 个`,
    requests: (n: number) => `发送给模型的内容：${formatNumber(n)} 个请求`,
    preview: (n: number) => `预览报告的内容：${formatNumber(n)} 行`,
  },
  filesStay: '智能体读取或写入的内容仍会出现在它的调用中。',
  secrets: (n: number) =>
    n === 0 ? '没有识别到密钥或令牌。' : `密钥和令牌已被移除：有 ${formatNumber(n)} 处换成了“[secret]”。`,
  notRecognized: '文件中的姓名、地址和密码无法识别。',
  look: '预览别人会看到什么',
  link: '链接',
  linkHint: '所有内容都在链接本身里。不会上传任何东西。',
  linkNames: '链接中写的是课程的名称，课程随 Vitrine 提供。',
  copyLink: '复制链接',
  copyEmbed: '复制嵌入代码',
  copiedEmbed: '已复制代码。它可在其他页面中显示此内容。',
  send: '发送链接',
  copied: '已复制链接。',
  length(n: number): string {
    const characters = `${formatNumber(n)} 个字符`;
    if (n <= 2_000) return `${characters}：常用聊天工具可以容纳。`;
    return `${characters}：对常用聊天工具来说太长，它们每条消息只容纳 ${formatNumber(2_000)} 到 ${formatNumber(4_000)} 个字符。请在那里分享文件。`;
  },
  leftOut: {
    between: '为了放得下，链接不含调用之间的文件。',
    later: '为了放得下，链接不含开始之后文件的变化。',
    edits: '为了放得下，链接不含开始之后文件的变化和编辑过的请求。',
    prompts: '为了放得下，链接不含开始之后文件的变化和发送给模型的内容。',
  },
  fileLacks: (files: string) => `文件中放不下：${files}。`,
  linkLacks: (files: string) => `链接中放不下：${files}。`,
  largest: (files: string) => `占用空间最多的是：${files}。`,
  tooLong: '内容太长，放不进链接。请在上面去掉更多内容，或分享文件。',
  file: '文件',
  save: (size: number) => `保存文件（${bytes(size)}）`,
  fileHint: (open: string, menu: string, beside: string) =>
    `在“${beside}”旁边的菜单“${menu}”中用“${open}”打开，或拖到页面上。`,
  address: '地址',
  addressHint: '把文件放到其他网站可以读取（CORS）的服务器上，然后分享指向它的这个链接。',
  copyAddress: '复制指向此地址的链接',
  copyEmbedAddress: '复制嵌入此地址的代码',
  addressField: '文件的地址',
  platform: '学习平台（cmi5）',
  platformHint: '平台的管理者把此文件作为学习课程导入。学习者在那里阅读这节课，进度会报告给平台。',
  platformReach: {
    computer: (host: string) =>
      `文件指向 ${host}，也就是这台电脑：其他地方的学习者无法打开这节课。请从网上的 Vitrine 保存。`,
    network: (host: string) =>
      `文件指向 ${host}：只有同一网络中的学习者能打开这节课。要让所有人都能打开，请从网上的 Vitrine 保存。`,
  },
  saveCourse: '保存 cmi5.xml',
  notAnAddress: '请写完整的地址，以 https:// 开头。',
  reach: {
    computer: (host: string) =>
      `链接指向 ${host}，也就是这台电脑：其他人无法打开。要让别人能打开链接，请从网上的 Vitrine 分享。`,
    network: (host: string) =>
      `链接指向 ${host}：只有同一网络中的设备能打开。要让所有人能打开链接，请从网上的 Vitrine 分享。`,
  },
  fileInstead: '文件在任何 Vitrine 中都能打开。',
  tooBig: '全部内容超过 20 MB，超出录制的上限。请在上面去掉更多内容：文件和图片占用的空间最多。',
  tooBigEven: (save: string) => `超过 20 MB，超出录制的上限。会话菜单中的“${save}”可把对话保存为文本。`,
} satisfies GlassTexts['share'];
