/** @type {import('prettier').Config} */
const config = { printWidth: 100, singleQuote: true };
export { config as default };
