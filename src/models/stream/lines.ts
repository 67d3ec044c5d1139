/**
 * Yields the `data` of each server-sent event. Lines may end in LF, CR LF or CR alone. A last event without an empty
 * line after it counts if `isWhole` accepts it.
 */
export function eventsIn(isWhole: (data: string) => boolean): TransformStream<string, string> {
  let rest = '';
  let data: string[] = [];
  let afterCR = false;

  function line(text: string, controller: TransformStreamDefaultController<string>): void {
    if (text === '') {
      if (data.length > 0) controller.enqueue(data.join('\n'));
      data = [];
    } else if (text === 'data' || text.startsWith('data:')) {
      data.push(text.slice(5).replace(/^ /, ''));
    }
  }

  return new TransformStream({
    transform(chunk, controller) {
      // Skips the LF of a CR LF that was split between two chunks.
      const fresh = afterCR && chunk.startsWith('\n') ? chunk.slice(1) : chunk;
      if (chunk !== '') afterCR = chunk.endsWith('\r');
      // The buffered rest has no line ending, so it need not be searched again with every chunk.
      if (!/[\r\n]/.test(fresh)) return void (rest += fresh);
      const lines = (rest + fresh).split(/\r\n|\r|\n/);
      rest = lines.pop() ?? '';
      for (const each of lines) line(each, controller);
    },
    flush(controller) {
      line(rest, controller);
      if (data.length > 0 && isWhole(data.join('\n'))) controller.enqueue(data.join('\n'));
    },
  });
}
