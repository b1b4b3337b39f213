import { isolate } from './isolate.ts';

isolate('reads', ({ method }) => method === 'GET');
