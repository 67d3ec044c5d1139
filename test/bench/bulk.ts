/**
 * Made-up files for what the shell does with many or large ones, the same at each call: `tree`, 600 files of 3 MB together
 * in 80 folders, its equal `twin`, and `big.log` and `big.csv` of 2 MB and more.
 */
export function* bulk(): Generator<{ path: string; text: string }> {
  let seed = 7;
  const random = (below: number) => {
    seed = (seed * 1664525 + 1013904223) % 4294967296;
    return Math.floor((seed / 4294967296) * below);
  };
  const words = 'import export return const value error debug index table of to from in list name'.split(' ');
  const line = () => Array.from({ length: 8 }, () => words[random(words.length)]).join(' ');
  const lines = (count: number, make: () => string) => `${Array.from({ length: count }, make).join('\n')}\n`;
  for (let file = 0; file < 600; file++) {
    const text = lines(115, line);
    for (const root of ['tree', 'twin'])
      yield { path: `${root}/dir${file % 20}/sub${file % 3}/file${file}.ts`, text };
  }
  const levels = ['info', 'debug', 'error', 'warn'];
  yield {
    path: 'big.log',
    text: lines(
      60_000,
      () => `${random(3000)}-${random(12)} ${levels[random(4)]} ${line().slice(0, 24)} ${random(900)}`,
    ),
  };
  yield {
    path: 'big.csv',
    text: lines(100_000, () => `${random(9000)},${random(100)},${words[random(16)]},${random(99999)},x`),
  };
}
