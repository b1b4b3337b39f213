import { isolate } from './isolate.ts';

isolate('operations', ({ id }) => id.startsWith('executeOperation'));
