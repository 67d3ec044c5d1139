/** What the page says about recordings; fetched with them. */
export const recordingWords = {
  fileName: 'recording',
  bar: 'Recording', // contract
  play: 'Play', // contract
  pause: 'Pause', // contract
  position: 'Position', // contract
  speed: 'Speed', // contract
  times: (speed: number) => (speed === Infinity ? 'Max' : `${speed}×`),
  clock: (moment: string, duration: string) => `${moment} of ${duration}`,
  recorded: (date: string) => `Recorded ${date}. What you see are its recorded outputs; nothing is run.`,
  asked: (permission: string, what: string) => `Asked for permission: ${permission} ${what}`,
  askedPerson: (question: string) => `Asked: ${question}`,
  answered: {
    once: 'Allowed once',
    session: 'Allowed for the session',
    always: 'Always allowed',
    everywhere: 'Allowed everywhere',
    reject: 'Denied',
  },
  answeredWith: (answer: string) => `Answered: ${answer}`,
  dismissed: 'The question was dismissed',
  actions: 'Recording actions',
  copyLink: 'Copy link',
  copied: 'The link was copied. Whoever has it sees the whole recording.',
  download: 'Download',
  save: 'Save as a session',
} as const;
