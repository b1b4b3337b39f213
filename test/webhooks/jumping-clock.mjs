// Preloaded into a process (`node --import`): its wall clock is off by the milliseconds in the file
// that JUMPING_CLOCK names, from the next tenth of a second on. Timers are unchanged.
import { readFileSync } from 'node:fs';

const Real = Date;
const file = process.env['JUMPING_CLOCK'];
let offMs = 0;
const look = () => {
  offMs = Number(readFileSync(file, 'utf8'));
};
look();
setInterval(look, 100).unref();

globalThis.Date = class extends Real {
  constructor(...given) {
    if (given.length === 0) super(Real.now() + offMs);
    else super(...given);
  }
  static now() {
    return Real.now() + offMs;
  }
};
