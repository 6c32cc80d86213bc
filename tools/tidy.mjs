// House rules that no other tool checks: a file opens with a comment and stays under 500 lines, names say something,
// nothing is left open, and the lock file names no download addresses.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { root } from './prepare.mjs';

const linesMax = 500;
const emptyNames = /(^|[-/])(utils?|helpers?|manager|misc|impl)([-./]|$)/;
const foreignFolders = new Set(['.git', 'node_modules', 'dist', 'coverage', 'testdata']);
// A test is about the file beside it.
const testFile = /\.test\.(ts|mjs)$/;
const openEnds = /\b(TODO|FIXME|XXX)\b/;

const files = sourcesUnder('.');
const findings = files.flatMap((file) => findingsOf(file, readFileSync(path.join(root, file), 'utf8')));
if (readFileSync(path.join(root, 'package-lock.json'), 'utf8').includes('"resolved": "http')) {
  findings.push('package-lock.json: names download addresses; install with the .npmrc of this repository');
}
for (const finding of findings) console.error(finding);
console.log(`${files.length} files, ${findings.length} findings`);
process.exitCode = findings.length > 0 ? 1 : 0;

function sourcesUnder(folder) {
  return readdirSync(path.join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const name = path.posix.join(folder, entry.name);
    if (entry.isDirectory()) return foreignFolders.has(entry.name) ? [] : sourcesUnder(name);
    return /\.(ts|tsx|js|mjs)$/.test(name) ? [name] : [];
  });
}

function findingsOf(file, text) {
  const lines = text.split('\n');
  const firstLine = lines[0]?.startsWith('#!') ? lines[1] : lines[0];
  const open = lines.findIndex((line) => file !== 'tools/tidy.mjs' && openEnds.test(line));
  return [
    ...(testFile.test(file) || /^\/[/*]/.test(firstLine ?? '')
      ? []
      : [`${file}: opens without a comment that says what it is`]),
    ...(lines.length > linesMax + 1 ? [`${file}: ${lines.length} lines, ${linesMax} are allowed`] : []),
    ...(emptyNames.test(file) ? [`${file}: the name says nothing`] : []),
    ...(open < 0 ? [] : [`${file}:${open + 1}: "${lines[open].trim()}" is left open`]),
  ];
}
