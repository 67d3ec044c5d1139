/** The address of one classic script made of the named module and all it imports; see build/guest-plugin.ts. */
declare module 'guest:*' {
  const url: string;
  export default url;
}
