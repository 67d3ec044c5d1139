import type { Mode } from '../../../permissions/modes.ts';
import type { Action, RuleSource } from '../../../permissions/types.ts';
import type { AuditDecision } from '../../../session/log/audit.ts';
import { messages } from '../../languages/messages.ts';

/** Texts of the list of permission decisions, loaded with it. */
export const auditWords = messages('audit', {
  title: 'Permission decisions',
  of: (session: string) => `of “${session}”, newest first. Secrets are masked.`,
  filter: 'Filter',
  filterHint: 'Command, path, rule or reason',
  permission: 'Permission',
  outcome: 'Outcome',
  all: 'All',
  outcomes: {
    allowed: 'allowed',
    denied: 'denied',
    waiting: 'waiting',
    withdrawn: 'withdrawn',
    mode: 'mode',
    agent: 'agent',
  } as Readonly<Record<AuditDecision['outcome'] | 'mode' | 'agent', string>>,
  copy: 'Copy as JSON',
  older: 'Show older decisions',
  loading: 'Loading',
  failed: 'The decisions could not be read.',
  none: 'Nothing has been decided in this session yet.',
  noMatch: 'No decision matches.',
  count: (shown: number, of: number) => (shown === of ? `Decisions: ${of}` : `Decisions: ${shown} of ${of}`),
  mode: (mode: Mode) => `The mode was set to ${mode}.`,
  agent: {
    chosen: (agent: string) => `The agent ${agent} was chosen: its own rules apply from here on.`,
    'handed-over': (agent: string) =>
      `You let the agent ${agent} continue: its own rules apply from here on.`,
  },
  by: {
    person: 'you',
    automation: 'a script (automation)',
    policy: 'a rule or mode that changed while it waited',
    cancelled: 'nobody: the turn ended first',
  },
  replies: {
    once: 'Allowed once',
    session: 'Allowed for this session',
    always: 'Always allowed in this workspace',
    everywhere: 'Allowed everywhere',
    reject: 'Denied',
  },
  answered: (reply: string, by: string) => `${reply} by ${by}`,
  saying: (message: string) => `saying: ${message}`,
  sources: {
    default: 'the defaults',
    settings: 'the settings',
    agent: 'the agent',
    session: 'an answer for this session',
    workspace: 'an answer for this workspace',
    everywhere: 'an answer for every workspace',
    parent: 'the agent that assigned the work',
    mode: 'the mode of the session',
    'own-config': 'your own configuration',
    config: 'the configuration of the workspace',
  } as Readonly<Record<RuleSource, string>>,
  actions: { allow: 'allowed', ask: 'asked', deny: 'denied' } as Readonly<Record<Action, string>>,
  rule: (pattern: string, action: string, rule: string, source: string) =>
    `${pattern}: ${action} by the rule ${rule} of ${source}`,
  noRule: (pattern: string) => `${pattern}: asked, no rule covers it`,
  refusedBefore: 'The same request was denied earlier in this turn, so nobody was asked again.',
  danger: (text: string) => `Dangerous, so it asks whatever the rules allow: ${text}`,
});
