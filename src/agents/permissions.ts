import { permissionsFor } from '../tools/permissions.ts';

/** Groups of permissions, for agents that have only some. */
export const LOOKING = [...permissionsFor('reads'), 'skill'];
export const RUNNING = permissionsFor('runs');
export const WEB = permissionsFor('web');
