import { messages } from '../../languages/messages.ts';

/** Texts around what an answer shows. */
export const markdownWords = messages('markdown', {
  picture: 'image',
  remotePicture: (name: string, host: string) => `${name || 'image'} (image on ${host}, not loaded)`,
  noPicture: (name: string, why: string) => `${name} (${why})`,
  pictureMissing: 'not in the workspace',
  pictureTooLarge: 'too large to show here',
  pictureNotImage: 'not an image that can be shown',
  table: 'Table',
  copyMarkdown: 'Copy as Markdown',
  copyCSV: 'Copy as CSV',
  copied: 'Copied',
  diagram: 'Diagram',
  drawing: 'Drawing the diagram',
  showSource: 'Show the source',
  showDiagram: 'Show the diagram',
  noDiagram: (why: string) => `The diagram cannot be drawn: ${why}`,
});
