/** Downloads a file through the browser. */
export function saveBlob(blob: Blob, name: string): void {
  const address = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  // Once the download has started, it no longer needs the address.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
