import type * as z from 'zod';
import { builtin } from '../define.ts';
import type { ToolContext, ToolInfo } from '../tool.ts';
import { backgroundManifest, cancelManifest, outputManifest, startManifest } from './manifest.ts';
import { backgroundParameters, cancelParameters, outputParameters, taskParameters } from './parameters.ts';
import { taskText, type TaskReport, type TaskRequest } from './tasks.ts';

/** An agent that work can be given to. */
export interface Subagent {
  readonly name: string;
  readonly description: string;
}

type Input = z.output<typeof backgroundParameters>;

/** The tools that give work to other agents: to the `known` ones, unless the tools are prepared with others. */
export function taskTools(known: readonly Subagent[]): readonly ToolInfo[] {
  return [startTool(known), backgroundTool(known), outputTool, cancelTool];
}

function startTool(known: readonly Subagent[]): ToolInfo {
  return builtin<typeof taskParameters>(startManifest, ({ agents = known }) => ({
    description: `Gives a piece of work to another agent, which does it in a session of its own on the same files, and waits for its answer.
The agents are:
${agents.map(({ name, description }) => `- ${name}: ${description}`).join('\n')}
Use it for work of many steps whose details do not matter here, such as a wide search or a self-contained change. Do not use it for what one or two calls of your own can do.
Tasks in the same step run at the same time; those that change files must not touch the same ones. The user can see the work, but only you get the answer: tell the user what matters in it.`,
    parameters: taskParameters,
    asksFirst: true,
    async execute(input, context) {
      const request = await allowed(input, context, agents);
      return input.background === true
        ? startedResult(await context.tasks.start(request))
        : finishedResult(await context.tasks.run(request));
    },
  }));
}

function backgroundTool(known: readonly Subagent[]): ToolInfo {
  return builtin<typeof backgroundParameters>(backgroundManifest, ({ agents = known }) => ({
    description: `Like task, but returns at once with a task_id while the other agent works. You are notified when it has ended, so continue with other work or end your turn; do not poll.`,
    parameters: backgroundParameters,
    asksFirst: true,
    async execute(input, context) {
      return startedResult(await context.tasks.start(await allowed(input, context, agents)));
    },
  }));
}

const outputTool = builtin(outputManifest, {
  description:
    'Reports the state of background work, and its answer once there is one. With wait it waits for the end; use that when you have nothing else to do.',
  parameters: outputParameters,
  readOnly: true,
  async execute({ task_id, wait, timeout }, context) {
    const report = await context.tasks.report(task_id, wait ? timeout * 1000 : 0);
    return report.state === 'running'
      ? { ...cardFields(report), output: taskText(report) }
      : finishedResult(report);
  },
});

const cancelTool = builtin(cancelManifest, {
  description: 'Stops work in the background. What it has changed stays changed.',
  parameters: cancelParameters,
  async execute({ task_id }, context) {
    const report = await context.tasks.cancel(task_id);
    return { ...cardFields(report), output: taskText(report) };
  },
});

/** Asks whether the agent may be given the work. */
async function allowed(
  { prompt, description, agent, session_id }: Input,
  context: ToolContext,
  agents: readonly Subagent[],
): Promise<TaskRequest> {
  const names = agents.map(({ name }) => name);
  if (agent !== undefined && !names.includes(agent))
    throw new Error(`There is no agent '${agent}' to give work to. There are: ${names.join(', ')}.`);
  const worker = agent ?? (session_id === undefined ? 'general' : await context.tasks.agentOf(session_id));
  await context.ask({
    permission: 'task',
    patterns: [worker],
    always: ['*'],
    subject: { kind: 'input', input: { agent: worker, description, prompt } },
  });
  return {
    prompt,
    description,
    ...(agent !== undefined && { agent }),
    ...(session_id !== undefined && { taskID: session_id }),
  };
}

/** Throws for work that did not complete, so that the call fails with the report. */
function finishedResult(report: TaskReport) {
  if (report.state !== 'completed') throw new Error(taskText(report));
  return { ...cardFields(report), output: taskText(report) };
}

function startedResult(report: TaskReport) {
  return { ...cardFields(report), output: `task_id: ${report.id}\n${taskText(report)}` };
}

function cardFields({ title, metadata }: TaskReport) {
  return { title, metadata };
}
