import { MAX_RECORDING_BYTES, RECORDING_FORMAT } from '../../../session/recording/recording.ts';

/** How Vitrine begins a recording; what follows may be cut off or too big. */
const BEGINNING = new RegExp(`^\\s*\\{\\s*"format"\\s*:\\s*"${RECORDING_FORMAT}"`);
const BEGINNING_BYTES = 1_000;

/**
 * The dropped file, if it is the only thing that was dropped. Must be called while the event is handled, because the
 * browser forgets it after that.
 */
export function fileAlone(transfer: DataTransfer): File | null {
  const [item, other] = [...transfer.items].filter(({ kind }) => kind === 'file');
  return !item || other || item.webkitGetAsEntry()?.isDirectory ? null : item.getAsFile();
}

/** Whether the content says that it is a recording. One that is cut off or too big is one, too: opening it says so. */
export async function isRecording(file: File): Promise<boolean> {
  try {
    const beginning = await file.slice(0, BEGINNING_BYTES).text();
    if (BEGINNING.test(beginning)) return true;
    if (!/^\s*\{/.test(beginning) || file.size > MAX_RECORDING_BYTES) return false;
    const text = await file.text();
    return text.includes(`"${RECORDING_FORMAT}"`) && formatOf(JSON.parse(text)) === RECORDING_FORMAT;
  } catch {
    // It is not JSON, or it cannot be read, which is said when it is added.
    return false;
  }
}

function formatOf(value: unknown): unknown {
  return value instanceof Object && 'format' in value ? value.format : undefined;
}
