/** Whether what is called now was called by a package: what those do is not worth a warning each. */
export function isInsideNodeModules(): boolean {
  const [, ...lines] = (new Error().stack ?? '').split('\n');
  const places = lines.map((line) => /^\s*at (?:.*\()?(.*?)(?::\d+:\d+)?\)?$/.exec(line)?.[1] ?? '');
  const caller = places.find((place) => /[\\/]/.test(place) && !/^(?:node|blob):/.test(place));
  return /[\\/]node_modules[\\/]/.test(caller ?? '');
}
