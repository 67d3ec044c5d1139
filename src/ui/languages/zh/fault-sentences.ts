import type { FaultSentences } from '../faults.ts';

export const SENTENCES: FaultSentences = {
  'The browser has no network connection.': '浏览器没有网络连接。',
  'Connect to the network, then try again.': '请连接网络，然后重试。',
  'The browser does not let this page reach this computer or the local network.':
    '浏览器不允许此页面访问这台电脑或本地网络。',
  'Allow "Local network access" for {origin} in the site settings beside the address, then try again.':
    '请在地址旁边的网站设置中允许 {origin} 访问本地网络（“Local network access”），然后重试。',
  'A page served over https may not call a server over http.': '通过 https 打开的页面不能调用 http 服务器。',
  '{host} answers, but does not allow this page to read it (CORS).':
    '{host} 有回应，但不允许此页面读取（CORS）。',
  '{host} gave no answer that this page can read. The server is down, or does not allow this page (CORS).':
    '{host} 没有给出此页面能读取的回应。服务器没有运行，或者不允许此页面访问（CORS）。',
  '{start*} If it runs: {allow*}': '{start*} 如果它已在运行：{allow*}',
  '{host} cannot be reached: nothing answers there.': '无法连接 {host}：那里没有任何回应。',
  '{host} cannot be reached: nothing answers there ({why*}).':
    '无法连接 {host}：那里没有任何回应（{why*}）。',
  'Start Ollama with this page allowed: OLLAMA_ORIGINS={origin} ollama serve':
    '请这样启动 Ollama，使它允许此页面：OLLAMA_ORIGINS={origin} ollama serve',
  'In LM Studio, Developer → Server settings, switch on "Enable CORS", or start it with: lms server start --cors':
    '在 LM Studio 的“Developer”→“Server settings”中打开“Enable CORS”，或者用此命令启动：lms server start --cors',
  'Start vLLM with this page allowed: vllm serve {model} --allowed-origins \'["{origin}"]\'':
    '请这样启动 vLLM，使它允许此页面：vllm serve {model} --allowed-origins \'["{origin}"]\'',
  'In Jan, Settings → Local API server, switch on "Cross-Origin Resource Sharing (CORS)", then restart the server.':
    '在 Jan 的“Settings”→“Local API server”中打开“Cross-Origin Resource Sharing (CORS)”，然后重启服务器。',
  '{provider*} usually allows pages. A proxy, a content blocker or a regional block can cause this.':
    '{provider*} 通常允许页面访问。原因可能是代理、内容拦截器或地区限制。',
  'The server must answer with "Access-Control-Allow-Origin: {origin}" and allow the request headers authorization and content-type. If it should already, check the base URL.':
    '服务器必须以“Access-Control-Allow-Origin: {origin}”回应，并允许请求头 authorization 和 content-type。如果已经如此，请检查基础 URL。',
  'Start Ollama: ollama serve': '请启动 Ollama：ollama serve',
  'Start Ollama: OLLAMA_ORIGINS={origin} ollama serve': '请启动 Ollama：OLLAMA_ORIGINS={origin} ollama serve',
  'Start LM Studio’s server: Developer → Start server, with "Enable CORS" on.':
    '请启动 LM Studio 的服务器：“Developer”→“Start server”，并打开“Enable CORS”。',
  'Start vLLM: vllm serve MODEL': '请启动 vLLM：vllm serve MODEL',
  'Start llama.cpp’s server: llama-server -m MODEL.gguf --jinja':
    '请启动 llama.cpp 的服务器：llama-server -m MODEL.gguf --jinja',
  'Start Jan’s server: Settings → Local API server → Start server.':
    '请启动 Jan 的服务器：“Settings”→“Local API server”→“Start server”。',
  'Check the base URL in Settings and the connection; a content blocker may also stop the request.':
    '请检查设置中的基础 URL 和网络连接；内容拦截器也可能拦下请求。',
  'Start the server at {host}, or correct the base URL in Settings.':
    '请启动 {host} 上的服务器，或者在设置中改正基础 URL。',
  'The server refused the request without a message.': '服务器拒绝了请求，没有说明原因。',
  'This Anthropic organisation forbids calls from a browser. Use a key of another organisation or workspace, or ask its administrator to allow browser access.':
    '这个 Anthropic 组织禁止从浏览器调用。请使用其他组织或工作区的密钥，或者请管理员允许浏览器访问。',
  'Check the balance and limits of the {provider*} account.': '请检查 {provider*} 账户的余额和限额。',
  'Check the API key for {provider*} in Settings.': '请在设置中检查 {provider*} 的 API 密钥。',
  'Check the API key for {provider*} in Settings. Keys are made at {url}.':
    '请在设置中检查 {provider*} 的 API 密钥。密钥可在 {url} 创建。',
  'The key is valid but not allowed to do this. Check its permissions and whether the service is available in your region. {key*}':
    '密钥有效，但无权这样做。请检查它的权限，以及你所在的地区能否使用该服务。{key*}',
  'The conversation is longer than the model can read. Summarize it, start a new session, or choose a model with a larger context.':
    '请生成摘要、新建会话，或者选择上下文更大的模型。',
  'This model cannot see pictures. Send the message without them, or choose another model.':
    '请不带图片发送消息，或者选择其他模型。',
  'Wait a little and try again, or choose another model.': '请稍等片刻再试，或者选择其他模型。',
  'Try again, or choose another model.': '请重试，或者选择其他模型。',
  'The server has nothing at this address. Check the base URL in Settings; it usually ends in /v1.':
    '服务器在这个地址上没有内容。请检查设置中的基础 URL；它通常以 /v1 结尾。',
  'Run `ollama pull {model}`, or choose another model in Settings.':
    '请运行 `ollama pull {model}`，或者在设置中选择其他模型。',
  'Choose another model than "{model*}" in Settings.': '请在设置中选择“{model*}”以外的模型。',
  'This model cannot call tools. Choose one that can.': '此模型不能调用工具。请选择能调用工具的模型。',
  'The provider rejected the request. Choose another model, or start a new session.':
    '请选择其他模型，或者新建会话。',
  'The request was stopped.': '请求已停止。',
  'The server did not answer in time.': '服务器没有及时回应。',
  'Check that the server is running and the model is loaded, then try again.':
    '请确认服务器正在运行且模型已加载，然后重试。',
  'The request could not be made: {message*}': '无法生成请求：{message*}',
  'Choose another model, or start a new session.': '请选择其他模型，或者新建会话。',
  'The model call failed.': '模型调用失败。',
  'The server sent something that is not part of the protocol: {message*}':
    '服务器发来的内容不符合协议：{message*}',
  'Try again; if it keeps happening, check that the base URL is that of a compatible server.':
    '请重试；如果一直如此，请确认基础 URL 属于兼容的服务器。',
  'The answer was cut off before the model had finished.': '模型还没说完，回答就中断了。',
  'Try again; if it keeps happening, check the connection and the provider’s status page.':
    '请重试；如果一直如此，请检查网络连接和提供商的状态页面。',
  'The conversation and the answer together exceed the model’s context window.':
    '对话和回答加起来超出了模型的上下文。',
  'Start a new session, or choose a model with a larger context.': '请新建会话，或者选择上下文更大的模型。',
  'The server answered with a web page instead of a model’s answer.': '服务器返回的是网页，不是模型的回答。',
  'Check the base URL in Settings; it usually ends in /v1.': '请检查设置中的基础 URL；它通常以 /v1 结尾。',
  'The server answered with a single JSON value instead of a stream.': '服务器返回的是单个 JSON 值，不是流。',
  'The server answered with status {status}.': '服务器返回了状态码 {status}。',
  'The answer was cut off.': '回应中断了。',
  'The server’s answer is not a list of models: {details*}': '服务器的回应不是模型列表：{details*}',
  'Check the base URL in Settings; it usually ends in /v1. You can also type the model’s name.':
    '请检查设置中的基础 URL；它通常以 /v1 结尾。也可以直接输入模型名称。',
  '"{address*}" is not an address.': '“{address*}”不是地址。',
  'There is no base URL for the {provider*}.': '没有填写{provider*}的基础 URL。',
  'Set one in Settings that begins with https:// or http://, for example http://localhost:11434/v1.':
    '请在设置中填写以 https:// 或 http:// 开头的地址，例如 http://localhost:11434/v1。',
  'There is no API key for {provider*}.': '没有 {provider*} 的 API 密钥。',
  'Enter one in Settings. Keys are made at {url}.': '请在设置中填写。密钥可在 {url} 创建。',
  'The script answers with status {status}.': '脚本返回了状态码 {status}。',
  'There is no script to play.': '没有可以播放的脚本。',
  'Load a script, or choose another model in Settings.': '请加载脚本，或者在设置中选择其他模型。',
  'It answers, but has no models yet.': '服务器有回应，但还没有模型。',
  'Something listens there, but did not answer in time.': '那里有程序在运行，但没有及时回应。',
  'If it is still loading a model, wait a little and look again.': '如果它还在加载模型，请稍等片刻再查找。',
  'Get one that can use tools, for example: ollama pull qwen3':
    '请获取一个会用工具的模型，例如：ollama pull qwen3',
  'Download one in LM Studio, load it, and look again.': '请在 LM Studio 中下载并加载一个模型，然后再查找。',
  'Start it with a model: llama-server -m MODEL.gguf --jinja':
    '请带模型启动：llama-server -m MODEL.gguf --jinja',
  'Start it with a model: vllm serve MODEL': '请带模型启动：vllm serve MODEL',
  'Download one in Jan, start it, and look again.': '请在 Jan 中下载并启动一个模型，然后再查找。',
  'What answers there is not a list of models.': '那里返回的不是模型列表。',
  'Another program may use this port. If {server*} listens at another one, choose the OpenAI-compatible server above and enter its base URL.':
    '这个端口可能被其他程序占用。如果 {server*} 使用别的端口，请在上面选择兼容 OpenAI 的服务器并填写它的基础 URL。',
  'Choose the OpenAI-compatible server above, then {server*}, and enter the key that it asks for.':
    '请在上面选择兼容 OpenAI 的服务器，再选择 {server*}，并填写它要求的密钥。',
  'Restart {server*}, then look again.': '请重启 {server*}，然后再查找。',
  'The model did not answer within {seconds} seconds.': '模型在 {seconds} 秒内没有回答。',
  'OpenRouter could not finish the sign-in: it answered with status {status}.':
    'OpenRouter 无法完成登录：它返回了状态码 {status}。',
  'OpenRouter cannot be reached to finish the sign-in.': '无法连接 OpenRouter，登录不能完成。',
  'Try again. If it repeats, a content blocker or a proxy may be in the way.':
    '请重试。如果一直如此，可能是内容拦截器或代理造成的。',
  'OpenRouter gave no permission: it was refused or cancelled there.':
    'OpenRouter 没有授权：登录在那里被拒绝或取消了。',
  'Sign in again and allow it, or paste a key.': '请重新登录并授权，或者粘贴密钥。',
  'The model could not be fetched: {host} cannot be reached.': '无法获取模型：无法连接 {host}。',
  'Check the network, then go on. What is here already is kept.': '请检查网络，然后继续。已有的部分会保留。',
  '{host} answered {status} for {path*}.': '{host} 对 {path*} 返回了 {status}。',
  '{path*} ended too early.': '{path*} 提前结束了。',
  'These files are no model for this page: {files*} missing.': '这些文件不是此页面可用的模型。缺少：{files*}',
  'Pick the folder of a model as it is on Hugging Face, with its subfolder onnx.':
    '请选择与 Hugging Face 上一致的模型文件夹，其中包含子文件夹 onnx。',
  'This browser has no room for the files of the model: {why*}': '浏览器没有空间存放模型文件：{why*}',
  'Chrome 148 or newer on a computer may have one. Choose another model in Settings.':
    '电脑上的 Chrome 148 或更新版本可能自带模型。请在设置中选择其他模型。',
  'It needs much free disk space and memory. Choose another model in Settings.':
    '它需要大量可用磁盘空间和内存。请在设置中选择其他模型。',
  'The browser refused its model: {why*}': '浏览器拒绝提供它的模型：{why*}',
  'The language model of this browser failed: {why*}': '此浏览器的语言模型出错了：{why*}',
  'Open Settings, Models, to see what this browser offers, or choose another model there.':
    '请打开“设置”的“模型”，查看此浏览器提供什么，或在那里选择其他模型。',
  'OpenAI-compatible server': '兼容 OpenAI 的服务器',
  'the script': '脚本',
};
