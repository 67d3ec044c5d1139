/** The people who can open a link to a page: those on this computer, those in its network, or everybody. */
export type Reach = 'computer' | 'network' | 'everybody';

const OF_COMPUTER = /^(?:(?:.+\.)?localhost|127(?:\.\d+){3}|0\.0\.0\.0|\[::1\])$/;
/** Matches numbers that are given to private networks, and names that no public directory has. */
const OF_NETWORK =
  /^(?:10(?:\.\d+){3}|192\.168(?:\.\d+){2}|169\.254(?:\.\d+){2}|172\.(?:1[6-9]|2\d|3[01])(?:\.\d+){2}|\[f[cd][\da-f]{2}:.*|\[fe[89ab][\da-f]:.*|[^.[]+|.+\.(?:local|lan|internal|home\.arpa))$/;

export function reachOf({
  protocol,
  hostname,
}: {
  readonly protocol: string;
  readonly hostname: string;
}): Reach {
  if (protocol === 'file:' || OF_COMPUTER.test(hostname)) return 'computer';
  return OF_NETWORK.test(hostname) ? 'network' : 'everybody';
}
