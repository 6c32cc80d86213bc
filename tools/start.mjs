// `npm start`: prepares the clone and runs the server in this process, so that signals and the exit code are its own.
// Arguments pass through: `npm start -- --port 9000`.
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { prepare, root } from './prepare.mjs';
import { stopWithNpm } from './stop-with-npm.mjs';

await prepare();
stopWithNpm();
const command = path.join(root, 'packages', 'cli', 'bin', 'rollcall.js');
process.argv = [process.argv[0], command, 'start', ...process.argv.slice(2)];
await import(pathToFileURL(command).href);
