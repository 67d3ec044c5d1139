import '../../src/base/zod-config.ts';
import * as container from './page-container.ts';
import { PageGit } from './page-git.ts';
import { longSession } from './page-long.ts';
import { bareLoop, ownLoop, recordedLoop } from './page-loop.ts';
import { PagePackages } from './page-packages.ts';
import {
  bulkFiles,
  files,
  grep,
  history,
  openBulk,
  openEmpty,
  openHistory,
  openWorkspace,
  output,
  runTool,
  shell,
  usable,
  write,
} from './page-workspace.ts';

const bench = {
  usable,
  openWorkspace,
  openHistory,
  history,
  openBulk,
  bulkFiles,
  openEmpty,
  output,
  files,
  grep,
  shell,
  write,
  runTool,
  ownLoop,
  recordedLoop,
  bareLoop,
  longSession,
  pageGit: new PageGit(),
  packages: new PagePackages(),
  ...container,
};
export type Bench = typeof bench;
Object.assign(window, { bench });
