/** The id of the session that the page shows, by its address. */
export function shownSessionID(): string | undefined {
  return /^#\/session\/([\w-]+)$/.exec(location.hash)?.[1];
}

export function showSession(id: string): void {
  if (shownSessionID() !== id) location.hash = `#/session/${id}`;
}
