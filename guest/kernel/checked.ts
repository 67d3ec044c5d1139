import type { ConnectionMessage } from '../shared/connection.ts';
import type { LineState } from '../../src/protocol/terminal.ts';
import type {
  ChildStart,
  FromServer,
  FromShell,
  FsCall,
  JobCall,
  LeftBehind,
  NetRequest,
  ToChild,
  ToServer,
} from '../shared/protocol.ts';
import { isSignal } from '../shared/signals.ts';

/**
 * Whether a shell worker's message is valid. The kernel starts the workers, but they run code of the workspace, so a
 * malformed message must not reach the files or the counting of bytes.
 */
export function isFromShell(message: unknown): message is FromShell {
  if (!isRecord(message)) return false;
  switch (message.kind) {
    case 'ready':
    case 'rested':
      return true;
    case 'fs':
      return (
        isNumber(message.id) &&
        isNumber(message.run) &&
        Array.isArray(message.calls) &&
        message.calls.every((call) => isJobCall(call) || isFsCall(call))
      );
    case 'output':
      return (
        isNumber(message.run) &&
        isBytes(message.bytes) &&
        (message.stream === undefined || message.stream === 1 || message.stream === 2) &&
        (message.job === undefined || isLength(message.job))
      );
    case 'left':
      return (
        isNumber(message.run) &&
        Number.isSafeInteger(message.exitCode) &&
        typeof message.cwd === 'string' &&
        Array.isArray(message.jobs) &&
        message.jobs.every(isLeftBehind)
      );
    case 'jobEnded':
      return isNumber(message.run) && isLength(message.job) && Number.isSafeInteger(message.exitCode);
    case 'child':
      return isNumber(message.run) && isToChild(message.message);
    case 'inputUsed':
      return isNumber(message.run) && isLength(message.bytes);
    case 'lineDone':
      return isNumber(message.run) && isLineState(message.state);
    case 'keyboard':
      return (
        isNumber(message.run) &&
        isRecord(message.mode) &&
        typeof message.mode.raw === 'boolean' &&
        typeof message.mode.echo === 'boolean'
      );
    case 'done':
      return (
        isNumber(message.run) &&
        Number.isSafeInteger(message.exitCode) &&
        typeof message.cwd === 'string' &&
        (message.signal === undefined || isSignal(message.signal))
      );
    default:
      return false;
  }
}

function isLeftBehind(job: unknown): job is LeftBehind {
  return (
    isRecord(job) &&
    isLength(job.pid) &&
    typeof job.command === 'string' &&
    isLength(job.started) &&
    (job.writesTo === undefined || typeof job.writesTo === 'string')
  );
}

function isJobCall(call: unknown): call is JobCall {
  if (!isRecord(call)) return false;
  if (call.op === 'jobs') return typeof call.tell === 'boolean';
  return call.op === 'signalJob' && isLength(call.pid) && isSignal(call.signal);
}

function isLineState(state: unknown): state is LineState {
  return (
    isRecord(state) &&
    Number.isSafeInteger(state.exitCode) &&
    Number.isSafeInteger(state.count) &&
    Number(state.count) >= 0 &&
    typeof state.cwd === 'string' &&
    typeof state.isIdle === 'boolean' &&
    typeof state.unread === 'string' &&
    isRecord(state.names) &&
    isStrings(state.names.commands) &&
    isStrings(state.names.variables)
  );
}

/** Whether this is a valid message of a process about a child, a request or a connection. */
export function isToChild(message: unknown): message is ToChild {
  if (!isRecord(message)) return false;
  switch (message.kind) {
    case 'startChild':
      return isChildStart(message.start);
    case 'fetch':
      return isNetRequest(message.request) && message.channel instanceof MessagePort;
    case 'connect':
      return (
        isAddress(message.to) && typeof message.host === 'string' && message.channel instanceof MessagePort
      );
    case 'childInput':
      return isNumber(message.id) && isBytes(message.bytes);
    case 'endChildInput':
    case 'disconnectChild':
      return isNumber(message.id);
    case 'messageChild':
      return isNumber(message.id) && (message.transfer === undefined || Array.isArray(message.transfer));
    case 'signalChild':
      return isNumber(message.id) && isSignal(message.signal);
    case 'resizeChild':
      return isNumber(message.id) && isLength(message.columns) && isLength(message.rows);
    case 'childOutputUsed':
      return isNumber(message.id) && Number.isSafeInteger(message.bytes);
    default:
      return false;
  }
}

export function isChildStart(start: unknown): start is ChildStart {
  if (!isRecord(start) || !isNumber(start.id) || typeof start.cwd !== 'string') return false;
  const { program, env, terminal, channel, detached, job } = start;
  if (job !== undefined && !isLength(job)) return false;
  if ([channel, detached].some((each) => each !== undefined && typeof each !== 'boolean')) return false;
  if (!isRecord(program) || !isStrings(program.args)) return false;
  if (program.kind !== 'node' && (program.kind !== 'shell' || typeof program.script !== 'string'))
    return false;
  if (!isRecord(env) || !isStrings(Object.values(env))) return false;
  if (terminal === undefined) return true;
  return (
    isRecord(terminal) &&
    Array.isArray(terminal.streams) &&
    [...terminal.streams, terminal.columns, terminal.rows].every(isNumber)
  );
}

/** Whether this is a valid HTTP request of a process. */
function isNetRequest(request: unknown): request is NetRequest {
  if (!isRecord(request)) return false;
  const { url, method, headers, body, redirect } = request;
  return (
    typeof url === 'string' &&
    typeof method === 'string' &&
    isHeaders(headers) &&
    (body === null || isBytes(body)) &&
    (redirect === undefined || redirect === 'error')
  );
}

/** Whether this is a valid message from a server to its client. */
export function isFromServer(message: unknown): message is FromServer {
  if (!isRecord(message)) return false;
  switch (message.kind) {
    case 'response':
      return (
        Number.isInteger(message.status) &&
        typeof message.statusText === 'string' &&
        isHeaders(message.headers)
      );
    case 'body':
      return isBytes(message.bytes);
    case 'end':
      return true;
    case 'failed':
      return typeof message.code === 'string' && typeof message.message === 'string';
    default:
      return false;
  }
}

/** Whether this is a valid message from a client to a server. */
export function isToServer(message: unknown): message is ToServer {
  if (!isRecord(message)) return false;
  return message.kind === 'gone' || (message.kind === 'used' && isLength(message.bytes));
}

/** Whether this is a valid message from one end of a connection. */
export function isConnectionMessage(message: unknown): message is ConnectionMessage {
  if (!isRecord(message)) return false;
  switch (message.kind) {
    case 'data':
      return isBytes(message.bytes);
    case 'used':
      return isLength(message.bytes);
    case 'end':
    case 'gone':
      return true;
    case 'reset':
      return typeof message.code === 'string';
    default:
      return false;
  }
}

/** Whether this is a port or the path of a socket. */
export function isAddress(value: unknown): value is number | string {
  return typeof value === 'string' || (isLength(value) && Number(value) <= 65535);
}

function isHeaders(headers: unknown): boolean {
  return Array.isArray(headers) && headers.every((pair) => isStrings(pair) && pair.length === 2);
}

const TYPES = {
  path: 'string',
  from: 'string',
  to: 'string',
  target: 'string',
  recursive: 'boolean',
  force: 'boolean',
} as const;

/** Checks the type of each field that a call has. The tree itself refuses a call without the fields that it needs. */
export function isFsCall(call: unknown): call is FsCall {
  if (!isRecord(call) || typeof call.op !== 'string') return false;
  if (call.op === 'image') return typeof call.name === 'string';
  if (typeof call.path !== 'string' && typeof call.from !== 'string') return false;
  for (const [field, type] of Object.entries(TYPES))
    if (field in call && typeof call[field] !== type) return false;
  if ('content' in call && !isBytes(call.content)) return false;
  if ((call.op === 'write' || call.op === 'append') && !('content' in call)) return false;
  return ['mode', 'modified', 'accessed', 'flags'].every(
    (field) => !(field in call) || Number.isSafeInteger(call[field]),
  );
}

/** Whether these are bytes in memory that is not shared: shared bytes could change after a check. */
export function isBytes(value: unknown): value is Uint8Array<ArrayBuffer> {
  return value instanceof Uint8Array && value.buffer instanceof ArrayBuffer;
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

export function isNumber(value: unknown): value is number {
  return typeof value === 'number';
}

function isLength(value: unknown): boolean {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}

function isStrings(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((each) => typeof each === 'string');
}
