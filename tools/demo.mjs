// `npm run demo`: prepares the clone and plays the demo of the command line; arguments pass through.
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { prepare, root } from './prepare.mjs';
import { stopWithNpm } from './stop-with-npm.mjs';

await prepare();
stopWithNpm();
const command = path.join(root, 'packages', 'cli', 'bin', 'rollcall.js');
process.argv = [process.argv[0], command, 'demo', ...process.argv.slice(2)];
await import(pathToFileURL(command).href);
