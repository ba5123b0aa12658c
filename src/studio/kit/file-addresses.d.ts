/** Files that the build puts beside the scripts; the import is their address. */
declare module '*.wasm' {
  const address: string;
  export default address;
}
declare module '*.ttf' {
  const address: string;
  export default address;
}
declare module '*.bin' {
  const address: string;
  export default address;
}
