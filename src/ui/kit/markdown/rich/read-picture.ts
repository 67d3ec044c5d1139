/** Reads a picture of the workspace by the address that Markdown has for it. Says in words why there is none. */
export type ReadPicture = (address: string) => Promise<Blob | string>;
