// Writes docs/client-api.md from the doc comments of the client's public names: `npm run build`, then this. It reads the
// compiler's declarations, whose layout is always the same, so no parser is needed.
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from './prepare.mjs';

const dist = path.join(root, 'packages', 'client', 'dist');
const page = path.join(root, 'docs', 'client-api.md');

/** The page as the declarations are now. */
export function clientApiPage() {
  const doors = [
    ['@rollcall/client', 'index.d.ts'],
    ['@rollcall/client/nacos', 'nacos.d.ts'],
  ];
  const parts = doors.map(([name, file]) => {
    const sections = namesIn(path.join(dist, file)).sort((one, other) => one.name.localeCompare(other.name));
    return `## \`${name}\`\n\n${sections.map(sectionOf).join('\n')}`;
  });
  const head =
    '# API of the TypeScript client\n\nMade from the doc comments by `node tools/client-api-doc.mjs`. See the [guide](client.md).\n';
  return `${head}\n${parts.join('\n')}`;
}

/** Public names of a door, with the declarations they stand for; `export … from` is followed. */
function namesIn(file) {
  const text = readFileSync(file, 'utf8');
  const found = declarationsIn(text);
  for (const [, names, from] of text.matchAll(/^export (?:type )?(\*|\{[^}]*\}) from '(.*)';/gm)) {
    const inner = namesIn(path.join(path.dirname(file), from.replace(/\.js$/, '.d.ts')));
    const wanted = new Set(
      names
        .replace(/[{}]/g, '')
        .split(',')
        .map((name) => name.trim().replace(/^type /, '')),
    );
    found.push(...inner.filter(({ name }) => names === '*' || wanted.has(name)));
  }
  return found;
}

function declarationsIn(text) {
  const pattern =
    /(?:\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\n)?export (?:declare )?(?:abstract )?(class|interface|type|function|const) (\w+)([\s\S]*?)(?=\n(?:\/\*\*|export |declare )|$)/g;
  return [...text.matchAll(pattern)].map(([, comment = '', kind, name, rest]) => ({
    comment: textOf(comment),
    kind,
    name,
    rest,
  }));
}

function sectionOf({ comment, kind, name, rest }) {
  const members = kind === 'class' || kind === 'interface' ? membersOf(rest) : [];
  const shape =
    kind === 'class' || kind === 'interface'
      ? `${kind} ${name}${rest.slice(0, rest.indexOf('{')).trimEnd()}`
      : `${kind} ${name}${rest}`;
  const rows = members.map(([signature, text]) => `| \`${cell(signature)}\` | ${cell(text)} |`);
  const table = rows.length === 0 ? '' : `\n| member | |\n|---|---|\n${rows.join('\n')}\n`;
  return `### ${name}\n\n${comment}\n\n\`\`\`\n${shape.trim()}\n\`\`\`\n${table}`;
}

/** Members with their doc comments; private ones are left out. */
function membersOf(body) {
  const pattern =
    /^ {4}(?:\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\n {4})?((?:readonly |static |get |constructor|\[|(?!private)\w)[\s\S]*?;)$/gm;
  return [...body.matchAll(pattern)].map(([, comment = '', signature]) => [
    signature.replace(/;$/, '').replace(/\s+/g, ' '),
    textOf(comment).replace(/\s+/g, ' '),
  ]);
}

function textOf(comment) {
  const lines = comment.split('\n').map((line) => line.replace(/^\s*\* ?/, '').trimEnd());
  return lines
    .join('\n')
    .trim()
    .replace(/\{@link (?:\w+\.)?(\w+)\}/g, '`$1`')
    .replace(/\s*@param (\w+) - /g, '\n`$1`: ')
    .replace(/\s*@returns /g, '\nReturns ')
    .replace(/\s*@throws /g, '\nThrows ')
    .replace(/@example\n/g, 'Example:\n\n');
}

function cell(text) {
  return text.replaceAll('|', '\\|');
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) writeFileSync(page, clientApiPage());
