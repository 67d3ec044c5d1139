import '../../../src/base/zod-config.ts';
import { mountPage } from '../../../src/ui/mount.ts';
import { scenes } from './scenes.ts';

const parameters = new URLSearchParams(location.search);
const make = scenes[parameters.get('scene') ?? 'working'];
if (!make) throw new Error(`Scenes: ${Object.keys(scenes).join(', ')}`);
const { app, open } = make();
if (open) location.hash = `#/session/${open}`;
const theme = parameters.get('theme');
if (theme) localStorage.setItem('vitrine.theme', theme);
mountPage(document.getElementById('app')!, app);
// For scripts that drive a scene further.
Object.assign(window, { story: { app, session: app.all.find(({ id }) => id === open) } });
