import { messages } from '../../languages/messages.ts';

/** Texts about notifications while the tab is hidden. */
export const notifyWords = messages('notify', {
  waits: (session: string) => `${session}: the agent waits for your answer`,
  done: (session: string) => `${session}: the agent is done`,
  waitsHere: (session: string) => `“${session}” waits for your answer.`,
  severalWait: (count: number) => `${count} sessions wait for your answer.`,
  show: 'Show',
  untitled: 'Untitled session',
  waitedMeanwhile: 'The agent waits for your answer since you left this tab.',
  doneMeanwhile: 'The agent finished while you were away.',
  turnOn: 'Notify me next time',
  on: 'You are notified when the agent waits or is done while this tab is hidden. “Settings” has the switch.',
  refused:
    'The browser does not allow this page to notify you. Allow it in the browser’s settings of this page.',
});
