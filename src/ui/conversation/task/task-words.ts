import type { TaskReportState } from '../../../tools/task/tasks.ts';
import { messages } from '../../languages/messages.ts';

export const taskWords = messages('task', {
  open: 'Open its session',
  openOf: (title: string) => `Open its session: ${title}`,
  steps: (n: number) => `${n} ${n === 1 ? 'step' : 'steps'}`,
  calls: (n: number) => `${n} ${n === 1 ? 'call' : 'calls'}`,
  tokens: (input: string, output: string) => `${input} in, ${output} out`,
  stop: 'Stop this work',
  states: {
    running: 'running in the background',
    completed: 'done',
    error: 'failed',
    cancelled: 'stopped',
    interrupted: 'interrupted',
  } as Readonly<Record<TaskReportState, string>>,
  recent: 'Latest activity',
  ended: (title: string) => `Background work ended: ${title}`,
  told: 'What the agent sees',
  switched: (agent: string) => `Continues with the agent ${agent}`,
  given: 'Assigned work',
  app: 'From the app',
  child: 'A sub-agent works here',
  childPaused: 'A sub-agent is paused here',
  childEnded: 'A sub-agent worked here',
  childInterrupted: 'A sub-agent worked here and was interrupted',
  back: (title: string) => `Back to ${title}`,
  parent: 'the session it works for',
});
