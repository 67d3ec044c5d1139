import type * as z from 'zod';
import { define } from '../define.ts';
import type { ToolContext, ToolInfo } from '../tool.ts';
import { backgroundParameters, cancelParameters, outputParameters, taskParameters } from './parameters.ts';
import { taskText, type TaskReport, type TaskRequest } from './tasks.ts';

/** An agent that can be given work. */
export interface Subagent {
  readonly name: string;
  readonly description: string;
}

type Input = z.output<typeof backgroundParameters>;

/** The tools that give work to other agents: to these, unless others are named where the tools are made ready. */
export function taskTools(known: readonly Subagent[]): readonly ToolInfo[] {
  async function allowed(
    { prompt, description, agent, session_id }: Input,
    context: ToolContext,
    agents: readonly Subagent[],
  ): Promise<TaskRequest> {
    const names = agents.map(({ name }) => name);
    if (agent !== undefined && !names.includes(agent))
      throw new Error(`There is no agent '${agent}' to give work to. There are: ${names.join(', ')}.`);
    const shown = agent ?? (session_id === undefined ? 'general' : await context.tasks.agentOf(session_id));
    await context.ask({
      permission: 'task',
      patterns: [shown],
      always: ['*'],
      subject: { kind: 'input', input: { agent: shown, description, prompt } },
    });
    return {
      prompt,
      description,
      ...(agent !== undefined && { agent }),
      ...(session_id !== undefined && { taskID: session_id }),
    };
  }

  return [
    define<typeof taskParameters>('task', ({ agents = known }) => ({
      description: `Gives a piece of work to another agent, which does it in a session of its own on the same files, and waits for its answer.
The agents are:
${agents.map(({ name, description }) => `- ${name}: ${description}`).join('\n')}
Good for work that needs many steps and whose steps nobody needs to know: a wide search, a change that stands by itself. Not for what one or two calls of your own do.
Tasks in the same step run at the same time; those that change files must not touch the same ones. The user sees the whole work, but only you see the answer: tell them what matters of it.`,
      parameters: taskParameters,
      asksFirst: true,
      async execute(input, context) {
        const request = await allowed(input, context, agents);
        return input.background === true
          ? begun(await context.tasks.start(request))
          : ended(await context.tasks.run(request));
      },
    })),
    define<typeof backgroundParameters>(
      'background_task',
      ({ agents = known }) => ({
        description: `As task, but returns at once with a task_id while the other agent works. You are told when it has ended, so go on with other work, or end your turn; do not look again and again.`,
        parameters: backgroundParameters,
        asksFirst: true,
        async execute(input, context) {
          return begun(await context.tasks.start(await allowed(input, context, agents)));
        },
      }),
      { permission: 'task' },
    ),
    define(
      'background_output',
      {
        description:
          'Tells how work in the background stands, and its answer once there is one. With wait it waits for the end, for when you can do nothing else before.',
        parameters: outputParameters,
        readOnly: true,
        async execute({ task_id, wait, timeout }, context) {
          const report = await context.tasks.report(task_id, wait ? timeout * 1000 : 0);
          return report.state === 'running' ? { ...shown(report), output: taskText(report) } : ended(report);
        },
      },
      { permission: 'task' },
    ),
    define(
      'background_cancel',
      {
        description: 'Stops work in the background. What it has changed stays changed.',
        parameters: cancelParameters,
        async execute({ task_id }, context) {
          const report = await context.tasks.cancel(task_id);
          return { ...shown(report), output: taskText(report) };
        },
      },
      { permission: 'task' },
    ),
  ];
}

/** An answer is a result; everything else is a failure that says what happened. */
function ended(report: TaskReport) {
  if (report.state !== 'completed') throw new Error(taskText(report));
  return { ...shown(report), output: taskText(report) };
}

function begun(report: TaskReport) {
  return { ...shown(report), output: `task_id: ${report.id}\n${taskText(report)}` };
}

function shown({ title, metadata }: TaskReport) {
  return { title, metadata };
}
