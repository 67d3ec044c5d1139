/** Loads a preview anew where it is; a frame that does not take part gets its address again. */
export { reloadPreview } from '@webcontainer/api/utils';
