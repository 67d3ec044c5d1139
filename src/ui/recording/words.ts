/** What the page says about recordings; fetched with them. */
export const recordingWords = {
  fileName: 'recording',
} as const;
