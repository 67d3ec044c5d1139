import * as z from 'zod';
import { ROOT } from '../../base/places.ts';
import { builtin } from '../define.ts';
import { QuestionDismissed, type Question } from '../question/schema.ts';
import type { ToolContext, ToolInfo } from '../tool.ts';
import { planEnterManifest, planExitManifest } from './manifest.ts';

/** The agents that plan and build, and the folder of the plans, relative to the root. */
export interface Planning {
  readonly planner: string;
  readonly builder: string;
  readonly folder: string;
}

const YES = 'Yes';
const NO = 'No';

/** The tools that hand over to the planning agent and back. */
export function planTools({ planner, builder, folder }: Planning): readonly ToolInfo[] {
  return [
    builtin(
      planEnterManifest,
      {
        description: `Asks the user to let the planning agent take over: it changes nothing and writes a plan for the user to approve. For work that is large, risky or unclear; not for simple tasks, or when the user wants it done at once.`,
        parameters: z.object({}),
        asksFirst: true,
        readOnly: true,
        async execute(_, context) {
          await confirm(context, {
            question: 'Plan this before anything is changed?',
            yes: 'The planning agent takes over: it only reads, and writes a plan',
            no: 'The turn ends here',
          });
          await context.handOver(
            planner,
            `The user wants this planned first. You are the planning agent now: change nothing but the plan below ${folder}/.`,
          );
          return { title: 'Planning', output: 'The user agreed. The planning agent takes over.' };
        },
      },
      { filter: { agents: [builder] } },
    ),
    builtin(
      planExitManifest,
      {
        description: `Asks the user to approve the plan, so that it can be carried out. Call it once the plan below ${folder}/ is written and nothing is open, and only then; not for questions that needed no plan.`,
        parameters: z.object({}),
        asksFirst: true,
        readOnly: true,
        async execute(_, context) {
          const path = await newestPlan(context, folder);
          await confirm(context, {
            question: path
              ? `The plan is in ${path}. Carry it out?`
              : 'No plan was saved to a file. Carry out what was discussed here?',
            yes: 'The building agent takes over and carries it out',
            no: 'The turn ends here; nothing is changed',
          });
          const plan = path ? `The plan in ${path} has been approved` : 'The plan has been approved';
          await context.handOver(
            builder,
            `${plan}. You can change files now: carry it out${path ? ', and read it first if you do not know it' : ''}.`,
          );
          return {
            title: path ?? 'Plan approved',
            output: 'The user approved the plan. The building agent takes over.',
            metadata: { ...(path && { plan: path }) },
          };
        },
      },
      { filter: { agents: [planner] } },
    ),
  ];
}

/** Throws where the person says no, which ends the turn as dismissing the question does. */
async function confirm(
  context: ToolContext,
  { question, yes, no }: { readonly question: string; readonly yes: string; readonly no: string },
): Promise<void> {
  const asked: Question = {
    question,
    options: [
      { label: YES, description: yes },
      { label: NO, description: no },
    ],
    multiple: false,
    custom: false,
  };
  const [answer] = await context.question([asked]);
  if (answer?.[0] !== YES) throw new QuestionDismissed();
}

/** The path of the newest plan, relative to the root; `undefined` where there is none. */
async function newestPlan({ workspace }: ToolContext, folder: string): Promise<string | undefined> {
  const entries = await workspace.files.list(`${ROOT}/${folder}`).catch(() => []);
  const plans = entries.filter(({ name }) => name.endsWith('.md'));
  const newest = plans.toSorted((a, b) => b.modified - a.modified)[0];
  return newest && `${folder}/${newest.name}`;
}
