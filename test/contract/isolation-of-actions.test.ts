import { isolate } from './isolate.ts';

isolate('actions', ({ method, id }) => method === 'POST' && !id.startsWith('executeOperation'));
