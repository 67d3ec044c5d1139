import type { FromShell, FsCall } from '../protocol.ts';

/**
 * Whether a worker's message is one. Workers are started by the kernel but run what the workspace holds: a message that
 * only looks right must not reach the files or the counting of bytes.
 */
export function isFromShell(message: unknown): message is FromShell {
  if (!isRecord(message)) return false;
  switch (message.kind) {
    case 'ready':
      return Array.isArray(message.commands) && message.commands.every((name) => typeof name === 'string');
    case 'rested':
      return true;
    case 'fs':
      return isNumber(message.id) && isNumber(message.run) && isFsCall(message.call);
    case 'output':
      return isNumber(message.run) && message.bytes instanceof Uint8Array;
    case 'done':
      return isNumber(message.run) && Number.isInteger(message.exitCode) && typeof message.cwd === 'string';
    default:
      return false;
  }
}

const TYPES = {
  path: 'string',
  from: 'string',
  to: 'string',
  target: 'string',
  recursive: 'boolean',
  force: 'boolean',
} as const;

/** Checks every field a call may have; that its operation needs them is up to the tree, which refuses without. */
function isFsCall(call: unknown): call is FsCall {
  if (!isRecord(call) || typeof call.op !== 'string') return false;
  if (typeof call.path !== 'string' && typeof call.from !== 'string') return false;
  for (const [field, type] of Object.entries(TYPES))
    if (field in call && typeof call[field] !== type) return false;
  if ('content' in call && !(call.content instanceof Uint8Array)) return false;
  if ((call.op === 'write' || call.op === 'append') && !('content' in call)) return false;
  return ['mode', 'modified'].every((field) => !(field in call) || Number.isSafeInteger(call[field]));
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

function isNumber(value: unknown): value is number {
  return typeof value === 'number';
}
