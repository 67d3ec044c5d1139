import type { PausePoint } from '../../../session/stepping/points.ts';
import type { DraftProblem } from './message-edit.ts';
import { messages } from '../../languages/messages.ts';

export const stepWords = messages('step', {
  goOn: 'A new session goes on from this moment; this one stays paused.',
  bar: 'Stepping',
  points: {
    request: 'Paused before the request',
    response: 'Paused after the model’s answer',
    call: 'Paused before the tool runs',
    result: 'Paused before the model gets the result',
  } as Readonly<Record<PausePoint, string>>,
  in: (title: string) => `in ${title}`,
  more: (n: number) => `${n} more paused`,
  armed: 'Armed: your next message pauses before its request goes out.',
  stepping: 'Armed: pauses at the next event.',
  toEnd: 'Runs to the end of the turn.',
  breaks: (n: number) => (n === 1 ? 'Pauses at 1 breakpoint.' : `Pauses at ${n} breakpoints.`),
  off: 'Press Step to pause at the next event.',
  step: 'Step',
  continue: 'Continue',
  toEndDo: 'Run to end',
  close: 'Stop stepping',
  breakpoints: (n: number) => (n === 0 ? 'Breakpoints' : `Breakpoints (${n})`),

  edited: 'Edited: your next action uses this.',
  restore: 'Undo the edit',
  notValid: 'This cannot be used.',
  problem: (problem: DraftProblem): string => {
    if (problem.kind === 'json')
      return `This is not JSON: line ${problem.line}, character ${problem.character}.`;
    if (problem.kind === 'empty') return 'A message needs at least one part.';
    if (problem.kind === 'lacks') return `Missing: ${problem.path}`;
    return `${problem.path || 'content'} has to be: ${problem.expected}`;
  },
  told: 'Run like this, the model gets:',
  system: 'System prompt',
  requestHint: 'The conversation on the screen stays as it is.',
  holdsFor: 'Changes at this pause apply',
  once: 'for this request only',
  lasting: 'from now on',
  systemLasts:
    'The system prompt stays exactly as you write it, for this agent in this session, even where files or the date would change it.',
  message: (n: number, role: string) => `Message ${n}, ${role}`,
  asJson: 'as JSON',
  addMessage: 'Add a message',
  unpaired: (tools: string) =>
    `A call or a result of ${tools} is without the other. Providers refuse such a request.`,
  removeMessage: (n: number) => `Leave out message ${n}`,
  arguments: (tool: string) => `Arguments of ${tool}`,
  argumentsHint: 'They are checked again, and permission is asked for what will really run.',
  instead: 'Answer in its place',
  run: 'Let it run',
  answer: (tool: string) => `What ${tool} says`,
  failed: 'As a failure',
  result: (tool: string) => `Result of ${tool}`,
  outcome: (outcome: string) => `It ended as: ${outcome}`,
  calls: (tool: string) => `Calls ${tool}`,
  nothing: 'It wrote nothing and called nothing.',
  ended: (reason: string) => `It ended with: ${reason}`,

  at: 'Pause',
  anywhere: 'anywhere',
  atPoints: {
    request: 'before a request',
    response: 'after an answer',
    call: 'before a tool runs',
    result: 'before the model gets a result',
  } as Readonly<Record<PausePoint, string>>,
  tool: 'Tool',
  toolHint: 'any; * and ? are wildcards',
  pattern: 'Pattern',
  patternHint: 'regular expression',
  errors: 'Only on errors',
  add: 'Add the breakpoint',
  remove: (what: string) => `Remove: ${what}`,
  none: 'No breakpoints yet.',
  wrong: 'This is not a regular expression.',

  editedCall: {
    input: 'You changed the arguments.',
    output: 'You changed what the model sees.',
    answer: 'You answered in the tool’s place: it did not run.',
  },
  from: 'Before',
  to: 'After',
  editedRequest: 'You changed this request before it went out.',
  retold: 'From here on, models see your text in place of this.',
  tellAsItIs: 'Use the original again',
  systemRetold: (agent: string) => `From here on, the agent ${agent} uses the system prompt that you wrote.`,
  tellOwnSystem: 'Use its own prompt again',
});
