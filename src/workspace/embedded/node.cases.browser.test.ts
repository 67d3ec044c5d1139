import { nodeSuite } from '../../../test/support/node-cases/suite.ts';

nodeSuite({ title: 'node and npm', areas: (area) => !area.startsWith('packages'), floor: 0 });
