import { messages } from '../../languages/messages.ts';
import { formatNumber } from '../../languages/numbers.ts';

/** Texts about recordings, loaded with them. */
export const recordingWords = messages('recording', {
  fileName: 'recording',
  bar: 'Recording', // contract
  reading: 'Reading the recording…',
  saving: 'Saving the recording as a session…',
  play: 'Play', // contract
  pause: 'Pause', // contract
  position: 'Position', // contract
  speed: 'Speed', // contract
  times: (speed: number) => (speed === Infinity ? 'Max' : `${formatNumber(speed)}×`),
  clock: (moment: string, duration: string) => `${moment} of ${duration}`,
  recorded: (date: string) => `Recorded ${date}. You see recorded outputs; nothing runs.`,
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
  held: 'Paused by hand',
  edited: 'Edited at a pause',
  cover: 'About this recording', // contract
  more: 'More',
  moreAbout: 'More about this recording', // contract
  about: 'A recorded session of an AI agent, shown by Vitrine.',
  facts: (steps: number, calls: number, duration: string) =>
    `${steps} ${steps === 1 ? 'step' : 'steps'} · ${calls} ${calls === 1 ? 'tool call' : 'tool calls'} · ${duration}`,
  lacks: 'Not in this recording:',
  lacksParts: {
    files: (n: number) => (n > 0 ? `Files: ${n}` : 'Files'),
    outputs: (n: number) => `Full text of long outputs: ${n}`,
    pictures: (n: number) => `Pictures and attachments: ${n}`,
    requests: (n: number) => `What was sent to the model: ${n} ${n === 1 ? 'request' : 'requests'}`,
    preview: (n: number) => `What the preview reported: ${n} ${n === 1 ? 'line' : 'lines'}`,
  },
  lacksLater: 'Some of how the files changed later',
  /** `largest` names up to three of the `n` files, with their sizes. */
  lacksFiles(n: number, largest: readonly string[]): string {
    if (n === 1) return `1 file: ${largest.join(', ')}`;
    return `${n} files${n > largest.length ? ', the largest' : ''}: ${largest.join(', ')}`;
  },
  runLacks: {
    none: 'The files are not in this recording, so Run for real begins in an empty workspace: calls that need a file will fail or give another result.',
    some: 'Pictures and attachments are not in this recording, so with Run for real calls that need one will fail or give another result.',
  },
  goOnLacks: {
    none: 'The files are not in this recording, so you go on in an empty workspace.',
    some: 'Pictures and attachments are not in this recording, so you go on with the other files.',
    older:
      'Some later states of the files are not in this recording, so you go on with the newest ones that are.',
  },
  preview: 'This is a preview of what others will see.',
  backToShare: 'Back to Share', // contract
  inspect: 'Take it apart in the inspector',
  goOnEnd: 'Go on with your own model',
  goOnEndHint: 'In a new session, with the files and the conversation as they are at the end',
  above: (title: string) => (title ? `Back to ${title}` : 'Back'),
  notRecorded: 'That session is not in the recording.',
  actions: 'Recording actions',
  download: 'Download',
  save: 'Save as a session',
  makeScript: 'Make a script',
  leftOut: (paths: readonly string[]) =>
    `Not in the recording, because .gitignore or a fixed list leaves it out: ${paths.slice(0, 3).join(', ')}${paths.length > 3 ? ` and ${paths.length - 3} more` : ''}.`,
  runReal: 'Run for real', // contract
  runRealHint: 'In a new workspace: the tools really run, and ask you as usual',
  run: 'Recording run for real', // contract
  runsReal: 'Live run:',
  pausedReal: 'Live run, paused:',
  pauseHint: 'The model waits until you continue. A running tool finishes.',
  ranReal: 'Live run, finished:',
  compared(same: number, differs: number, toCome: number, notMade: number): string {
    const all = same + differs + toCome + notMade;
    const calls = `${same} of ${all} ${all === 1 ? 'call' : 'calls'} match the recording`;
    const other = differs > 0 ? `, ${differs} ${differs === 1 ? 'differs' : 'differ'}` : '';
    return `${calls}${other}${toCome > 0 ? `, ${toCome} to come` : ''}${notMade > 0 ? `, ${notMade} not made` : ''}.`;
  },
  showDifferences: 'Show differences', // contract
  differences: 'Differences from the recording', // contract
  differencesHint:
    'Every recorded call, and what happened this time. Times that a program measured count as equal. In a diff, − is recorded and + is live.',
  states: { same: 'Same', differs: 'Different', 'to-come': 'To come', 'not-made': 'Not made' },
  step: (number: number) => `step ${number}`,
  stepOfTask: (number: number) => `step ${number} of a sub-agent`,
  editedAgain: 'edited as recorded',
  outcomes: (then: string, now: string) => `Recorded: ${then}. Now: ${now}.`,
  unfinished: 'not ended',
});
