// Says that it watches, and ends with 7 when what started it is gone.
import { onParentGone } from '../../src/local/parent.ts';

onParentGone(() => process.exit(7));
console.log(JSON.stringify({ watching: process.pid }));
setInterval(() => undefined, 60_000);
