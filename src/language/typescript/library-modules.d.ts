/** Maps file names to texts; see build/typescript-libraries.ts. */
declare module 'typescript-library:*' {
  const texts: Readonly<Record<string, string>>;
  export default texts;
}
