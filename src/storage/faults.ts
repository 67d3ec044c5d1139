import { FaultError, type Fault } from '../base/fault.ts';

/** Codes of storage problems. `record-damaged` and `log-conflict` concern one record, the others the whole storage. */
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

/**
 * Problems that affect the whole storage until a write succeeds. The storage itself reports them, and also when they
 * are over.
 */
export const STORAGE_WIDE_FAULTS: ReadonlySet<string> = new Set<StorageFaultCode>([
  'storage-full',
  'storage-lost',
  'storage-unavailable',
]);

const NEXT: Record<StorageFaultCode, string> = {
  'storage-full':
    'Free some space (delete sessions or workspaces, or clear other sites), then try again. Unsaved work exists only in this tab: export it before you close the tab.',
  'storage-unavailable':
    'Leave the private window or allow this site to store data, then reload. Until then your work exists only in this tab.',
  'storage-lost': 'Try again. If it keeps happening, reload the page.',
  'storage-wiped':
    'Sessions and files that were stored here are gone. Export what is open in this tab to keep it.',
  'storage-too-new': 'Reload the page to get the newer version of Vitrine.',
  'storage-blocked': 'Close or reload the other tabs with Vitrine.',
  'storage-superseded': 'Reload this tab to continue with the newer version of Vitrine.',
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

/** Turns what the browser threw into a fault that says what to do. Faults pass through. */
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
      what: 'The stored data was written by a newer version of Vitrine.',
    };
  if (name === 'SecurityError' || name === 'NotSupportedError')
    return { code: 'storage-unavailable', what: 'The browser does not let this page store anything.' };
  if (name === 'DataCloneError' || name === 'DataError' || name === 'ConstraintError')
    return { code: 'storage-refused', what: `The browser refused a record: ${message}` };
  return { code: 'storage-lost', what: `The browser could not reach its storage: ${message || name}` };
}
