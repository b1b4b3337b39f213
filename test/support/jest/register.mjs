import { register } from 'node:module';
if (!process.features.typescript) register('../../../src/local/typescript.mjs', import.meta.url);
