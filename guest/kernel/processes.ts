import { SHELL_PARTS, type Part, type SpawnHow } from '../../src/protocol/frame.ts';
import type { Job } from '../../src/protocol/jobs.ts';
import { LIMITS } from '../../src/protocol/limits.ts';
import type { KeyboardMode, LineState } from '../../src/protocol/terminal.ts';
import { ROOT } from '../../src/base/places.ts';
import type { Exit, FileChange } from '../../src/protocol/workspace-values.ts';
import {
  OUTPUT_WINDOW,
  type ChildStart,
  type FsImageAnswer,
  type LeftBehind,
  type ProcessSignal,
  type ShellCall,
  type ToChild,
  type FsCall,
} from '../shared/protocol.ts';
import type { NodeCall, NodeFsCall, SharedImage } from '../shared/wire.ts';
import { codeOf, endsProcess } from '../shared/signals.ts';
import { ReadRefused, WriteRefused, limitedShell, shellAccess, toolAccess, type Access } from './access.ts';
import type { CompiledModules } from './compiled-modules.ts';
import { messageOf } from '../../src/base/message-of.ts';
import { failureOf, FsError } from './errors.ts';
import { answerFiles } from './file-answers.ts';
import { MAX_MEMBERS, type ProcessInput, type Member, type Owner } from './members.ts';
import { JobTable, type JobGroup } from './jobs.ts';
import type { NodePool } from './node-pool.ts';
import type { ModuleCodes } from './module-codes.ts';
import { NodeWatches } from './node-watches.ts';
import { OpenFiles } from './open-files.ts';
import { OutputGatherer } from './output.ts';
import { PortTable, type AskOutside } from './ports.ts';
import { OutputWindow } from './output-window.ts';
import { outputWaiter, type LentStreams } from './run-child.ts';
import type { CallAnswer, NodeEvents, RunnerEvents } from './runner.ts';
import { answerShell } from './shell-files.ts';
import type { ShellPool } from './shell-pool.ts';
import type { FileTree } from './tree.ts';

const ENVIRONMENT = {
  HOME: '/home',
  PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
  USER: 'user',
  LANG: 'C.UTF-8',
  TERM: 'dumb',
  SHELL: '/bin/bash',
  TMPDIR: '/tmp',
};

/** How long a script may take to stop after it was asked to. Its output until then is kept. */
const GRACE_MS = 300;

/** How long a shell may take to react to Ctrl-C before it is ended. */
const DEAF_MS = 1000;

const START_MS = 10_000;

export interface ProcessesOptions {
  readonly tree: FileTree;
  /** Resolves once the shell's program is there. */
  readonly pool: Promise<ShellPool>;
  /** Undefined where memory cannot be shared. */
  readonly node: Promise<NodePool | undefined>;
  /** Fetches the source of a part of node that is loaded on first use. */
  readonly part: (part: Part) => Promise<string>;
  /** Fetches what a call on files needs, from the app. Undefined where there is nothing to wait for. */
  readonly prepare: (call: FsCall | NodeFsCall) => Promise<void> | undefined;
  readonly moduleCodes: ModuleCodes;
  readonly compiledModules: CompiledModules;
  /** Facts about a program that is fetched when it is first used; null where there is none of this name. */
  readonly image?: (name: string) => FsImageAnswer | null;
  /** The programs of many files that are here. */
  readonly sharedImages?: () => readonly SharedImage[];
  readonly output: (process: string, bytes: Uint8Array) => void;
  readonly lineDone: (process: string, state: LineState) => void;
  readonly keyboard: (process: string, mode: KeyboardMode) => void;
  readonly exited: (process: string, exit: Exit) => void;
  readonly jobs: (jobs: readonly Job[]) => void;
  /** Is told all ports on which processes listen, after each change. */
  readonly servers?: (ports: readonly number[]) => void;
  /** Sends requests to hosts outside the workspace. */
  readonly outside?: AskOutside;
  /** Called when no process runs any more. */
  readonly idle: () => void;
}

const FIRST_PID = 100;

const encoder = new TextEncoder();

/** A process as the app sees it: the shell that it started, and every process below that. */
interface Group {
  readonly id: string;
  readonly started: number;
  readonly cwd: string;
  readonly output: OutputGatherer;
  readonly timers: ReturnType<typeof setTimeout>[];
  readonly access: Access;
  /** Real paths of the files that it was not allowed to read. */
  readonly refused: Set<string>;
  /** Real paths that locks kept it from changing. */
  readonly refusedWrites: Set<string>;
  readonly members: Set<Member>;
  readonly root: Member;
  /** How many bytes it has printed. A shell in a terminal counts anew with each line. */
  outputBytes: number;
  /** Whether it is a shell in a terminal, which is given lines. */
  readonly isTyped: boolean;
  /** Set where what it leaves in the background goes on. */
  readonly jobs?: JobGroup;
  /** Whether its command is done, and only its jobs go on. */
  isLeft?: true;
  /** Set once it was asked to stop. */
  stopping?: 'killed' | 'timeout';
}

/** The process table. It keeps timeouts itself, because the page's timers stop when the page is hidden. */
export class Processes {
  readonly #options: ProcessesOptions;
  readonly #groups = new Map<string, Group>();
  readonly #watches = new NodeWatches();
  readonly #ports: PortTable;
  readonly #jobs: JobTable;
  #nextPid = FIRST_PID;

  constructor(options: ProcessesOptions) {
    this.#options = options;
    this.#ports = new PortTable(options.outside, options.servers);
    this.#jobs = new JobTable(options.tree, options.jobs);
  }

  /** Connects the app to the server on a port. It learns over `channel` whether that worked. */
  connect(port: number, channel: MessagePort): void {
    this.#ports.connect(this, port, 'localhost', channel);
  }

  async spawn(id: string, script: string, how: SpawnHow): Promise<void> {
    const access = how.reads ? limitedShell(how.reads) : shellAccess;
    const cwd = how.cwd ?? ROOT;
    const root = this.#member(access, { tell: () => {} }, shellStart(script, cwd, how));
    const group: Group = {
      id,
      access,
      cwd,
      refused: new Set(),
      refusedWrites: new Set(),
      started: performance.now(),
      output: new OutputGatherer((bytes) => this.#options.output(id, bytes)),
      timers: [],
      members: new Set([root]),
      root,
      outputBytes: 0,
      isTyped: how.typedRows !== undefined,
      ...(how.jobs && { jobs: this.#jobGroup(how.jobs.owner, access, () => group) }),
    };
    this.#groups.set(id, group);
    try {
      await this.#startRoot(group, how);
    } catch (error) {
      this.#lose(group, messageOf(error));
    }
  }

  input(id: string, bytes: Uint8Array): void {
    const group = this.#groups.get(id);
    if (group) giveInput(group.root, bytes);
  }

  /** Gives an interactive shell its next line. */
  line(id: string, text: string): void {
    const group = this.#groups.get(id);
    if (group) giveInput(group.root, { line: text });
  }

  resize(id: string, columns: number, rows: number): void {
    this.#groups.get(id)?.root.runner?.resize?.(columns, rows);
  }

  endInput(id: string): void {
    const group = this.#groups.get(id);
    if (group) giveInput(group.root, 'end');
  }

  /** Ends the process and everything below it. With a signal, only its shell gets that, and may continue. */
  kill(id: string, signal?: ProcessSignal): void {
    const group = this.#groups.get(id);
    if (!group) return;
    if (signal === undefined || signal === 'SIGKILL' || !group.root.runner) this.#stop(group, 'killed');
    else {
      group.root.runner.signal(signal);
      // Code that never pauses, such as a backtracking regular expression, would not notice the signal.
      if (signal === 'SIGINT') group.root.runner.whenDeaf?.(DEAF_MS, () => this.#stop(group, 'killed'));
    }
  }

  /** Passes on a change in the tree. */
  note(path: string, change: FileChange['change'], isWritten: boolean): void {
    this.#watches.note(path, change, isWritten);
    this.#jobs.note(path);
  }

  /** Ends a job for the person. */
  stopJob(id: number): void {
    this.#jobs.stop(id, 'person');
  }

  /** Ends all jobs of a session, which is gone. */
  stopJobsOf(owner: string): void {
    this.#jobs.stopOf(owner);
  }

  /** The newest output of a job. */
  jobOutput(id: number): string {
    return this.#jobs.output(id, LIMITS.jobLogBytes);
  }

  #jobGroup(owner: string, access: Access, group: () => Group): JobGroup {
    const membersOf = (job: number) => [...group().members].filter((member) => member.start.job === job);
    return {
      owner,
      access,
      signal: (job, signal) => group().root.runner?.signal(signal, job),
      end: () => this.#stop(group(), 'killed'),
      ports: (job) =>
        membersOf(job)
          .flatMap((member) => this.#ports.portsOf(member))
          .sort((a, b) => a - b),
      processes: (job) =>
        membersOf(job).flatMap(({ pid, ppid, started, start: { program, thread } }) => {
          if (thread !== undefined || program.kind !== 'node') return [];
          return { pid, ppid, started, command: ['node', ...program.args].join(' ') };
        }),
    };
  }

  async #startRoot(group: Group, how: SpawnHow): Promise<void> {
    const { root } = group;
    const cwd = this.#options.tree.directoryAt(toolAccess, group.cwd).path;
    const pool = await this.#options.pool;
    // It may have been killed before it started.
    if (root.isOver) return;
    const late = setTimeout(() => this.#lose(group, 'the shell did not start'), START_MS);
    group.timers.push(late);
    const events: RunnerEvents = {
      ...this.#eventsOf(group, root),
      output: (_stream, bytes, taken, job) => this.#hearRoot(group, bytes, taken, job),
      left: (exitCode, end, left) => this.#leave(group, { exitCode, cwd: end }, left),
      jobEnded: (job, exitCode) => group.jobs && this.#jobs.ended(group.jobs, job, exitCode),
      lineDone: (state) => {
        if (!group.isTyped) return this.#lose(group, NOT_TYPED);
        group.output.flush();
        // The limit on output applies to each line, as if it were a command of its own.
        group.outputBytes = 0;
        this.#options.lineDone(group.id, state);
      },
      keyboard: (mode) => {
        if (!group.isTyped) return this.#lose(group, NOT_TYPED);
        group.output.flush();
        this.#options.keyboard(group.id, mode);
      },
      done: (exitCode, end) => {
        if (group.stopping === undefined) {
          pool.giveBack(worker);
          delete root.runner;
          this.#finish(group, { exitCode, reason: 'exit', cwd: end, outputMayBeCut: false });
        } else this.#finish(group, stopped(group, group.stopping, 130));
      },
      lost: (reason) => this.#lose(group, `the shell stopped unexpectedly: ${reason}`),
    };
    const worker = this.#runShell(root, pool, cwd, events, how);
    // The script's time starts when the shell has loaded.
    worker.ready.then(
      () => {
        clearTimeout(late);
        if (how.timeoutMs === undefined || root.isOver) return;
        group.timers.push(setTimeout(() => this.#stop(group, 'timeout'), how.timeoutMs));
      },
      () => {},
    );
  }

  #member(access: Access, owner: Owner, start: Omit<ChildStart, 'id'>, ppid = 1): Member {
    return {
      pid: this.#nextPid++,
      ppid,
      started: Date.now(),
      start,
      owner,
      window: new OutputWindow(),
      pendingInput: [],
      unread: 0,
      children: new Map(),
      ...(start.program.kind === 'node' && { files: new OpenFiles(this.#options.tree, access) }),
    };
  }

  #runShell(
    member: Member,
    pool: ShellPool,
    cwd: string,
    events: RunnerEvents,
    how: Pick<SpawnHow, 'stdin' | 'columns' | 'rows' | 'typedRows' | 'jobs'> = {},
  ) {
    const { program, env, terminal } = member.start;
    if (program.kind !== 'shell') throw new Error('not a shell');
    const worker = pool.take();
    worker.run(
      {
        script: program.script,
        args: program.args,
        ...(program.name !== undefined && { name: program.name }),
        pid: member.pid,
        cwd,
        env,
        ...(terminal && { terminal }),
        ...(how.stdin && { stdin: how.stdin }),
        ...(how.jobs && { keepsJobs: true }),
        ...(how.columns !== undefined && { columns: how.columns }),
        ...(how.rows !== undefined && { rows: how.rows }),
        ...(how.typedRows !== undefined && { typedRows: how.typedRows }),
      },
      events,
    );
    this.#begun(member, worker);
    return worker;
  }

  #begun(member: Member, runner: NonNullable<Member['runner']>): void {
    member.runner = runner;
    for (const piece of member.pendingInput) giveInput(member, piece);
    member.pendingInput.length = 0;
  }

  /** Starts a process below another. Its owner learns whether that worked. */
  async #start(
    group: Group,
    owner: Owner,
    start: Omit<ChildStart, 'id'>,
    parent: Member,
    onCreated: (member: Member) => void,
  ) {
    if (group.members.size >= MAX_MEMBERS) {
      const message = `resource temporarily unavailable: ${MAX_MEMBERS} processes are running already`;
      return owner.tell({ kind: 'childFailed', code: 'EAGAIN', message });
    }
    const job = start.job ?? parent.start.job;
    const member = this.#member(
      group.access,
      owner,
      { ...start, ...(job !== undefined && { job }) },
      parent.pid,
    );
    group.members.add(member);
    onCreated(member);
    try {
      const cwd = this.#options.tree.directoryAt(group.access, start.cwd).path;
      await (start.program.kind === 'shell'
        ? this.#startShell(group, member, cwd)
        : this.#startNode(group, member, start.program.args, cwd));
    } catch (error) {
      if (!this.#forget(group, member)) return;
      owner.tell({ kind: 'childFailed', ...failureOf(error) });
    }
  }

  async #startShell(group: Group, member: Member, cwd: string): Promise<void> {
    const pool = await this.#options.pool;
    if (member.isOver) return;
    member.owner.tell({ kind: 'childStarted', pid: member.pid });
    const events = this.#eventsOf(group, member);
    const worker = this.#runShell(member, pool, cwd, {
      ...events,
      inputUsed: (bytes) => {
        const wasFull = member.unread > OUTPUT_WINDOW;
        member.unread = Math.max(0, member.unread - bytes);
        if (wasFull && member.unread <= OUTPUT_WINDOW) member.owner.tell({ kind: 'childWantsInput' });
      },
      keyboard: ({ raw }) => {
        if (member.start.terminal?.streams.includes(0)) member.owner.tell({ kind: 'childKeyboard', raw });
      },
      done: (exitCode, _cwd, own) => {
        if (!member.isOver && group.stopping === undefined) {
          delete member.runner;
          pool.giveBack(worker);
        }
        const { lastSignal } = member;
        const isSignal = lastSignal !== undefined && (exitCode === codeOf(lastSignal) || exitCode === 124);
        this.#end(group, member, isSignal ? codeOf(lastSignal) : exitCode, isSignal ? lastSignal : own);
      },
    });
    // A shell reads ahead, because its commands share its input.
    member.owner.tell({ kind: 'childWantsInput' });
  }

  async #startNode(group: Group, member: Member, args: readonly string[], cwd: string): Promise<void> {
    const pool = await this.#options.node;
    if (member.isOver) return;
    if (!pool) {
      member.owner.tell({ kind: 'childStarted', pid: member.pid });
      member.owner.tell({ kind: 'childOutput', stream: 2, bytes: encoder.encode(NOT_SHARED) });
      return this.#end(group, member, 1);
    }
    const worker = await pool.take(() => !member.isOver);
    if (!worker) return;
    if (member.isOver) return worker.terminate();
    member.owner.tell({ kind: 'childStarted', pid: member.pid });
    const { env, terminal, channel, thread } = member.start;
    const nodeEvents: NodeEvents = {
      ...this.#eventsOf(group, member),
      call: (call, answer) => this.#call(group, member, call, answer),
      append: (handle, bytes) => member.files?.append(handle, bytes),
      watch: (watch, path, recursive) => {
        try {
          const real = this.#options.tree.get(group.access, path).path;
          this.#watches.add(worker, watch, { path: real, recursive });
        } catch {
          // The path is gone since the program checked it, so there is nothing to watch.
        }
      },
      unwatch: (watch) => this.#watches.remove(worker, watch),
      unlisten: (address) => {
        this.#ports.close(member, address);
        this.#jobs.changed();
      },
      message: (data, transfer) => member.owner.tell({ kind: 'childMessage', data, transfer }),
      disconnect: () => member.owner.tell({ kind: 'childDisconnected' }),
      compiled: (name, module) => this.#options.compiledModules.hold(name, module),
      rawMode: (raw) => {
        member.raw = raw;
        if (terminal?.streams.includes(0)) member.owner.tell({ kind: 'childKeyboard', raw });
      },
      done: (exitCode, _cwd, signal) => this.#end(group, member, exitCode, signal),
    };
    worker.run(
      {
        args,
        cwd,
        env,
        pid: member.pid,
        ppid: member.ppid,
        channel: channel ?? false,
        images: this.#options.sharedImages?.() ?? [],
        ...(terminal && { terminal }),
        ...(thread !== undefined && { thread }),
      },
      nodeEvents,
    );
    this.#begun(member, worker);
    pool.keepOne();
  }

  #eventsOf(group: Group, member: Member): RunnerEvents {
    return {
      output: (stream, bytes, taken) => {
        if (member.isOver) return taken();
        member.window.sent(bytes.byteLength, taken);
        member.owner.tell({ kind: 'childOutput', stream, bytes });
      },
      files: (call) => this.#shellCall(group, call),
      child: (message) => this.#hear(group, member, message),
      wantsInput: () => member.owner.tell({ kind: 'childWantsInput' }),
      done: (exitCode, _cwd, signal) => this.#end(group, member, exitCode, signal),
      lost: (reason) => {
        const bytes = encoder.encode(`vitrine: the process stopped unexpectedly: ${reason}\n`);
        member.owner.tell({ kind: 'childOutput', stream: 2, bytes });
        this.#end(group, member, codeOf('SIGKILL'), 'SIGKILL');
      },
    };
  }

  #hear(group: Group, parent: Member, message: ToChild): void {
    if (message.kind === 'startChild') return this.#startBelow(group, parent, message.start);
    if (message.kind === 'fetch') return this.#ports.fetch(parent, message.request, message.channel);
    if (message.kind === 'connect')
      return this.#ports.connect(parent, message.to, message.host, message.channel);
    const child = parent.children.get(message.id);
    if (!child || child.isOver) return;
    switch (message.kind) {
      case 'childInput':
        return this.#give(child, message.bytes);
      case 'endChildInput':
        return giveInput(child, 'end');
      case 'signalChild':
        return this.#signal(group, child, message.signal);
      case 'resizeChild': {
        const { columns, rows } = message;
        for (let each: Member | undefined = child; each?.start.terminal; each = each.awaited)
          giveInput(each, { columns, rows });
        return;
      }
      case 'childOutputUsed':
        return child.window.used(message.bytes);
      case 'messageChild':
        return giveInput(child, { message: message.data, transfer: message.transfer ?? [] });
      case 'disconnectChild':
        return giveInput(child, 'disconnected');
    }
  }

  /** Starts a child of a process, which gets the messages about it. */
  #startBelow(
    group: Group,
    parent: Member,
    { id, ...start }: ChildStart,
    onCreated: (child: Member) => void = () => {},
  ): void {
    if (parent.children.has(id) || group.stopping !== undefined) return;
    const { runner } = parent;
    const owner: Owner = {
      tell: (news) => {
        if (!parent.isOver && parent.runner === runner) runner?.tell({ ...news, id });
      },
    };
    void this.#start(group, owner, start, parent, (child) => {
      parent.children.set(id, child);
      onCreated(child);
    });
  }

  #signal(group: Group, member: Member, signal: ProcessSignal): void {
    // Ctrl-C in a terminal goes to everything that was started in it, except for detached processes. A process that reads
    // the terminal's keys gets it alone.
    if (member.start.terminal && member.start.program.kind === 'node' && signal === 'SIGINT') {
      const below = childrenOf(member).filter(({ start }) => !start.detached && start.thread === undefined);
      // A process that lends its keys to a child has raw mode set itself, so children are checked first.
      const reader = below.find(hasKeys);
      if (reader) return this.#signal(group, reader, signal);
      if (!member.raw) for (const child of below) this.#signal(group, child, signal);
    }
    const isShell = member.start.program.kind === 'shell';
    if (!endsProcess(signal) && isShell) return;
    if (signal !== 'SIGKILL' && member.runner?.signal(signal)) {
      member.lastSignal = signal;
      return;
    }
    if (endsProcess(signal)) this.#end(group, member, codeOf(signal), signal);
  }

  /** Answers a call of node, which blocks until then: at once, where nothing has to be fetched. */
  #call(group: Group, member: Member, call: NodeCall, answer: CallAnswer): void {
    if (call.kind === 'runChild') {
      const { id: _id, ...start } = call.start;
      const { owner, started } = outputWaiter(
        call,
        answer,
        (child, signal) => this.#signal(group, child, signal),
        this.#lentBy(group, member),
        (child, piece) => this.#give(child, piece),
      );
      return void this.#start(group, owner, start, member, (child) => {
        started(child);
        member.awaited = child;
        if (call.inherits?.includes(0)) return;
        giveInput(child, call.input);
        giveInput(child, 'end');
      });
    }
    if (call.kind === 'startChild') {
      let pid = 0;
      this.#startBelow(group, member, call.start, (child) => (pid = child.pid));
      return answer.answer(pid);
    }
    if (call.kind === 'kill') {
      const found = [...group.members].find((each) => each.pid === call.pid && !each.isOver);
      if (found && call.signal) this.#signal(group, found, call.signal);
      return answer.answer(found !== undefined || this.#signalJob(call.pid, call.signal));
    }
    if (call.kind === 'listen') {
      const address = this.#ports.listen(member, call.address, {
        serve: (request, channel) => member.runner?.serve?.(address ?? 0, request, channel),
        accept: (host, port, channel) => member.runner?.connected?.(address ?? 0, host, port, channel),
      });
      this.#jobs.changed();
      return address === undefined
        ? answer.fail('EADDRINUSE', 'address already in use')
        : answer.answer(address);
    }
    if (call.kind === 'part')
      return void this.#options.part(call.part).then(
        (source) => answer.answer(source),
        (error: unknown) => answer.fail('EIO', messageOf(error)),
      );
    if (call.kind === 'moduleCode') return answer.answer(this.#options.moduleCodes.find(call.name));
    if (call.kind === 'keepModuleCode') {
      // A process that may not write must not reach those that may.
      if (group.access === shellAccess) this.#options.moduleCodes.keep(call.name, call.code);
      return answer.answer(undefined);
    }
    const { files } = member;
    if (call.kind === 'readInput' || !files) return answer.fail('EINVAL', 'unknown call');
    const answering = {
      carryOut: files.answer.bind(files),
      prepare: this.#options.prepare,
      onRefused: (refusal: ReadRefused | WriteRefused) => noteRefusal(group, refusal),
    };
    answerFiles(call, answering, answer);
  }

  /** The streams of a process that waits for a child, which the child can inherit. */
  #lentBy(group: Group, member: Member): LentStreams {
    const { output } = this.#eventsOf(group, member);
    return {
      print: output,
      take: (take) => member.runner?.takeInput?.(take),
      keyboard: (raw) => {
        if (!member.start.terminal?.streams.includes(0)) return;
        member.owner.tell({ kind: 'childKeyboard', raw: raw || (member.raw ?? false) });
      },
    };
  }

  /** Gives a process input. A shell reads ahead, because its commands share its input. */
  #give(member: Member, piece: Uint8Array | 'end'): void {
    giveInput(member, piece);
    if (piece === 'end') return;
    member.unread += piece.byteLength;
    if (member.start.program.kind === 'shell' && member.unread <= OUTPUT_WINDOW)
      member.owner.tell({ kind: 'childWantsInput' });
  }

  async #shellCall(group: Group, call: ShellCall): Promise<unknown> {
    if (call.op === 'jobs') return this.#jobs.listed(call.tell);
    if (call.op === 'signalJob') return this.#signalJob(call.pid, call.signal);
    if (call.op === 'image') return this.#options.image?.(call.name) ?? null;
    if (call.op === 'part') return this.#shellPart(call.path);
    try {
      await this.#options.prepare(call);
      return answerShell(this.#options.tree, group.access, call);
    } catch (error) {
      noteRefusal(group, error);
      throw error;
    }
  }

  /** Signals a job, or one of its processes, for another command. Without a signal, only tells whether it is there. */
  #signalJob(pid: number, signal: ProcessSignal | undefined): boolean {
    return this.#jobs.signal(pid, signal, (member, sent) => {
      for (const group of this.#groups.values())
        for (const each of group.members) if (each.pid === member) this.#signal(group, each, sent);
    });
  }

  #hearRoot(group: Group, bytes: Uint8Array, taken: () => void, job: number | undefined): void {
    const { jobs } = group;
    if (!group.isLeft) this.#print(group, bytes);
    if (!jobs || job === undefined) return taken();
    this.#jobs.print(jobs, job, bytes, taken);
  }

  /** The command of a group is done, but something goes on in the background. */
  #leave(group: Group, end: Pick<Exit, 'exitCode' | 'cwd'>, left: readonly LeftBehind[]): void {
    if (!group.jobs || group.isLeft || group.stopping !== undefined) return;
    const refused = this.#jobs.left(group.jobs, left);
    for (const { command } of refused)
      this.#print(
        group,
        encoder.encode(
          `vitrine: ${LIMITS.jobs} jobs run in the background already, so this one was ended: ${command}\n`,
        ),
      );
    group.isLeft = true;
    for (const timer of group.timers.splice(0)) clearTimeout(timer);
    const jobs = left.filter((each) => !refused.includes(each)).map(({ pid }) => pid);
    this.#exited(group, { ...end, reason: 'exit', outputMayBeCut: false, ...(jobs.length > 0 && { jobs }) });
  }

  #shellPart(name: string): Promise<string> {
    const part = SHELL_PARTS.find((each) => each === name);
    return part ? this.#options.part(part) : Promise.reject(new FsError('EINVAL', name, 'no such part'));
  }

  #print(group: Group, bytes: Uint8Array): void {
    if (group.outputBytes > LIMITS.outputBytes) return;
    group.outputBytes += bytes.byteLength;
    group.output.add(bytes);
    if (group.outputBytes <= LIMITS.outputBytes) return;
    const ended = group.isTyped ? 'interrupted, because this line' : 'stopped, because it';
    group.output.add(encoder.encode(`\nvitrine: ${ended} printed more than 32 MB\n`));
    if (group.isTyped) this.kill(group.id, 'SIGINT');
    else this.#stop(group, 'killed');
  }

  #stop(group: Group, reason: 'killed' | 'timeout'): void {
    if (group.stopping !== undefined) return;
    group.stopping = reason;
    if (!group.root.runner) return this.#finish(group, stopped(group, reason, 130));
    for (const member of group.members)
      if (!member.runner?.stop()) this.#end(group, member, codeOf('SIGKILL'), 'SIGKILL');
    group.timers.push(setTimeout(() => this.#finish(group, stopped(group, reason, 137)), GRACE_MS));
  }

  #lose(group: Group, reason: string): void {
    group.output.add(encoder.encode(`vitrine: ${reason}\n`));
    this.#finish(group, { exitCode: 137, reason: 'lost', cwd: group.cwd, outputMayBeCut: true });
  }

  /** Ends a process below the root, or records that it has ended. */
  #end(group: Group, member: Member, exitCode: number, signal?: ProcessSignal): void {
    if (!this.#forget(group, member)) return;
    member.owner.tell({ kind: 'childExited', exitCode, ...(signal && { signal }) });
  }

  /** Removes a process from the tables. Returns false if it was over already. */
  #forget(group: Group, member: Member): boolean {
    if (member.isOver) return false;
    member.isOver = true;
    group.members.delete(member);
    member.window.close();
    for (const child of member.children.values()) child.window.close();
    if (member.runner) this.#watches.drop(member.runner);
    this.#ports.drop(member);
    member.files?.closeAll();
    member.runner?.terminate();
    return true;
  }

  #finish(group: Group, exit: Omit<Exit, 'durationMs'>): void {
    if (!this.#groups.delete(group.id)) return;
    for (const timer of group.timers) clearTimeout(timer);
    // The root is first in the set, so that it is not told about the end of the others.
    for (const member of group.members) this.#forget(group, member);
    if (group.jobs) this.#jobs.groupOver(group.jobs, exit.reason === 'lost' ? LOST : undefined);
    if (!group.isLeft) this.#exited(group, exit);
    if (this.#groups.size === 0) this.#options.idle();
  }

  #exited(group: Group, exit: Omit<Exit, 'durationMs'>): void {
    group.output.flush();
    const { refused, refusedWrites, started } = group;
    this.#options.exited(group.id, {
      ...exit,
      durationMs: performance.now() - started,
      ...(refused.size > 0 && { refusedReads: refused.size }),
      ...(refusedWrites.size > 0 && { refusedWrites: [...refusedWrites] }),
    });
  }
}

/** Only an interactive shell may report `lineDone`, which resets the limit on output, or ask for keys. */
const NOT_TYPED = 'the shell stopped unexpectedly: it sent an invalid message';
const LOST = 'the shell in which this job ran has stopped unexpectedly';
const NOT_SHARED = `node: cannot run here: it needs shared memory, which a page has only when it is cross-origin isolated.
The server of this page has to send these headers
  Cross-Origin-Opener-Policy: same-origin
  Cross-Origin-Embedder-Policy: require-corp
with every file.
`;

/** How many paths that it may not change a process is told at its end. */
const MAX_TOLD = 20;

function noteRefusal(group: Group, error: unknown): void {
  if (error instanceof ReadRefused) group.refused.add(error.path);
  if (error instanceof WriteRefused && group.refusedWrites.size < MAX_TOLD)
    group.refusedWrites.add(error.path);
}

function shellStart(script: string, cwd: string, how: SpawnHow): Omit<ChildStart, 'id'> {
  return { program: { kind: 'shell', script, args: [] }, cwd, env: { ...ENVIRONMENT, ...how.env } };
}

function childrenOf(member: Member): Member[] {
  return [...member.children.values(), ...(member.awaited ? [member.awaited] : [])].filter(
    ({ isOver }) => !isOver,
  );
}

/** Whether the process, or one below it, reads the terminal's keys one by one. */
function hasKeys(member: Member): boolean {
  return (member.raw ?? false) || childrenOf(member).some(hasKeys);
}

function giveInput(member: Member, piece: ProcessInput): void {
  if (!member.runner) member.pendingInput.push(piece);
  else if (piece === 'end') member.runner.endInput();
  else if (piece === 'disconnected') member.runner.disconnected?.();
  else if ('message' in piece) member.runner.message?.(piece.message, piece.transfer);
  else if ('columns' in piece) member.runner.resize?.(piece.columns, piece.rows);
  else if ('line' in piece) member.runner.line?.(piece.line);
  else member.runner.input(piece);
}

function stopped(group: Group, reason: 'killed' | 'timeout', killedCode: number): Omit<Exit, 'durationMs'> {
  const exitCode = reason === 'timeout' ? 124 : killedCode;
  return { exitCode, reason, cwd: group.cwd, outputMayBeCut: true };
}
