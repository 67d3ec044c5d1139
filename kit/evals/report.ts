import { cellsOf, changeOf, type Cell, type EvalResults, type RunResult } from './results.ts';

/** A page without scripts that shows an evaluation. Each run's recording opens in a page beside its file. */
export function reportPage(results: EvalResults, earlier: EvalResults | undefined): string {
  const cells = cellsOf(results.runs);
  const before = earlier ? cellsOf(earlier.runs) : [];
  const models = [...new Set(cells.map(({ model }) => model))];
  const tasks = [...new Set(cells.map(({ task }) => task))];
  const date = new Date(results.started).toISOString();
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${escaped(results.title)}</title>
<style>
  :root { color-scheme: light dark; font: 15px/1.5 system-ui, sans-serif; }
  body { max-width: 75rem; margin: 2rem auto; padding: 0 1rem; }
  .scrolls { overflow-x: auto; }
  table { border-collapse: collapse; }
  th, td { padding: .4rem .7rem; border: 1px solid #8886; text-align: start; vertical-align: top; }
  small { display: block; opacity: .75; }
  .failed { color: light-dark(#a3231c, #ff9b92); white-space: pre-line; }
</style>
<h1>${escaped(results.title)}</h1>
<p>Measured ${date}. The interval is the 95 % Wilson interval of the pass rate; all else is the median of a cell's runs.</p>
<div class="scrolls" tabindex="0" role="region" aria-label="Pass rates">
<table>
<tr><th scope="col">Task</th>${models.map((model) => `<th scope="col">${escaped(model)}</th>`).join('')}</tr>
${tasks
  .map((task) => {
    const row = models.map((model) => cells.find((cell) => cell.task === task && cell.model === model));
    return `<tr><th scope="row">${escaped(task)}</th>${row.map((cell) => cellOf(cell, before)).join('')}</tr>`;
  })
  .join('\n')}
</table>
</div>
<h2>Runs</h2>
<div class="scrolls" tabindex="0" role="region" aria-label="Runs">
<table>
<tr><th scope="col">Task</th><th scope="col">Model</th><th scope="col">Run</th><th scope="col">Result</th><th scope="col">Calls</th><th scope="col">Recording</th></tr>
${results.runs.map(runOf).join('\n')}
</table>
</div>
</html>
`;
}

function cellOf(cell: Cell | undefined, before: readonly Cell[]): string {
  if (!cell) return '<td></td>';
  const [low, high] = cell.interval.map((share) => Math.round(100 * share));
  const change = changeOf(cell, before);
  const since =
    change === undefined
      ? ''
      : `<small>${change < 0 ? '−' : '+'}${Math.abs(change)} points since last time</small>`;
  return `<td><strong>${Math.round((100 * cell.passed) / cell.runs)} %</strong> (${cell.passed} of ${cell.runs})
<small>${low}–${high} %</small><small>${costs(cell)}</small>${since}</td>`;
}

/** The page that shows a recording, from the path of its file. */
export function pageOf(recording: string): string {
  return recording.replace(/\.json$/, '.html');
}

function costs({ steps, tokens, cost, ms }: Pick<Cell, 'steps' | 'tokens' | 'cost' | 'ms'>): string {
  const dollars = cost > 0 ? `, $${cost.toPrecision(2)}` : '';
  return `${steps} steps, ${tokens} tokens${dollars}, ${(ms / 1000).toFixed(1)} s`;
}

function runOf(run: RunResult): string {
  const { task, model, run: number, failures, calls, recording } = run;
  const result =
    failures.length === 0 ? 'passed' : `<span class="failed">${failures.map(escaped).join('<br>')}</span>`;
  const link = recording ? `<a href="${escaped(pageOf(recording))}">open</a>` : '';
  return `<tr><td>${escaped(task)}</td><td>${escaped(model)}</td><td>${number}</td><td>${result}<small>${costs(run)}</small></td><td>${escaped(calls.join(', '))}</td><td>${link}</td></tr>`;
}

function escaped(text: string): string {
  const names: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
  return text.replace(/[&<>"]/g, (char) => names[char] ?? char);
}
