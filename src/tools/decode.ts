const SAMPLE_BYTES = 4096;

/** Extensions of binary files; any other file is judged by its content. */
const BINARY_EXTENSIONS = new Set(
  (
    'zip tar gz tgz bz2 xz 7z rar jar war class exe dll so dylib bin dat obj o a lib wasm pyc pyo ' +
    'doc docx xls xlsx ppt pptx odt ods odp mp3 mp4 mov avi mkv wav ogg flac woff woff2 ttf otf eot sqlite db'
  ).split(' '),
);

const MEDIA_TYPES: Readonly<Record<string, string>> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
  pdf: 'application/pdf',
};

/** The media type of an image or PDF that a model can view directly; SVG counts as text. */
export function mediaTypeOf(path: string): string | undefined {
  const extension = extensionOf(path);
  return Object.hasOwn(MEDIA_TYPES, extension) ? MEDIA_TYPES[extension] : undefined;
}

/** Judges by the extension, or by NULs or more than 30 % control characters at the start. An empty file is text. */
export function isBinary(path: string, bytes: Uint8Array): boolean {
  if (bytes.length === 0) return false;
  if (BINARY_EXTENSIONS.has(extensionOf(path))) return true;
  const sample = bytes.subarray(0, SAMPLE_BYTES);
  let controls = 0;
  for (const byte of sample) {
    if (byte === 0) return true;
    if (byte < 9 || (byte > 13 && byte < 32)) controls++;
  }
  return controls > sample.length * 0.3;
}

/** Decodes UTF-8 and keeps a byte order mark; `undefined` where the bytes are not UTF-8. */
export function decodeExactly(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** Decodes text for display: drops the byte order mark and replaces invalid bytes. */
export function decodeLoosely(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}

function extensionOf(path: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const dot = name.lastIndexOf('.');
  return dot <= 0 ? '' : name.slice(dot + 1).toLowerCase();
}
