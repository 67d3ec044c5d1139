/** The agent's name alone, for what folds a log and needs nothing else of the agent. */
export const PLAN_NAME = 'plan';
