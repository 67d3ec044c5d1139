import type { Config } from '../kit/config.ts';

/** The address that a repository is fetched from: `url.BASE.insteadOf` of the settings puts BASE in place of a beginning. */
export function fetchAddress(config: Config, url: string): string {
  return replaced(config, url, 'insteadof') ?? url;
}

/** The address that is pushed to: `url.BASE.pushInsteadOf` comes before the other. */
export function pushAddress(config: Config, url: string): string {
  return replaced(config, url, 'pushinsteadof') ?? fetchAddress(config, url);
}

/** Where a remote is fetched from; undefined if there is none of this name. */
export function remoteAddress(config: Config, name: string): string | undefined {
  const url = config.get(`remote.${name}.url`);
  return url === undefined ? undefined : fetchAddress(config, url);
}

/** Where a remote is pushed to; undefined if there is none of this name. */
export function remotePushAddress(config: Config, name: string): string | undefined {
  const made = config.get(`remote.${name}.pushurl`);
  // Git applies `pushInsteadOf` only to a remote without an address of its own for pushes.
  if (made !== undefined) return fetchAddress(config, made);
  const url = config.get(`remote.${name}.url`);
  return url === undefined ? undefined : pushAddress(config, url);
}

/** Git takes the longest of the beginnings that fit. */
function replaced(config: Config, url: string, name: string): string | undefined {
  let longest = '';
  let base: string | undefined;
  for (const each of config.names('url'))
    for (const beginning of config.getAll(`url.${each}.${name}`)) {
      if (!url.startsWith(beginning) || beginning.length <= longest.length) continue;
      longest = beginning;
      base = each;
    }
  return base === undefined ? undefined : base + url.slice(longest.length);
}
