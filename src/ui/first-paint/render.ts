import { render } from 'svelte/server';
import FirstPaint from './FirstPaint.svelte';

/**
 * index.html holds this until the app has started: the frame of the page, and on a first page in English its title and text,
 * where the app will put them. Rendered by the build.
 */
export const firstPaint: string = render(FirstPaint).body;
