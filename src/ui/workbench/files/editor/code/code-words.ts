import { messages } from '../../../../languages/messages.ts';

/** Texts of what the language service does in the editor. */
export const codeWords = messages('codeServices', {
  problems: (count: number) => (count === 1 ? '1 problem' : `${count} problems`),
  problemsTitle: 'List the problems (Ctrl+Shift+M). Alt+F8 goes to the next one.',
  definition: 'Definition',
  definitionTitle: 'Go to the definition (F12)',
  rename: 'Rename',
  renameTitle: 'Rename the name at the cursor (F2)',
  unavailable: (why: string) => `The language service cannot answer: ${why}`,
  noDefinition: 'No definition was found here.',
  builtIn: (name: string) =>
    `This is declared in ${name}, which comes with TypeScript and is not in the workspace.`,
  noHover: 'Nothing is known about this place.',

  renameLabel: (name: string) => `New name for ${name}`,
  noName: 'Put the cursor into the name that you want to change.',
  saveFirst: (path: string) => `${path} has unsaved edits. Save or discard them, then rename.`,
  changed: (path: string) => `${path} changed meanwhile. Nothing was renamed. Try again.`,
  halfDone: (paths: string) => `A file changed meanwhile, and these could not be put back: ${paths}`,
  places: (places: number, files: number) =>
    `${places === 1 ? '1 place' : `${places} places`} in ${files === 1 ? '1 file' : `${files} files`}:`,
  inFile: (path: string, places: number) => `${path} (${places})`,
  nothing: 'Nothing would change.',
  look: 'Show the places',
  renameAll: 'Rename all',
  cancel: 'Cancel',
  renamed: (name: string, places: number) =>
    `Renamed to ${name} in ${places === 1 ? '1 place' : `${places} places`}.`,
});
