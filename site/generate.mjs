// The generator, for `npm run site`: a process of its own, since what it loads is not needed later. It
// ends with the build, however that one ends: two at once would write the same files.
process.once('disconnect', () => process.exit(1));
const [, , root, outDir] = process.argv;
const { build } = await import('vitepress');
await build(root, { outDir });
process.exit();
