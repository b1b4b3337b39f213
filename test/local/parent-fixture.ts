// Reports that it watches, and exits with 7 when its parent process has ended.
import { onParentGone } from '../../src/local/parent.ts';

onParentGone(() => process.exit(7));
console.log(JSON.stringify({ watching: process.pid }));
setInterval(() => undefined, 60_000);
