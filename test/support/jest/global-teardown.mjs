export { default } from '../global-teardown.ts';
