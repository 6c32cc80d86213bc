// The text of docs/configuration.md, made from the option table, so that the page cannot say something else than the server.

import { RELATIONS } from './config-relations.js';
import { type Config, flagOf, OPTION_KEYS, OPTIONS, type OptionKey, variableOf } from './config-schema.js';
import type { Option, OptionGroup } from './option.js';

const HEAD = `# Configuration

Every option can be given as a flag, as an environment variable, in a file, or not at all. The first of these that has
it counts, in this order: flag, environment, file, default. \`rollcall config\` prints each value in force and where it
came from (\`--json\` for scripts); it takes the same flags and variables as \`rollcall start\`.

| source | how |
|---|---|
| flag | \`rollcall start --port 9000\`, \`npm start -- --port 9000\` |
| environment | \`ROLLCALL_PORT=9000\`; a variable that is empty counts as not set |
| file | JSON, one member per option: \`{"port": 9000, "allowedOrigins": ["http://localhost:3000"]}\`; named by \`--config FILE\` or \`ROLLCALL_CONFIG\`. There is no file that is read unasked |
| default | the table below |

A value that is not allowed stops the start with one message that names the option, where the value came from, what was
found and what is allowed (exit code 10, see [errors.md](errors.md)). A list is separated by commas in a flag or a
variable and is an array in the file.

The data directory is in the home folder, one per port, so that the registry finds its state again from whatever folder
it is started, and so that two servers on two ports do not meet in one. Set \`dataDir\` where the home folder is not kept
(containers) or not writable (system services).

In Kubernetes, a service with the name "rollcall" makes variables such as \`ROLLCALL_PORT=tcp://10.0.0.1:8848\` in every
pod beside it; a \`ROLLCALL_PORT\` of that form is ignored.

This page is made by \`node tools/configuration-doc.mjs\` from the option table; do not edit it by hand.
`;

/** The whole page. */
export function configurationPage(): string {
  const groups = [...new Set(OPTION_KEYS.map((key) => OPTIONS[key].group))];
  const sections = groups.map((group) => groupSection(group));
  return `${[HEAD, ...sections, relationSection()].join('\n')}`;
}

function groupSection(group: OptionGroup): string {
  const keys = OPTION_KEYS.filter((key) => OPTIONS[key].group === group);
  const rows = keys.map((key) => {
    const option: Option<Config[OptionKey]> = OPTIONS[key] as never;
    const cells = [
      `\`${key}\``,
      `\`${flagOf(key)}\`<br>\`${variableOf(key)}\``,
      option.doc,
      option.allowed,
      defaultCell(option.toText(option.default)),
    ];
    return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  });
  const more = group === 'Limits' ? 'What happens at each limit: [limits.md](limits.md).\n\n' : '';
  return `## ${group}\n\n${more}| option | flag, variable | what it does | allowed | default |\n|---|---|---|---|---|\n${rows.join('\n')}\n`;
}

function relationSection(): string {
  const rows = RELATIONS.map(({ lesser, greater, reason }) => `| \`${lesser}\` | \`${greater}\` | ${reason} |`);
  return `## Rules between options\n\n| this | is at most this | because |\n|---|---|---|\n${rows.join('\n')}\n`;
}

function defaultCell(text: string): string {
  return text === '' ? 'none' : `\`${text}\``;
}
