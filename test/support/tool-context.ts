import { hashText, type Hash } from '../../src/base/hash.ts';
import type { JsonObject } from '../../src/base/json.ts';
import { defaultRules } from '../../src/tools/permissions.ts';
import { decide, type Rules, type SourcedRule } from '../../src/permissions/rules.ts';
import { PermissionDenied, type Ask } from '../../src/permissions/types.ts';
import { visibilityOf } from '../../src/permissions/visibility.ts';
import { SeenFiles } from '../../src/session/calls/seen-files.ts';
import { ready } from '../../src/tools/define.ts';
import { SessionOutputs } from '../../src/tools/outputs.ts';
import type { OwnFiles } from '../../src/tools/own-files.ts';
import type { Answers, Question } from '../../src/tools/question/schema.ts';
import type {
  NestedCall,
  NestedCallResults,
  RunResult,
  ToolContext,
  ToolInfo,
} from '../../src/tools/tool.ts';
import type { Tasks } from '../../src/tools/task/tasks.ts';
import { ROOT } from '../../src/workspace/workspace.ts';
import { MemoryWorkspace, type Shell } from './memory-workspace.ts';

/** What one call sees of its session, with everything it did kept for the test. */
export class TestCall {
  readonly workspace: MemoryWorkspace;
  readonly asks: Ask[] = [];
  readonly questions: Question[] = [];
  /** What the person says to questions. */
  answers: Answers = [];
  /** Calls that the tool made, and how they end. */
  readonly made: { readonly calls: readonly NestedCall[]; readonly atomic: boolean }[] = [];
  answerCalls: (calls: readonly NestedCall[]) => NestedCallResults = () => ({ results: [] });
  readonly progress: JsonObject[] = [];
  /** Who does work that is given out. */
  readonly tasks: { -readonly [K in keyof Tasks]: Tasks[K] } = {
    agentOf: async () => 'general',
    run: () => Promise.reject(new Error('No agent does this.')),
    start: () => Promise.reject(new Error('No agent does this.')),
    report: () => Promise.reject(new Error('No agent does this.')),
    cancel: () => Promise.reject(new Error('No agent does this.')),
  };
  readonly handedOver: { readonly agent: string; readonly text: string }[] = [];
  /** Asks and lock changes in order. */
  readonly steps: string[] = [];
  live = '';
  readonly abort = new AbortController();
  readonly blobs = new Map<Hash, Uint8Array<ArrayBuffer>>();
  readonly outputs: SessionOutputs;
  /** What earlier calls left, by tool. */
  readonly previous = new Map<string, JsonObject>();
  rules: SourcedRule[] = [...defaultRules];
  /** Runs in place of the person, who says yes; may change files meanwhile, or throw. */
  answer: (ask: Ask) => void | Promise<void> = () => {};
  /** The app's own, so that a tool that takes its functions from it fails here as it does there. */
  readonly reads = new SeenFiles();
  readonly context: ToolContext;

  constructor(
    options: {
      files?: Readonly<Record<string, string | Uint8Array>>;
      own?: OwnFiles;
      shell?: Shell;
    } = {},
  ) {
    this.workspace = new MemoryWorkspace(options);
    this.outputs = new SessionOutputs(
      'ses_1',
      {
        get: async (hash) => this.blobs.get(hash),
        put: async (_owner, blobs) => blobs.forEach(({ hash, bytes }) => this.blobs.set(hash, bytes)),
      },
      [],
      new Map(),
      () => options.own ?? {},
    );
    this.context = {
      sessionID: 'ses_1',
      messageID: 'msg_1',
      callID: 'call_1',
      agent: 'build',
      model: { provider: 'scripted', model: 'test' },
      directory: ROOT,
      worktree: ROOT,
      abort: this.abort.signal,
      extra: {},
      workspace: this.workspace,
      outputs: this.outputs,
      reads: this.reads,
      previous: (tool) => this.previous.get(tool),
      visibility: () => visibilityOf(this.#rules()),
      rules: () => this.#rules(),
      metadata: (update) => void this.progress.push(update),
      output: (text) => void (this.live += text),
      lock: async (path) => {
        this.steps.push(`lock ${path}`);
        return () => void this.steps.push(`free ${path}`);
      },
      ask: async (ask) => {
        if (!('subject' in ask)) throw new Error('the wrapper did not normalise this ask');
        const verdict = decide(this.#rules(), ask);
        if (verdict.action === 'deny') throw new PermissionDenied('denied by the rules', verdict.decisions);
        if (verdict.action === 'ask' || ask.dangers?.length) {
          this.steps.push(`ask ${ask.permission}`);
          this.asks.push(ask);
          await this.answer(ask);
        }
        return true;
      },
      question: async (questions) => {
        this.questions.push(...questions);
        return this.answers;
      },
      calls: async (calls, { atomic }) => {
        this.made.push({ calls, atomic });
        return this.answerCalls(calls);
      },
      tasks: this.tasks,
      handOver: async (agent, text) => void this.handedOver.push({ agent, text }),
    };
  }

  /** Parses and runs; throws the text of arguments that do not fit, and what the tool throws. */
  async run(tool: ToolInfo, input: JsonObject): Promise<RunResult> {
    const made = await ready(tool, { agent: 'build', rules: this.rules, workspace: this.workspace });
    const parsed = made.parse(input);
    if (!parsed.ok) throw new Error(parsed.message);
    return made.run(parsed.input, this.context);
  }

  /** As if the model had read the file as it is now. */
  see(path: string): void {
    this.reads.record(`${ROOT}/${path}`, hashText(this.workspace.files.text(path)));
  }

  #rules(): Rules {
    return { configured: this.rules, saved: [] };
  }
}
