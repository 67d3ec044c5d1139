import { FaultError, type Fault } from '../base/fault.ts';

/** Codes of what can go wrong with storage. `record-damaged` and `log-conflict` are about one record, the rest about all. */
export type StorageFaultCode =
  | 'storage-full'
  | 'storage-unavailable'
  | 'storage-lost'
  | 'storage-wiped'
  | 'storage-too-new'
  | 'storage-blocked'
  | 'storage-superseded'
  | 'storage-refused'
  | 'record-damaged'
  | 'log-conflict';

/** What ails the storage as a whole until a write succeeds: the storage itself tells it, and that it is mended. */
export const ILLNESSES: ReadonlySet<string> = new Set<StorageFaultCode>([
  'storage-full',
  'storage-lost',
  'storage-unavailable',
]);

const NEXT: Record<StorageFaultCode, string> = {
  'storage-full':
    'Free some space (delete sessions or workspaces, or clear other sites), then try again. Until then new work is kept in this tab only.',
  'storage-unavailable':
    'Leave the private window or allow this site to store data, then reload. Until then everything is kept in this tab only.',
  'storage-lost': 'Try again. If it keeps happening, reload the page.',
  'storage-wiped':
    'Sessions and files that were stored here are gone. Export what is open in this tab to keep it.',
  'storage-too-new': 'Reload the page to get the newer version of Vitrine.',
  'storage-blocked': 'Close or reload the other tabs with Vitrine.',
  'storage-superseded': 'Reload this tab to go on with the newer version of Vitrine.',
  'storage-refused': 'Report this as a defect of Vitrine: the value could not be stored as it is.',
  'record-damaged': 'Everything else stays usable and nothing was deleted.',
  'log-conflict': 'Another tab wrote to this session. Reload it to see what is stored.',
};

export function storageFault(code: StorageFaultCode, what: string, where?: string): Fault {
  return { code, what, ...(where === undefined ? {} : { where }), next: NEXT[code] };
}

export function fail(code: StorageFaultCode, what: string, where?: string, cause?: unknown): never {
  throw new FaultError(storageFault(code, what, where), { cause });
}

const QUOTA_NAMES = new Set([
  'QuotaExceededError',
  'NS_ERROR_DOM_QUOTA_REACHED',
  'NS_ERROR_FILE_NO_DEVICE_SPACE',
]);

/** What the browser threw, as a fault that says what to do; faults pass through. */
export function asStorageError(error: unknown, where: string): FaultError {
  if (error instanceof FaultError) return error;
  const { name, message } = error instanceof Error ? error : { name: '', message: String(error) };
  const { code, what } = classify(name, message);
  return new FaultError(storageFault(code, what, where), { cause: error });
}

function classify(name: string, message: string): { code: StorageFaultCode; what: string } {
  if (QUOTA_NAMES.has(name))
    return { code: 'storage-full', what: 'The browser has no more room for this site.' };
  if (name === 'VersionError')
    return {
      code: 'storage-too-new',
      what: 'What is stored here was written by a newer version of Vitrine.',
    };
  if (name === 'SecurityError' || name === 'NotSupportedError')
    return { code: 'storage-unavailable', what: 'The browser does not let this page store anything.' };
  if (name === 'DataCloneError' || name === 'DataError' || name === 'ConstraintError')
    return { code: 'storage-refused', what: `The browser refused a record: ${message}` };
  return { code: 'storage-lost', what: `The browser could not reach its storage: ${message || name}` };
}
