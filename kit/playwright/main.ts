export { test, type VitrineFixtures, type VitrineWorkerFixtures } from './fixtures.ts';
export { expect } from './expect.ts';
export type { Agent, RunningTurn, TestTool, TurnResult } from './agent.ts';
export type { AgentListeners } from './listeners.ts';
export type {
  PermissionHandler,
  PermissionReply,
  PermissionRequest,
  QuestionHandler,
  QuestionReply,
  QuestionRequest,
} from './answers.ts';
export type {
  CassetteChoice,
  Script,
  ScriptedAnswer,
  ScriptedCondition,
  ScriptedStep,
  TestModel,
} from './model.ts';
export type { PermissionAction, PermissionRules, TestOptions as VitrineOptions } from './options.ts';
export type { ExecOptions, ModelSettings, PromptOptions, ToolResult } from './page-calls.ts';
export type { TestWorkspace } from './workspace.ts';
export type { AgentEvent } from '../facts/agent-event.ts';
export type { AgentEventType, Ask, Call, CallOutcome, Facts, TurnFacts } from '../facts/events.ts';
export type { Budget } from '../matchers/budget.ts';
export type { ExpectedCall, TrajectoryMode } from '../matchers/calls.ts';
export type { ChangedFile } from '../matchers/files.ts';
