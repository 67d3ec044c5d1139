import { latin1, latin1Bytes } from '../workspace/servers/byte-source.ts';

type Bytes = Uint8Array<ArrayBuffer>;

/** Where a page begins: a byte order mark, comments, the doctype. Whatever comes before the doctype would take it away. */
const START = /^(?:\xef\xbb\xbf)?\s*(?:<!--[^]*?-->\s*)*<!doctype[^>]*>/i;
const ENOUGH = 4096;

/** Puts an element in front of everything else in a page, behind its doctype, while the page streams. */
export function withFirstElement(page: ReadableStream<Bytes>, element: string): ReadableStream<Bytes> {
  let begun = '';
  let isIn = false;
  const put = (controller: TransformStreamDefaultController<Bytes>) => {
    isIn = true;
    const [doctype = ''] = START.exec(begun) ?? [];
    controller.enqueue(latin1Bytes(doctype));
    controller.enqueue(new TextEncoder().encode(element));
    controller.enqueue(latin1Bytes(begun.slice(doctype.length)));
  };
  return page.pipeThrough(
    new TransformStream<Bytes, Bytes>({
      transform(piece, controller) {
        if (isIn) return controller.enqueue(piece);
        begun += latin1(piece);
        if (begun.length >= ENOUGH || START.test(begun)) put(controller);
      },
      flush(controller) {
        if (!isIn) put(controller);
      },
    }),
  );
}
