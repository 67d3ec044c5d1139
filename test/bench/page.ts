import '../../src/base/zod-config.ts';
import { bareLoop, ownLoop } from './page-loop.ts';
import { files, grep, openWorkspace, runTool, shell, usable, write } from './page-workspace.ts';

const bench = { usable, openWorkspace, files, grep, shell, write, runTool, ownLoop, bareLoop };
export type Bench = typeof bench;
Object.assign(window, { bench });
