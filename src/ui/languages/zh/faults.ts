import type { FaultSummaries } from '../../conversation/fault-words.ts';
import { faultsIn } from '../faults.ts';
import { SENTENCES } from './fault-sentences.ts';

const SUMMARIES: FaultSummaries = {
  'no-key': {
    what: '此提供商没有 API 密钥。',
    next: '请在“设置”的“模型”中填写。',
  },
  'no-model': {
    what: '尚未选择模型。',
    next: '请在“设置”的“模型”中选择。',
  },
  auth: {
    what: '提供商没有接受 API 密钥。',
    next: '请在“设置”的“模型”中检查密钥及其权限。',
  },
  quota: {
    what: '提供商账户的余额或配额已用完。',
    next: '请检查账户的余额和限额。',
  },
  'rate-limit': {
    what: '提供商暂时不再接受请求。',
    next: '请稍等片刻再发送消息，或选择其他模型。',
  },
  overloaded: {
    what: '提供商负载过高。',
    next: '请稍等片刻再发送消息，或选择其他模型。',
  },
  'server-error': {
    what: '提供商一侧出现错误。',
    next: '请稍等片刻再发送消息，或选择其他模型。',
  },
  offline: {
    what: '浏览器没有网络连接。',
    next: '请连接网络后再发送消息。',
  },
  unreachable: {
    what: '无法连接到服务器。',
  },
  cors: {
    what: '服务器有应答，但不允许此页面读取 (CORS)。',
  },
  'local-network': {
    what: '浏览器不允许此页面访问本地网络。',
  },
  'mixed-content': {
    what: '通过 https 打开的页面不能访问 http 服务器。',
    next: '请使用服务器的 https 地址，或从 http://localhost 打开 Vitrine。',
  },
  'context-overflow': {
    what: '对话超出了模型能读取的长度。',
    next: '请生成摘要、新建会话，或选择上下文更大的模型。',
  },
  'no-pictures': {
    what: '此模型无法看到图片。',
    next: '请不带图片发送消息，或选择其他模型。',
  },
  'model-not-found': {
    what: '提供商没有这个模型。',
  },
  'wrong-base-url': {
    what: '此基础 URL 上没有模型应答。',
    next: '请在“设置”的“模型”中检查基础 URL，它通常以 /v1 结尾。',
  },
  'bad-request': {
    what: '提供商拒绝了请求。',
  },
  'malformed-stream': {
    what: '服务器发送了不符合协议的内容。',
    next: '请再次发送消息；如果仍然出错，请检查基础 URL。',
  },
  'stream-cut': {
    what: '模型的回答中途断开。',
    next: '请再次发送消息。',
  },
  timeout: {
    what: '模型没有及时应答。',
    next: '请检查服务器是否在运行、模型是否已加载，然后重试。',
  },
  'answer-cut': {
    what: '回答达到模型的长度上限，被截断。',
    next: '请让模型分成更小的部分继续。',
  },
  'content-filter': {
    what: '提供商的内容过滤器中止了回答。',
    next: '请换一种说法，或使用其他模型。',
  },
  'call-missing': {
    what: '模型表示要调用工具，但没有发送调用。',
    next: '请再次发送消息；如果仍然出错，模型或其服务器可能不支持工具。',
  },
  'empty-answer': {
    what: '模型没有给出回答就结束了。',
    next: '请再次发送消息、换一种说法，或使用其他模型。',
  },
  'step-limit': {
    what: '智能体达到了单轮的步骤上限。',
    next: '发送一条消息即可让它继续。',
  },
  'provider-error': {
    what: '提供商返回了错误。',
    next: '请重新发送消息，或选择其他模型。',
  },
  'cors-organization': {
    what: '这个 Anthropic 组织禁止从浏览器调用。',
  },
  'model-failed': {
    what: '模型出错结束，没有说明是什么错误。',
    next: '请重试，或者选择其他模型。',
  },
  'no-models': {
    what: '服务器还没有模型。',
  },
  'no-script': {
    what: '没有可以播放的脚本。',
    next: '请加载脚本，或者在设置中选择其他模型。',
  },
  'browser-model-missing': {
    what: '此浏览器中还没有完整的这个模型。',
    next: '请在“设置”的“模型”页面下载；那里也会显示进度。',
  },
  'no-browser-model': {
    what: '此浏览器没有可在这里运行的自带语言模型。',
    next: '请在“设置”中选择其他模型。',
  },
  'no-summary': {
    what: '模型没有给出摘要。',
    next: '请重试，或选择其他模型。',
  },
  'script-exhausted': {
    what: '脚本没有对此请求的回答。',
    next: '请在脚本中添加这一步，或新建会话。',
  },
  'script-invalid': {
    what: '脚本无效。',
    next: '请更正；格式见 docs/automation.md。',
  },
  'recording-exhausted': {
    what: '录制中没有对此请求的回答：这次运行与录制的不同。',
    next: '要继续，请选择其他模型。',
  },
  'recording-invalid': {
    what: '这不是会话的录制。',
    next: '请打开在 Vitrine 中用“分享”生成的文件或链接。',
  },
  'recording-damaged': {
    what: '录制已损坏或不完整。',
    next: '没有打开任何内容。请重新索取链接或文件。',
  },
  'recording-unreachable': {
    what: '无法获取录制。',
    next: '请检查地址。服务器必须允许任何网站读取它：Access-Control-Allow-Origin: *',
  },
  'recording-missing': {
    what: '该地址上没有录制。',
    next: '请检查地址。',
  },
  'recording-version': {
    what: '此应用无法读取这个版本的录制。',
    next: '请用创建它的 Vitrine 版本打开。',
  },
  'recording-too-big': {
    what: '录制太大。',
    next: '在“分享”中，可以先去掉会话的文件和图片，再录制。',
  },
  'recording-address': {
    what: '录制必须来自 https 地址或本站。',
    next: '请将它放到支持 https 的服务器上，或作为文件打开。',
  },
  'lesson-unknown': {
    what: '没有这节课程。',
    next: '请从列表中选择。',
  },
  'lesson-invalid': {
    what: '无法读取此课程。',
    next: '请重新索取文件或链接。',
  },
  'too-many-lessons': {
    what: '你自己的课程已达到上限。',
    next: '请删除不再需要的课程。',
  },
  'part-unreachable': {
    what: '页面的一部分无法加载：其服务器无法访问。',
    next: '请检查网络，然后重试。',
  },
  'part-missing': {
    what: '页面的一部分无法加载。',
    next: '请重新加载页面。会话和草稿会保留。',
  },
  'session-not-found': {
    what: '此设备上没有这个会话。',
    next: '请从列表中选择。',
  },
  'workspace-unknown': {
    what: '此设备上没有这个工作区。',
    next: '请选择其他会话，或新建工作区。',
  },
  'workspace-elsewhere': {
    what: '另一个标签页正在写入此工作区。',
    next: '要在这里继续，请点击“接管”。',
  },
  'turn-runs': {
    what: '智能体仍在处理这些文件。',
  },
  'session-closed': {
    what: '此标签页现在只能读取会话：会话已在另一个标签页中打开。',
    next: '请重新打开它。',
  },
  'edit-lost': {
    what: '你写的文本已无法读取。',
  },
  'context-full': {
    what: '对话超出了模型的容量，生成摘要也无济于事。',
    next: '原因可能是一条很长的消息或一个很大的文件：请在新会话中少发送一些，或选择上下文更大的模型。',
  },
  'nothing-to-sum-up': {
    what: '还没有可以总结的内容。',
  },
  'snapshot-damaged': {
    what: '此文件快照的一部分已不再保存。',
  },
  'restore-runs': {
    what: '另一次恢复正在进行。',
  },
  'nothing-to-redo': {
    what: '没有可以重做的操作。',
    next: '撤销之后、下一条消息之前可以重做。',
  },
  'workspace-gone': {
    what: '工作区在此期间停止了。',
  },
  'webcontainer-off': {
    what: '此网站已关闭 WebContainers。',
    next: '请使用嵌入式工作区。',
  },
  'webcontainer-not-allowed': {
    what: 'StackBlitz 的 WebContainers 已在设置中关闭。',
    next: '请在设置中打开，或使用嵌入式工作区。',
  },
  'webcontainer-in-use': {
    what: '此页面唯一的 WebContainer 正被另一个工作区使用。',
    next: '请停止那里运行的程序，或在另一个标签页中打开此工作区。',
  },
  'sign-in-refused': {
    what: '登录被拒绝或已取消。',
  },
  'sign-in-used': {
    what: '这次 OpenRouter 登录已经完成，可能是在另一个标签页中。',
    next: '请关闭另一个标签页，并在这里重新登录。',
  },
  'sign-in-storage': {
    what: '浏览器不允许此页面存储任何内容，因此你返回时页面无法识别你。',
    next: '请在 openrouter.ai/settings/keys 创建密钥并粘贴。',
  },
  'sign-in-proof': {
    what: 'OpenRouter 不承认登录是由此标签页发起的 (PKCE)。',
    next: '请重新登录。如果再次出现，请粘贴密钥。',
  },
  'sign-in-other-tab': {
    what: '此标签页没有发起 OpenRouter 登录，或已经完成登录。',
    next: '请在发起登录的标签页中继续，或在这里重新登录。',
  },
  'sign-in-failed': {
    what: 'OpenRouter 无法完成登录。',
    next: '请重试。',
  },
  'sign-in-expired': {
    what: 'OpenRouter 不接受此次登录的代码：它已过期或已被使用。',
    next: '请重新登录。',
  },
  'sign-in-busy': {
    what: 'OpenRouter 暂时不再接受登录。',
    next: '请等一分钟后重试。',
  },
  'sign-in-answer': {
    what: 'OpenRouter 的应答中没有密钥。',
    next: '请在 openrouter.ai/settings/keys 创建密钥并粘贴。',
  },
  'no-free-model': {
    what: '你已登录，但 OpenRouter 没有列出能使用工具的免费模型。',
    next: '请在下面选择其他模型。',
  },
  'settings-invalid': {
    what: '模型设置无效。',
    next: '请在“设置”中更正。',
  },
  'no-recording': {
    what: '此处播放的录制已不再加载。',
    next: '请打开并重新播放，或在“设置”中选择其他模型。',
  },
  'no-room': {
    what: '浏览器没有空间存放模型文件。',
    next: '请删除其他模型或释放磁盘空间，然后继续。已下载的内容会保留。',
  },
  'model-refused': {
    what: '服务器没有提供模型的某个文件。',
    next: '请查看模型的页面：它可能已移动，或需要先同意条款。',
  },
  'model-incomplete': {
    what: '模型的某个文件没有下载完整。',
    next: '请继续下载。',
  },
  'browser-model-refused': {
    what: '浏览器拒绝提供其模型。',
  },
  'browser-model-filtered': {
    what: '浏览器拦下了其模型的回答。',
    next: '请换一种说法，或选择其他模型。',
  },
  'browser-model-failed': {
    what: '此浏览器的语言模型出错了。',
  },
  'language-unavailable': {
    what: '语言服务无法加载或出错了。',
    next: '请重试。',
  },
  'import-too-many': {
    what: '文件数量超过了一次可以添加的上限。',
    next: '请去掉可以重新生成的内容，例如 node_modules。',
  },
  'import-too-large': {
    what: '内容超过了一次可以添加的上限。',
    next: '请去掉大文件，或分批添加。',
  },
  'import-file-too-large': {
    what: '此文件太大。',
    next: '请去掉它或将其缩小。',
  },
  'import-stopped': {
    what: '你停止了添加。',
  },
  'folder-too-large': {
    what: '此文件夹的内容超过了工作区的容量。',
    next: '请选择其中的一个文件夹，或在其 .gitignore 中列出可以重新生成的内容。',
  },
  'storage-too-new': {
    what: '存储的数据由更新版本的 Vitrine 写入。',
  },
  'storage-full': {
    what: '浏览器没有剩余空间。',
  },
  'storage-unavailable': {
    what: '浏览器不允许此页面存储任何内容。',
  },
  'storage-lost': {
    what: '浏览器无法访问其存储。',
  },
};

export const fault = { shown: faultsIn(SUMMARIES, SENTENCES) };
