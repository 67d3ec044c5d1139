import type { FromNode, NodeCall, NodeFsCall } from '../shared/wire.ts';
import { NODE_PARTS } from '../../src/protocol/frame.ts';
import { isSignal } from '../shared/signals.ts';
import { isAddress, isBytes, isChildStart, isFsCall, isNumber, isRecord, isToChild } from './checked.ts';

/** Whether a node worker's message is valid; see {@link isFromShell}. */
export function isFromNode(message: unknown): message is FromNode {
  if (!isRecord(message)) return false;
  switch (message.kind) {
    case 'ready':
    case 'more':
    case 'wantInput':
    case 'disconnect':
      return true;
    case 'message':
      return message.transfer === undefined || Array.isArray(message.transfer);
    case 'call':
      return isNodeCall(message.call);
    case 'output':
      return (message.stream === 1 || message.stream === 2) && isBytes(message.bytes);
    case 'append':
      return Number.isSafeInteger(message.handle) && isBytes(message.bytes);
    case 'catches':
      return Array.isArray(message.signals) && message.signals.every(isSignal);
    case 'keyboard':
      return typeof message.raw === 'boolean';
    case 'child':
      return isToChild(message.message);
    case 'watch':
      return (
        isNumber(message.watch) && typeof message.path === 'string' && typeof message.recursive === 'boolean'
      );
    case 'unwatch':
      return isNumber(message.watch);
    case 'unlisten':
      return isAddress(message.address);
    case 'compiled':
      return typeof message.name === 'string' && message.module instanceof WebAssembly.Module;
    case 'exit':
      return (
        Number.isSafeInteger(message.exitCode) && (message.signal === undefined || isSignal(message.signal))
      );
    default:
      return false;
  }
}

function isNodeCall(call: unknown): call is NodeCall {
  if (!isRecord(call)) return false;
  switch (call.kind) {
    case 'files':
      return isNodeFsCall(call.call);
    case 'severalFiles':
      return Array.isArray(call.calls) && call.calls.every(isNodeFsCall);
    case 'readInput':
      return true;
    case 'part':
      return NODE_PARTS.some((part) => part === call.part);
    case 'moduleCode':
      return typeof call.name === 'string';
    case 'keepModuleCode':
      return typeof call.name === 'string' && isBytes(call.code);
    case 'startChild':
      return isChildStart(call.start);
    case 'kill':
      return isNumber(call.pid) && (call.signal === undefined || isSignal(call.signal));
    case 'listen':
      return isAddress(call.address);
    case 'runChild':
      return (
        isChildStart(call.start) &&
        isBytes(call.input) &&
        (call.killSignal === undefined || isSignal(call.killSignal)) &&
        [call.timeoutMs, call.maxBytes].every((each) => each === undefined || isNumber(each)) &&
        (call.inherits === undefined || (Array.isArray(call.inherits) && call.inherits.every(isNumber)))
      );
    default:
      return false;
  }
}

/** The fields that each operation on a handle needs, all of them integers. */
const HANDLE_FIELDS: Readonly<Record<string, readonly string[]>> = {
  close: ['handle'],
  fstat: ['handle'],
  readAt: ['handle', 'position', 'length'],
  writeAt: ['handle', 'position'],
  truncate: ['handle', 'length'],
  fchmod: ['handle', 'mode'],
  futimes: ['handle', 'modified', 'accessed'],
};

/** The largest length and position in a file that a call may give. The browser refuses larger buffers anyway. */
const MAX_LENGTH = 2 ** 31;

export function isNodeFsCall(call: unknown): call is NodeFsCall {
  if (!isRecord(call) || typeof call.op !== 'string') return false;
  const fields = HANDLE_FIELDS[call.op];
  if (!fields) return isFsCall(call);
  if (call.op === 'writeAt' && !isBytes(call.content)) return false;
  if (isNumber(call.length) && (call.length < 0 || call.length > MAX_LENGTH)) return false;
  if (isNumber(call.position) && call.position > MAX_LENGTH) return false;
  return fields.every((field) => Number.isSafeInteger(call[field]));
}
