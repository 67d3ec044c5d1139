import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { TestCall } from '../../test/support/tool-context.ts';
import { cut, MAX_BYTES, MAX_LINES, truncate } from './truncate.ts';

const lines = (count: number) => Array.from({ length: count }, (_, index) => `line ${index + 1}\n`).join('');
const size = (text: string) => new TextEncoder().encode(text).length;

test('a text within both limits is not cut', () => {
  expect(cut(lines(MAX_LINES), 'head')).toMatchObject({ truncated: false, lines: MAX_LINES });
  expect(cut('x'.repeat(MAX_BYTES), 'tail')).toMatchObject({ truncated: false, bytes: MAX_BYTES, lines: 1 });
  expect(cut('', 'head')).toMatchObject({ truncated: false, lines: 0, preview: '' });
});

test('head keeps the first whole lines, tail the last', () => {
  const head = cut(lines(MAX_LINES + 1), 'head');
  expect(head).toMatchObject({ truncated: true, lines: 2001, shownLines: 2000 });
  expect(head.preview.startsWith('line 1\n')).toBe(true);
  expect(head.preview.endsWith('line 2000\n')).toBe(true);
  const tail = cut(lines(MAX_LINES + 1), 'tail');
  expect(tail.preview.startsWith('line 2\n')).toBe(true);
  expect(tail.preview.endsWith('line 2001\n')).toBe(true);
  const bytes = cut(`${'a'.repeat(40_000)}\n${'b'.repeat(20_000)}\n`, 'head');
  expect(bytes.preview).toBe(`${'a'.repeat(40_000)}\n`);
});

test.each(['head', 'tail'] as const)('a single huge line still yields a preview (%s)', (direction) => {
  for (const text of ['é'.repeat(60_000), `${'😀'.repeat(60_000)}\n`, `ok\n${'x'.repeat(90_000)}\nok\n`]) {
    const { preview, truncated } = cut(text, direction);
    expect(truncated).toBe(true);
    expect(size(preview)).toBeGreaterThan(MAX_BYTES - 8);
    expect(preview).not.toContain('\uFFFD');
  }
});

test('a preview is a start or an end of the text, within the limits, and not small', () => {
  const piece = fc.oneof(
    fc.string({ maxLength: 20 }),
    fc.constantFrom('\n', 'é'.repeat(30_000), 'x'.repeat(20_000), lines(900), '😀\r\n'),
  );
  fc.assert(
    fc.property(
      fc.array(piece, { maxLength: 12 }),
      fc.constantFrom('head' as const, 'tail' as const),
      (pieces, way) => {
        const text = pieces.join('');
        const result = cut(text, way);
        expect(way === 'head' ? text.startsWith(result.preview) : text.endsWith(result.preview)).toBe(true);
        expect(size(result.preview)).toBeLessThanOrEqual(MAX_BYTES);
        // No character is cut in two.
        expect(new TextDecoder().decode(new TextEncoder().encode(result.preview))).toBe(result.preview);
        expect(result.shownLines).toBeLessThanOrEqual(MAX_LINES);
        expect(result.truncated).toBe(result.preview !== text);
        if (result.truncated && result.shownLines < MAX_LINES) {
          expect(size(result.preview)).toBeGreaterThanOrEqual(MAX_BYTES / 2);
        }
      },
    ),
  );
});

describe('the note for the model', () => {
  const run = async (text: string, direction: 'head' | 'tail') => {
    const call = new TestCall();
    return { call, ...(await truncate(text, { tool: 'bash', direction, outputs: call.outputs })) };
  };

  test('head: the preview, the totals, and a read call for what comes next', async () => {
    const { output, metadata, fullOutput, call } = await run(lines(12_458), 'head');
    expect(output).toContain(
      'line 2000\n\n[Output truncated after 2,000 lines. Full output (12,458 lines, 123 KB) written to:',
    );
    expect(output).toContain(
      'read(filePath="~/.opencode/truncate/ses_1/tool_bash_001.txt", offset=2001, limit=100)',
    );
    expect(metadata).toEqual({
      truncated: true,
      originalSize: size(lines(12_458)),
      truncatedSize: size(lines(2000)),
      outputPath: '~/.opencode/truncate/ses_1/tool_bash_001.txt',
    });
    expect(fullOutput).toMatchObject({ lines: 12_458, bytes: size(lines(12_458)) });
    expect(await call.outputs.read('~/.opencode/truncate/ses_1/tool_bash_001.txt')).toBe(lines(12_458));
  });

  test('tail: the hint first, then the end', async () => {
    const { output } = await run(lines(3000), 'tail');
    expect(output.startsWith('[Output truncated to the last 2,000 lines.')).toBe(true);
    expect(output).toContain('offset=901, limit=100)');
    expect(output.endsWith('line 3000\n')).toBe(true);
  });

  test('an output that cannot be stored is still shown, with the reason', async () => {
    const call = new TestCall();
    call.outputs.save = async () => {
      throw new Error('no space left');
    };
    const { output, metadata } = await truncate(lines(3000), {
      tool: 'bash',
      direction: 'head',
      outputs: call.outputs,
    });
    expect(output).toContain('line 2000');
    expect(output).toContain('the rest could not be kept: no space left');
    expect(metadata).not.toHaveProperty('outputPath');
  });
});
