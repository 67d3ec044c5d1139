import { messages } from '../../languages/messages.ts';

/** Texts of the browser's own model in the settings. */
export const browserModelWords = messages('browserModel', {
  heading: 'In this browser',
  hint: 'Some browsers bring a small language model of their own. It runs on this computer: nothing is sent to anybody, it needs no key, and it works without a network.',
  expect:
    'It reads little and gets only four tools. Small models often use tools wrongly; how good this one is has not been measured.',
  states: {
    none: 'This browser has no such model that pages can use. Chrome 148 or newer on a computer may have one.',
    unavailable:
      'This browser has such a model, and says that it cannot run here. Chrome asks for 22 GB of free disk space, and for 16 GB of memory or a graphics card with more than 4 GB.',
    downloadable:
      'This browser has such a model and would download it first. It does not tell how large it is; Chrome asks for 22 GB of free disk space. It is used under the terms of the browser’s maker.',
    downloading: 'The browser is downloading the model.',
    available:
      'The model is here. It belongs to the browser, which shares it between sites and removes it in its own settings.',
  },
  looking: 'Asking the browser …',
  download: 'Download it',
  join: 'Show the download',
  stop: 'Stop waiting',
  progress: 'Download of the model',
  percent: (percent: number) => `${percent} %`,
  use: 'Use the model of this browser',
  used: 'Prompts go to the model of this browser now.',
});
