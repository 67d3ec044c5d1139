// Lets git run the hooks of .githooks in this clone. npm runs this after each installation.
import { spawnSync } from 'node:child_process';

// Without git, or in a folder that is no repository, there is nothing to set.
spawnSync('git', ['config', 'core.hooksPath', '.githooks'], { stdio: 'ignore' });
