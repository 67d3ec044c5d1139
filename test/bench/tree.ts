/** A made-up tree of 5,000 text files, 30 MB, the same at each call: what the search benchmarks look through. */
export const FILES = 5000;
const BYTES = 6000;

export function* tree(files = FILES): Generator<{ path: string; text: string }> {
  let seed = 42;
  const random = (below: number) => {
    seed = (seed * 1664525 + 1013904223) % 4294967296;
    return Math.floor((seed / 4294967296) * below);
  };
  const words = Array.from({ length: 800 }, (_, index) => `w${(index * 7919).toString(36)}`);
  for (let file = 0; file < files; file++) {
    const lines: string[] = [];
    let size = 0;
    while (size < BYTES) {
      const line = Array.from({ length: 8 }, () => words[random(words.length)]).join(' ');
      const marked = random(600) === 0 ? `${line} ${['TODO', 'FIX12', 'Todo  fix'][random(3)]}` : line;
      lines.push(marked);
      size += marked.length + 1;
    }
    yield { path: `dir${file % 50}/sub${file % 7}/file${file}.ts`, text: `${lines.join('\n')}\n` };
  }
}
