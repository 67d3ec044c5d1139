/** The address of one classic script made of the named module and all it imports; see build/guest-plugin.ts. */
declare module 'guest:*' {
  const url: string;
  export default url;
}

/** In a guest script: those of its modules that its parts use too, by their paths; see build/guest-bundle.ts. */
declare module 'virtual:guest-shared' {
  export const shared: Readonly<Record<string, object>>;
}
