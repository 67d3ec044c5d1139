/** The pictures in the clipboard; `null` if the browser or the person does not let the page read it. */
export async function clipboardFiles(
  clipboard: Pick<Clipboard, 'read'> | undefined,
): Promise<readonly File[] | null> {
  try {
    if (!clipboard) return null;
    const files: File[] = [];
    for (const item of await clipboard.read()) {
      const type = item.types.find((each) => each.startsWith('image/'));
      if (type === undefined) continue;
      const ending = type === 'image/jpeg' ? 'jpg' : type.slice('image/'.length);
      files.push(new File([await item.getType(type)], `picture.${ending}`, { type }));
    }
    return files;
  } catch {
    return null;
  }
}
