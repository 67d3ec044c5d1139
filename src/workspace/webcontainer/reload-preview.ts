/** Reloads a preview at its current address. A frame without support for that gets its original address again. */
export { reloadPreview } from '@webcontainer/api/utils';
