export { default } from '../global-setup.ts';
