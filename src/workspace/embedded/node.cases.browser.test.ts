import { nodeSuite } from '../../../test/support/node-cases/suite.ts';

nodeSuite({ title: 'node against real Node 22', areas: (area) => !area.startsWith('packages') });
