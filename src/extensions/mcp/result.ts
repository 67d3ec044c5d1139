import type { CallToolResult } from '@modelcontextprotocol/client';
import { fromBase64 } from '../../base/base64.ts';
import type { JsonObject } from '../../base/json.ts';
import type { ToolAttachment, ToolResult } from '../../tools/tool.ts';

const ATTACHED = /^(image\/(png|jpeg|gif|webp)|application\/pdf)$/;
const ATTACHED_BYTES = 10 * 1024 * 1024;

/** Converts a server's answer to a tool result: texts are joined by empty lines, images and PDFs attached. */
export function toolResult(answer: CallToolResult): ToolResult {
  const texts: string[] = [];
  const attachments: ToolAttachment[] = [];
  const attach = (mediaType: string, data: string, name?: string) => {
    const bytes = ATTACHED.test(mediaType) ? bytesOf(data) : undefined;
    if (bytes && bytes.byteLength <= ATTACHED_BYTES)
      attachments.push({ mediaType, bytes, ...(name !== undefined && { filename: name }) });
    else
      texts.push(
        `[${name ?? 'content'} of type ${mediaType} is left out: only images and PDFs up to 10 MB are attached]`,
      );
  };
  for (const item of answer.content) {
    if (item.type === 'text') texts.push(item.text);
    else if (item.type === 'image' || item.type === 'audio') attach(item.mimeType, item.data);
    else if (item.type === 'resource_link') texts.push(`${item.name}: ${item.uri}`);
    else if (item.type === 'resource') {
      const { resource } = item;
      if ('text' in resource) texts.push(resource.text);
      else attach(resource.mimeType ?? 'application/octet-stream', resource.blob, resource.uri);
    }
  }
  if (texts.length === 0 && answer.structuredContent !== undefined)
    texts.push(JSON.stringify(answer.structuredContent, null, 2));
  return { output: texts.join('\n\n'), attachments, metadata: metadataOf(answer) };
}

function metadataOf({ structuredContent }: CallToolResult): JsonObject {
  if (structuredContent === undefined) return {};
  const text = JSON.stringify(structuredContent);
  // Metadata is stored in the log, and the output usually has the same content.
  return text.length > 20_000 ? {} : { structuredContent: JSON.parse(text) };
}

function bytesOf(base64: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return fromBase64(base64);
  } catch {
    return undefined;
  }
}
