/** The page is attached to test reports, which are in English, so it is too. */
export const reportWords = {
  inspector: 'Inspector',
  views: 'Views',
  reason: 'Why it failed',
  whole: 'In the whole app, where it can also run for real:',
  copy: 'Copy the command',
  save: 'Save the recording',
  notRebuilt: 'This page does not build it again; the whole app does.',
  failed: 'The recording cannot be shown.',
} as const;
