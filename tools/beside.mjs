// Runs several commands at the same time, for those that mostly wait, and shows what each printed, one after the other. Ends
// with the worst exit code. Usage: node tools/beside.mjs command argument … + command argument …
import { spawn } from 'node:child_process';
import { root } from './prepare.mjs';

const commands = [[]];
for (const word of process.argv.slice(2)) {
  if (word === '+') commands.push([]);
  else commands.at(-1).push(word);
}

const codes = await Promise.all(commands.map(run));
process.exitCode = Math.max(...codes);

async function run([program, ...args]) {
  const child = spawn(program, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] });
  const output = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => output.push(chunk));
  const code = await new Promise((resolve) => {
    child.once('error', (error) => resolve(failedToRun(program, error)));
    child.once('close', (exitCode) => resolve(exitCode ?? 1));
  });
  process.stdout.write(`\n$ ${[program, ...args].join(' ')}\n${Buffer.concat(output)}`);
  return code;
}

function failedToRun(program, error) {
  console.error(`${program}: could not be run: ${error.message}`);
  return 1;
}
