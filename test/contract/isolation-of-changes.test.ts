import { isolate } from './isolate.ts';

isolate('changes', ({ method }) => method !== 'GET' && method !== 'POST');
