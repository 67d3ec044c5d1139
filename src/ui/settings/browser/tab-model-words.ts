import { messages } from '../../languages/messages.ts';

/** Texts of the models that run in the tab. */
export const tabModelWords = messages('tabModels', {
  heading: 'Small open models in this tab',
  hint: 'The page itself can run a small open model, in a frame that has no network and none of your data. Its files are fetched once from huggingface.co and stay in this browser; after that nothing is sent to anybody, and it works offline.',
  expect:
    'Expect little: such models often use tools wrongly, get only four of them, and forget what is long. Nobody has measured how good these are here. Each step reads the whole conversation again, which can take minutes on a processor.',
  onGraphics:
    'A graphics card was found here and will be used. That has not been tried by those who made this page.',
  onProcessor: 'No graphics card that models can use was found, so a processor core does the work, slowly.',
  list: 'Models to fetch',
  facts: (millions: string, megabytes: string, licence: string, memory: string) =>
    `${millions} million parameters; ${megabytes} MB to fetch; about ${memory} GB of memory while it runs (estimated); licence ${licence}`,
  unverified: 'Sizes and licences as the publishers’ pages gave them; not checked here.',
  page: (name: string) => `Page of ${name}`,
  download: (name: string) => `Fetch ${name}`,
  goOn: (name: string) => `Go on fetching ${name}`,
  stop: 'Pause',
  progress: (name: string) => `Download of ${name}`,
  amount: (done: string, total: string) => `${done} of ${total}`,
  kept: 'Models in this browser',
  partly: (size: string) => `${size} so far`,
  use: (name: string) => `Use ${name}`,
  used: (name: string) => `Prompts go to ${name} in this tab now.`,
  remove: (name: string) => `Remove ${name}`,
  removed: (name: string) => `${name} is removed from this browser.`,
  own: 'Files of your own',
  ownHint:
    'A folder with a model as on Hugging Face: config.json, tokenizer.json, tokenizer_config.json and onnx/model….onnx. The files are copied into this browser; nothing is sent.',
  folder: 'Pick the folder of a model',
  files: 'Or pick its files, where folders cannot be picked',
  taken: 'The model is in this browser now.',
});
