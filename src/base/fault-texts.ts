/**
 * The sentences of faults of models: of servers, providers, OpenRouter, the browser and this tab. Faults and the log have them in English; the catalogues of the page's other
 * languages translate them by these very texts. `{name}` stands for a word, `{name*}` for any text.
 */
export const FAULT_TEXTS = {
  offline: 'The browser has no network connection.',
  goOnline: 'Connect to the network, then try again.',
  localNetwork: 'The browser does not let this page reach this computer or the local network.',
  allowLocal:
    'Allow "Local network access" for {origin} in the site settings beside the address, then try again.',
  mixedContent: 'A page served over https may not call a server over http.',
  cors: '{host} answers, but does not allow this page to read it (CORS).',
  unclear:
    '{host} gave no answer that this page can read. The server is down, or does not allow this page (CORS).',
  startOrAllow: '{start*} If it runs: {allow*}',
  unreachable: '{host} cannot be reached: nothing answers there.',
  unreachableBecause: '{host} cannot be reached: nothing answers there ({why*}).',

  allowOllama: 'Start Ollama with this page allowed: OLLAMA_ORIGINS={origin} ollama serve',
  allowLMStudio:
    'In LM Studio, Developer → Server settings, switch on "Enable CORS", or start it with: lms server start --cors',
  allowVLLM: 'Start vLLM with this page allowed: vllm serve {model} --allowed-origins \'["{origin}"]\'',
  allowJan:
    'In Jan, Settings → Local API server, switch on "Cross-Origin Resource Sharing (CORS)", then restart the server.',
  allowsPages:
    '{provider*} usually allows pages. A proxy, a content blocker or a regional block can cause this.',
  allowOrigin:
    'The server must answer with "Access-Control-Allow-Origin: {origin}" and allow the request headers authorization and content-type. If it should already, check the base URL.',
  startOllama: 'Start Ollama: ollama serve',
  startOllamaFor: 'Start Ollama: OLLAMA_ORIGINS={origin} ollama serve',
  startLMStudio: 'Start LM Studio’s server: Developer → Start server, with "Enable CORS" on.',
  startVLLM: 'Start vLLM: vllm serve MODEL',
  startLlamaCpp: 'Start llama.cpp’s server: llama-server -m MODEL.gguf --jinja',
  startJan: 'Start Jan’s server: Settings → Local API server → Start server.',
  checkAddress:
    'Check the base URL in Settings and the connection; a content blocker may also stop the request.',
  startServer: 'Start the server at {host}, or correct the base URL in Settings.',

  noMessage: 'The server refused the request without a message.',
  organization:
    'This Anthropic organisation forbids calls from a browser. Use a key of another organisation or workspace, or ask its administrator to allow browser access.',
  checkBalance: 'Check the balance and limits of the {provider*} account.',
  checkKey: 'Check the API key for {provider*} in Settings.',
  checkKeyMadeAt: 'Check the API key for {provider*} in Settings. Keys are made at {url}.',
  forbidden:
    'The key is valid but not allowed to do this. Check its permissions and whether the service is available in your region. {key*}',
  tooLong:
    'The conversation is longer than the model can read. Summarize it, start a new session, or choose a model with a larger context.',
  noPictures: 'This model cannot see pictures. Send the message without them, or choose another model.',
  wait: 'Wait a little and try again, or choose another model.',
  tryAnother: 'Try again, or choose another model.',
  nothingHere:
    'The server has nothing at this address. Check the base URL in Settings; it usually ends in /v1.',
  pull: 'Run `ollama pull {model}`, or choose another model in Settings.',
  otherModel: 'Choose another model than "{model*}" in Settings.',
  noTools: 'This model cannot call tools. Choose one that can.',
  rejected: 'The provider rejected the request. Choose another model, or start a new session.',

  stopped: 'The request was stopped.',
  timedOut: 'The server did not answer in time.',
  checkRuns: 'Check that the server is running and the model is loaded, then try again.',
  unsendable: 'The request could not be made: {message*}',
  otherOrNew: 'Choose another model, or start a new session.',
  failed: 'The model call failed.',
  malformed: 'The server sent something that is not part of the protocol: {message*}',
  checkCompatible:
    'Try again; if it keeps happening, check that the base URL is that of a compatible server.',
  cut: 'The answer was cut off before the model had finished.',
  checkConnection: 'Try again; if it keeps happening, check the connection and the provider’s status page.',
  windowFull: 'The conversation and the answer together exceed the model’s context window.',
  largerContext: 'Start a new session, or choose a model with a larger context.',
  webPage: 'The server answered with a web page instead of a model’s answer.',
  checkBaseURL: 'Check the base URL in Settings; it usually ends in /v1.',
  notAStream: 'The server answered with a single JSON value instead of a stream.',

  status: 'The server answered with status {status}.',
  listCut: 'The answer was cut off.',
  notAList: 'The server’s answer is not a list of models: {details*}',
  checkBaseURLOrType:
    'Check the base URL in Settings; it usually ends in /v1. You can also type the model’s name.',
  notAnAddress: '"{address*}" is not an address.',
  noAddress: 'There is no base URL for the {provider*}.',
  setAddress:
    'Set one in Settings that begins with https:// or http://, for example http://localhost:11434/v1.',
  noKey: 'There is no API key for {provider*}.',
  enterKey: 'Enter one in Settings. Keys are made at {url}.',
  scriptStatus: 'The script answers with status {status}.',
  noScript: 'There is no script to play.',
  loadScript: 'Load a script, or choose another model in Settings.',

  noModels: 'It answers, but has no models yet.',
  hangs: 'Something listens there, but did not answer in time.',
  stillLoading: 'If it is still loading a model, wait a little and look again.',
  firstOllama: 'Get one that can use tools, for example: ollama pull qwen3',
  firstLMStudio: 'Download one in LM Studio, load it, and look again.',
  firstLlamaCpp: 'Start it with a model: llama-server -m MODEL.gguf --jinja',
  firstVLLM: 'Start it with a model: vllm serve MODEL',
  firstJan: 'Download one in Jan, start it, and look again.',
  noList: 'What answers there is not a list of models.',
  otherProgram:
    'Another program may use this port. If {server*} listens at another one, choose the OpenAI-compatible server above and enter its base URL.',
  keyAbove: 'Choose the OpenAI-compatible server above, then {server*}, and enter the key that it asks for.',
  restart: 'Restart {server*}, then look again.',
  noAnswerWithin: 'The model did not answer within {seconds} seconds.',

  signInFailed: 'OpenRouter could not finish the sign-in: it answered with status {status}.',
  signInUnreachable: 'OpenRouter cannot be reached to finish the sign-in.',
  signInBlocked: 'Try again. If it repeats, a content blocker or a proxy may be in the way.',
  signInRefused: 'OpenRouter gave no permission: it was refused or cancelled there.',
  signInAllow: 'Sign in again and allow it, or paste a key.',
  unfetched: 'The model could not be fetched: {host} cannot be reached.',
  keepsWhatIsHere: 'Check the network, then go on. What is here already is kept.',
  fileRefused: '{host} answered {status} for {path*}.',
  endedEarly: '{path*} ended too early.',
  noFiles: 'These files are no model for this page: {files*} missing.',
  pickFolder: 'Pick the folder of a model as it is on Hugging Face, with its subfolder onnx.',
  noRoom: 'This browser has no room for the files of the model: {why*}',
  newerChrome: 'Chrome 148 or newer on a computer may have one. Choose another model in Settings.',
  needsRoom: 'It needs much free disk space and memory. Choose another model in Settings.',
  browserRefused: 'The browser refused its model: {why*}',
  browserFailed: 'The language model of this browser failed: {why*}',
  seeBrowserModel: 'Open Settings, Models, to see what this browser offers, or choose another model there.',
  /** Names that stand in other texts. */
  compatibleServer: 'OpenAI-compatible server',
  script: 'the script',
} as const;

export type FaultText = (typeof FAULT_TEXTS)[keyof typeof FAULT_TEXTS];

type Blank<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}`
  ? (Name extends `${infer Long}*` ? Long : Name) | Blank<Rest>
  : never;

/** One of the texts with its blanks filled. */
export function fill<const Text extends FaultText>(
  text: Text,
  values: Readonly<Record<Blank<Text>, string | number>>,
): string {
  const known: Readonly<Record<string, string | number>> = values;
  return text.replace(/\{(\w+)\*?\}/g, (blank, name: string) => String(known[name] ?? blank));
}
