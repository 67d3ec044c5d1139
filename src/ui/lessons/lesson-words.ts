import type { Check } from '../../lessons/checks.ts';
import type { Mode } from '../../permissions/modes.ts';
import { messages } from '../languages/messages.ts';
import { words } from '../words.ts';

/** Texts about lessons, other than those in the lessons themselves. */
export const lessonWords = messages('lesson', {
  /** Describes a check as a sentence; unused where its author wrote one, in `label`. */
  sentence: sentenceOf,
  title: 'Lessons',
  about: 'Each lesson has its own workspace and session. The model is scripted; the tools really run.',
  /** The answer of the scripted model to a message that its script does not know. */
  unknownMessage:
    "I am the scripted model of this lesson: I can only answer this lesson's own messages. Press *Use this message* in the lesson beside this and send it as it is, or press *Start again* there. To chat freely, open a new session with your own model.",
  /** The name of a lesson's workspace. */
  workspace: (title: string) => `Lesson: ${title}`,
  loading: 'Loading',
  close: 'Close lessons',
  back: 'All lessons',
  minutes: (n: number) => `${n} min`,
  steps: (done: number, of: number) => `${done} of ${of} ${of === 1 ? 'step' : 'steps'}`,
  finished: 'Done',
  notBegun: 'Not started',
  bundled: 'Lessons of the app',
  own: 'Your lessons',
  write: 'Write a lesson',
  openFile: 'Open a lesson file',
  lessonFile: 'Lesson file',
  edit: 'Edit',
  copy: 'Make a copy to edit',
  remove: 'Delete',
  removed: (title: string) => `Deleted “${title}”.`,
  actions: (title: string) => `Actions for ${title}`,
  tryAgain: 'Try again',

  stepList: 'Steps',
  stepOf: (n: number, of: number) => `Step ${n} of ${of}`,
  done: 'Done',
  later: 'Later',
  message: 'Message to send',
  take: 'Use this message',
  checks: 'To do',
  met: 'done:',
  open: 'to do:',
  hint: 'Show a hint',
  nextHint: 'Show another hint',
  hints: 'Hints',
  answer: 'Your answer',
  check: 'Check',
  wrong: 'Not quite. Look again.',
  wrongWithHints: 'Not quite. Look again, or take a hint.',
  goOn: 'Next step',
  /** Said beside the conversation while the lesson is not in view. */
  stepDone: (n: number, of: number) => `Step ${n} of ${of} is done.`,
  unfinished: 'Not everything in this step is done.',
  asks: 'The lesson has a question for you.',
  toLesson: 'Back to the lesson',
  aboutRequest: 'The lesson says more about this request.',
  toChat: 'Go to the chat',
  pressSend: 'The lesson’s message is in the box. Press Send.',
  stalled:
    'The turn has ended, but not everything here is done. Send the message again, or press Start again below.',
  /** In place of `stalled` where a rule allowed what a step wants to be asked about. */
  ruled:
    'A rule allowed this, so you were not asked. To be asked, remove the rule in Settings, under Permissions, and press Start again below. Or go on without it.',
  /** In place of `ruled` where the mode did. */
  ruledByMode: (mode: Mode) =>
    `The mode is “${words.modes[mode].name}”, so you were not asked. To be asked, press Start again below, which sets it back. Or go on without it.`,
  restart: 'Start again',
  restartHint:
    'Makes a new workspace and session; the old ones are removed, and so is what you allowed everywhere in this lesson.',
  toSession: 'Back to the session of this lesson',
  elsewhere: 'You are looking at another session.',
  small: {
    looking: 'Looking for a small model in this browser…',
    none: 'No small model is in this browser.',
    found: (n: number) =>
      n === 1 ? 'A small model is in this browser.' : `${n} small models are in this browser.`,
    ofBrowser: 'The model of this browser',
    use: (name: string) => `Let it answer: ${name}`,
    answers: (name: string) => `This model answers your messages now: ${name}`,
    back: 'Back to the script',
    watch: 'Watch a recording',
    settings: 'Get one in Settings',
  },
  complete: 'Lesson complete.',
  next: (title: string) => `Next: ${title}`,
  allDone: 'That was the last one. Now let an agent with a model of your own do something for you.',
  announce: (n: number, of: number, title: string) => `Step ${n - 1} done. Step ${n} of ${of}: ${title}`,
  announceEnd: 'All steps are done.',

  sharedTitle: 'A lesson from a link',
  sharedText:
    'Somebody made this lesson and sent it to you. Nothing in it runs before you send a message. Tools still ask for your permission.',
  sharedFiles: (n: number) => (n === 1 ? '1 file' : `${n} files`),
  start: 'Start the lesson',
  dismiss: 'No, thanks',

  editor: 'Write a lesson',
  editorHint: 'Write the lesson on the left and the script of its model on the right.',
  reference: 'How to write lessons',
  markdown: 'Lesson (Markdown)',
  script: 'Script (JSON)',
  valid: (steps: number) => `Valid: ${steps === 1 ? '1 step' : `${steps} steps`}.`,
  problems: 'What is wrong',
  doubts: 'Worth another look',
  save: 'Save',
  saved: 'Saved.',
  unsaved: 'Not saved, but kept on this device.',
  startOver: 'Discard changes',
  bringBack: 'Bring them back',
  inOtherTab: 'This lesson is open in another tab too. The text that was typed last is kept.',
  takeOther: 'Take the text of the other tab',
  other: 'This is the other tab’s text now. You can bring yours back.',
  tryIt: 'Save and try it',
  copyLink: 'Copy link',
  linkCopied: 'Link copied. Whoever opens it gets a copy of the lesson.',
  tooLongLink: 'This lesson is too long for a link. Download it, and send the file.',
  download: 'Download',
});

const replies: Readonly<Record<string, string>> = {
  once: 'allowed once',
  session: 'allowed for this session',
  always: 'always allowed',
  everywhere: 'allowed everywhere',
  reject: 'denied',
  feedback: 'denied with a reason',
};

const ends: Readonly<Record<string, string>> = {
  ok: 'succeeded',
  failed: 'failed',
  denied: 'was denied',
  cancelled: 'was cancelled',
  interrupted: 'was interrupted',
  invalid: 'did not fit its schema',
};

const turns: Readonly<Record<string, string>> = {
  idle: 'The turn ended',
  error: 'The turn failed',
  aborted: 'You stopped the turn',
  rejected: 'A denial ended the turn',
  interrupted: 'The turn was interrupted',
};

const restores = {
  undo: 'You went back to an earlier moment',
  redo: 'You brought back what was undone',
  branch: 'You went to another version of the conversation',
} as const;

function sentenceOf(check: Check): string {
  switch (check.kind) {
    case 'prompt':
      return check.prompt === '*' ? 'You sent a message' : `You sent a message like ${quoted(check.prompt)}`;
    case 'call':
      return `${check.call}${check.with ? ` with ${quoted(check.with)}` : ''} ${check.outcome ? ends[check.outcome] : 'ended'}${(check.times ?? 1) > 1 ? `, ${check.times} times` : ''}`;
    case 'asked':
      return `You are asked for ${check.asked}`;
    case 'permission':
      return `You answered the request for ${check.permission}${
        check.reply
          ? `: ${[check.reply]
              .flat()
              .map((reply) => replies[reply])
              .join(' or ')}`
          : ''
      }`;
    case 'decided':
      return `A rule ${check.action === 'allow' ? 'allowed' : 'denied'} ${check.decided} without asking`;
    case 'question':
      return check.question === 'answered' ? 'You answered the question' : 'You dismissed the question';
    case 'turn':
      return turns[check.turn] ?? '';
    case 'steps':
      return `The model was called ${check.steps === 1 ? 'once' : `${check.steps} times`}`;
    case 'says':
      return `The model said ${quoted(check.says)}`;
    case 'mode':
      return `You chose the mode ${check.mode}`;
    case 'task':
      return `The work of ${check.agent ?? 'a sub-agent'} ended: ${check.task}`;
    case 'compacted':
      return 'The conversation was summarized';
    case 'restored':
      return restores[check.restored];
    case 'file':
      return check.gone ? `${check.file} is gone` : `${check.file} is as it should be`;
    case 'ask':
      return check.ask;
  }
}

function quoted(pattern: string): string {
  return `“${pattern.replace(/^\*|\*$/g, '')}”`;
}
