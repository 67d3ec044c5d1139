import { addUsage } from './add-usage.ts';
import type { Folds, TypesAbout } from './folds.ts';
import type { Usage } from './parts.ts';
import type { SessionState } from './state.ts';

type SessionTypes = TypesAbout<
  | 'session'
  | 'mode'
  | 'rules'
  | 'agent'
  | 'effort'
  | 'task'
  | 'job'
  | 'preview'
  | 'system'
  | 'outputs'
  | 'aside'
>;

/** The name of the agent in `agents/plan.ts`, which brings its prompts along: what folds a log needs none of them. */
const PLAN_AGENT = 'plan';

/** How many jobs a state names, which is more than can run at once. */
const KNOWN_JOBS = 50;

/** Events that set something of the whole session. */
export const sessionFolds: Folds<SessionTypes> = {
  'session.created'(state, event) {
    state.created = event.time;
    state.workspaceID = event.workspaceID;
    state.title = event.title;
    if (event.parent) state.parent = event.parent;
    if (event.forkedFrom) state.forkedFrom = event.forkedFrom;
    if (event.agent !== undefined) state.agent = event.agent;
  },
  'session.titled'(state, event) {
    state.title = event.title;
  },
  'session.kept'(state, event) {
    state.keep = event.keep;
  },
  'mode.set'(state, event) {
    state.mode = event.mode;
    if (event.mode === 'plan') state.agent = PLAN_AGENT;
    else if (state.agent === PLAN_AGENT) state.agent = null;
  },
  'rules.granted'(state, event) {
    state.granted = [...state.granted, ...event.rules];
  },
  'rules.limited'(state, event) {
    state.limits = event.rules;
  },
  'agent.chosen'(state, event) {
    chooseAgent(state, event.agent);
  },
  'effort.chosen'(state, event) {
    if (event.effort === null) delete state.effort;
    else state.effort = event.effort;
  },
  'task.started'(state, { childID, messageID, callID, agent, title, background }) {
    const others = state.tasks.filter((task) => task.childID !== childID);
    const spent = state.tasks.find((task) => task.childID === childID)?.spent;
    const task = { childID, messageID, callID, agent, title, background, state: 'running' } as const;
    state.tasks = [...others, { ...task, ...(spent && { spent }) }];
  },
  'task.ended'(state, event) {
    state.tasks = state.tasks.map((task) =>
      task.childID === event.childID
        ? { ...task, state: event.state, ...(event.spent && { spent: event.spent }) }
        : task,
    );
  },
  'job.started'(state, { jobID: id, command, copied }) {
    const others = (state.jobs ?? []).filter((job) => job.id !== id);
    state.jobs = [...others, { id, command, running: true, ...(copied && { copied }) }].slice(-KNOWN_JOBS);
  },
  'job.ended'(state, { jobID }) {
    state.jobs = (state.jobs ?? []).map((job) => (job.id === jobID ? { ...job, running: false } : job));
  },
  // The log alone has these: no state would stay small with them.
  'preview.noted'() {},
  'system.retold'(state, { messageID, agent, told }) {
    const retold = (state.retoldSystems ?? []).filter((each) => each.agent !== agent);
    if (told !== null) retold.push({ messageID, agent, told });
    if (retold.length > 0) state.retoldSystems = retold;
    else delete state.retoldSystems;
  },
  'outputs.pruned'(state, event) {
    state.prunedBefore = Math.max(state.prunedBefore ?? 0, event.before);
    state.prunedTokens = (state.prunedTokens ?? 0) + event.tokens;
  },
  'aside.ended'(state, event) {
    foldUsage(state, event.usage, event.cost);
  },
};

/** The plan mode and the planning agent go together. */
export function chooseAgent(state: SessionState, agent: string): void {
  state.agent = agent;
  if (agent !== PLAN_AGENT && state.mode === 'plan') delete state.mode;
}

export function foldUsage(state: SessionState, usage: Usage, cost: number | undefined): void {
  state.usage = addUsage(state.usage, usage);
  if (cost !== undefined) state.cost = (state.cost ?? 0) + cost;
  else if (usage.inputTokens || usage.outputTokens) state.unpriced = true;
}
