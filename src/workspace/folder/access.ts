/** The parts of the File System Access API that the platform's types do not have yet. */
interface PickerWindow {
  showDirectoryPicker?(options: {
    readonly id: string;
    readonly mode: 'readwrite';
  }): Promise<FileSystemDirectoryHandle>;
}
interface PermissionHandle {
  queryPermission?(descriptor: { readonly mode: 'readwrite' }): Promise<PermissionState>;
  requestPermission?(descriptor: { readonly mode: 'readwrite' }): Promise<PermissionState>;
}

/** Lets the person choose a folder of the disk; `undefined` where the browser has no such dialog. */
export function folderPicker(): (() => Promise<FileSystemDirectoryHandle | null>) | undefined {
  const page = window as Window & PickerWindow;
  if (!page.showDirectoryPicker) return undefined;
  return async () => {
    try {
      return (await page.showDirectoryPicker?.({ id: 'vitrine', mode: 'readwrite' })) ?? null;
    } catch (error) {
      // The person closed the dialog.
      if (error instanceof DOMException && error.name === 'AbortError') return null;
      throw error;
    }
  };
}

/**
 * Whether the folder may be read and written. The browser may ask the person, so this must be called while a click or
 * key press is handled.
 */
export async function isPermitted(handle: FileSystemDirectoryHandle): Promise<boolean> {
  const folder = handle as FileSystemDirectoryHandle & PermissionHandle;
  const mode = { mode: 'readwrite' } as const;
  if ((await folder.queryPermission?.(mode)) === 'granted') return true;
  return (await folder.requestPermission?.(mode)) === 'granted';
}
