import Sequencer from '@jest/test-sequencer';

/** Folders whose files take long: at the end of a run they would leave the other workers idle. */
const slow = /\/test\/(abuse|contract|webhooks|workflows)\//;

/** Begins with slow files; the rest is in the usual order. */
export default class SlowFirst extends Sequencer {
  sort(tests) {
    const usual = super.sort(tests);
    const isSlow = ({ path }) => slow.test(path);
    return [...usual.filter(isSlow), ...usual.filter((test) => !isSlow(test))];
  }
}
