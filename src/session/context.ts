import { faultOf, type Fault } from '../base/fault.ts';
import { hashText, type Hash } from '../base/hash.ts';
import { Listeners } from '../base/listeners.ts';
import { subagentsOf } from '../agents/agents.ts';
import { plan } from '../agents/plan.ts';
import { NO_SETUP, withSwitches, type Setup } from '../agents/setup.ts';
import { PermissionGate } from '../permissions/gate.ts';
import type { ToolHooks } from '../tools/hooks.ts';
import { SessionOutputs } from '../tools/outputs.ts';
import type { ReadyTool } from '../tools/tool.ts';
import { takeSnapshot } from '../workspace/snapshot.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { gateLog } from './calls/gate-log.ts';
import type { PathLocks } from './calls/path-locks.ts';
import { Questions } from './calls/questions.ts';
import { SeenFiles } from './calls/seen-files.ts';
import { Choices } from './choices.ts';
import type { SessionDeps, SessionFamily } from './deps.ts';
import { SessionJobs } from './jobs/session-jobs.ts';
import type { ModelRef, Origin } from './log/events.ts';
import type { SessionLog } from './log/log.ts';
import type { Part } from './log/state.ts';
import type { Model } from './request/model.ts';
import { FileSnapshots } from './turn/file-snapshots.ts';

export interface SessionParts {
  readonly deps: SessionDeps;
  readonly log: SessionLog;
  /** Shared by all sessions of the workspace. */
  readonly locks: PathLocks;
  readonly family: SessionFamily;
  /** Sends a prompt from the app with which another agent continues. */
  handOver(agent: string, text: string, model: ModelRef): Promise<void>;
  /** Sends a message from the app that starts no turn. */
  tell(text: string, origin: Origin): Promise<void>;
}

/** Everything that the turns, requests and calls of one session share. */
export class SessionContext {
  readonly deps: SessionDeps;
  readonly log: SessionLog;
  readonly locks: PathLocks;
  readonly family: SessionFamily;
  readonly choices: Choices;
  readonly gate: PermissionGate;
  readonly questions: Questions;
  readonly outputs: SessionOutputs;
  readonly snapshots: FileSnapshots;
  readonly jobs: SessionJobs;
  readonly reads = new SeenFiles();
  readonly problems = new Listeners<Fault>();
  readonly handOver: SessionParts['handOver'];
  /** The command that the person runs as a message; resolves when it has ended. `null` while none runs. */
  ownCommand: Promise<void> | null = null;
  /** Called at each moment at which a prompt can join. They never reject. */
  readonly gaps = new Set<() => Promise<void>>();

  constructor({ deps, log, locks, family, handOver, tell }: SessionParts) {
    this.deps = deps;
    this.log = log;
    this.locks = locks;
    this.family = family;
    this.handOver = handOver;
    this.choices = new Choices(deps, log.state, family);
    this.outputs = new SessionOutputs(
      log.state.sessionID,
      deps.store.blobs,
      [],
      deps.madeFiles?.(log.state.sessionID),
      () => deps.setups?.ownFiles?.() ?? {},
    );
    this.gate = this.#createGate();
    this.jobs = new SessionJobs({ state: log.state, append: (body) => log.append(body), tell });
    this.snapshots = new FileSnapshots({
      log,
      clock: deps.clock,
      blobs: deps.store.blobs,
      ...(deps.snapshot && { snapshot: deps.snapshot === true ? takeSnapshot : deps.snapshot }),
      problem: (fault) => this.problems.emit(fault),
    });
    this.questions = new Questions({
      log,
      ids: deps.ids,
      answerer: () => deps.questionAnswerer?.(),
      // A dismissed question ends the turn, so the other answers are no longer needed.
      dismissed: () => this.cancelRequests(),
    });
  }

  /** Gives those who wait for it the chance to send a prompt. */
  async gap(): Promise<void> {
    for (const listener of [...this.gaps]) await listener();
  }

  get workspaceID(): string {
    return this.log.state.workspaceID;
  }

  /** They run around every call, in this order. */
  get hooks(): readonly ToolHooks[] {
    return this.deps.hooks ?? [];
  }

  /** Rejects with a fault if there is no such model, or no key for it. */
  model(ref: ModelRef): Promise<Model> {
    return this.deps.model(ref, this.workspaceID);
  }

  /** Skips a model that a file names but that lacks what it needs; the caller then uses another one. */
  usable(ref: ModelRef | undefined): ModelRef | undefined {
    return ref && this.deps.isSetUp?.(ref, this.workspaceID) !== false ? ref : undefined;
  }

  async workspace(): Promise<Workspace> {
    const workspace = await this.deps.workspace(this.workspaceID);
    this.jobs.follow(workspace.jobs);
    return workspace;
  }

  /** Reads the configuration files again. */
  async refreshedSetup(): Promise<Setup> {
    return (await this.deps.setups?.refresh(this.workspaceID)) ?? NO_SETUP;
  }

  /** The tools that this model and agent may use now. */
  async tools(model: ModelRef, agent: string): Promise<readonly ReadyTool[]> {
    const { registry, flags } = this.deps;
    const workspace = await this.workspace();
    const { setup } = this.choices;
    return registry.tools(model, agent, {
      rules: this.choices.configuredRules(agent),
      workspace,
      agents: subagentsOf(setup.agents),
      own: this.outputs.own,
      flags: withSwitches(flags?.() ?? new Set(), setup.flags),
    });
  }

  /** Whether old outputs are taken out and conversations are summarized automatically. */
  get compactsAutomatically(): boolean {
    return (this.deps.makesRoom?.() ?? true) && (this.choices.setup.compactsAutomatically ?? true);
  }

  digest(text: string): Promise<Hash> {
    return this.deps.digest?.(text) ?? Promise.resolve(hashText(text));
  }

  /** Records the hash of a request's body as it was sent, unless `signal` was aborted meanwhile. */
  async recordBody(messageID: string, body: unknown, signal: AbortSignal): Promise<void> {
    const text = typeof body === 'string' ? body : (JSON.stringify(body) ?? '');
    this.deps.sentBody?.(this.log.state.sessionID, messageID, text);
    const bodyHash = await this.digest(text);
    if (!signal.aborted) this.log.append({ type: 'step.sent', messageID, bodyHash });
  }

  /** Reports a problem to the person that does not end the turn. */
  problem(fault: Fault): void {
    this.problems.emit(fault);
  }

  /** Withdraws every permission request and question that waits for an answer. */
  cancelRequests(): void {
    this.gate.cancelAll();
    this.questions.cancelAll();
  }

  /** Decides waiting requests again, by the current rules. */
  async reconsider(): Promise<void> {
    try {
      await this.gate.rulesChanged();
    } catch (error) {
      this.problem(faultOf(error, 'rules-not-read'));
    }
  }

  /** Lets tools read the full outputs of these parts. */
  restoreOutputs(parts: Iterable<Part>): void {
    for (const part of parts)
      if (part.type === 'tool' && part.fullOutput)
        this.outputs.restore({ ...part.fullOutput, dropped: part.fullOutputDropped ?? false });
  }

  #createGate(): PermissionGate {
    const { deps, log, choices, family } = this;
    return new PermissionGate({
      sessionID: log.state.sessionID,
      workspaceID: this.workspaceID,
      configured: (agent) => choices.configuredRules(agent),
      granted: () => choices.granted,
      mode: (agent) => (agent === plan.name ? 'plan' : choices.mode),
      store: deps.rules,
      ids: deps.ids,
      clock: deps.clock,
      log: gateLog(log, {
        granted: (rules) => {
          choices.grant(rules);
          family.granted(rules);
        },
        notSaved: (fault) => this.problem(fault),
      }),
      allowedMore: () => family.allowedMore(),
      refusedAbove: () => family.refused(),
      answerer: () => deps.answerer?.(),
    });
  }
}
