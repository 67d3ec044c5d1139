import images from 'virtual:images';
import { lazily } from '../../base/lazily.ts';
import { loadBytes } from '../../base/parts.ts';
import type { Images } from './images.ts';

/** Each image is fetched once for all workspaces of the page. */
const loads = new Map(images.map(({ facts, url }) => [facts.name, lazily(() => loadBytes(url))]));

/** The images that belong to this page. */
export const pageImages: Images = {
  facts: images.map(({ facts }) => facts),
  async packed(name) {
    const load = loads.get(name);
    if (!load) throw new Error('this page does not have it');
    return (await load()).slice(0);
  },
};
