// `rollcall config`

import { dataDirectoryPath, OPTION_KEYS, OPTIONS, type Option, sourceText } from '@rollcall/server';
import { type ConfigFlags, configOf } from '../config-flags.js';
import { type Column, safeText, tableText } from '../table.js';
import type { Terminal } from '../terminal.js';

interface Row {
  readonly option: string;
  readonly value: unknown;
  readonly text: string;
  readonly source: string;
}

const COLUMNS: readonly Column<Row>[] = [
  { title: 'OPTION', text: ({ option }) => option },
  { title: 'VALUE', text: ({ text }) => safeText(text) },
  {
    title: 'SOURCE',
    text: ({ source }, colors) => (source === 'default' ? colors.dim(source) : colors.cyan(safeText(source))),
  },
];

/** Prints the value of every option in force and where it came from. */
export function config({ json, ...flags }: ConfigFlags & { readonly json?: true }, terminal: Terminal): void {
  const loaded = configOf(flags);
  for (const notice of loaded.notices) terminal.note(`rollcall: ${notice}`);
  const rows = OPTION_KEYS.map((key): Row => {
    const option: Option<unknown> = OPTIONS[key] as never;
    const value = key === 'dataDir' ? dataDirectoryPath(loaded.config) : loaded.config[key];
    const text = option.toText(value);
    return { option: key, value: option.isSecret ? text : value, text, source: sourceText(loaded.sources[key]) };
  });
  if (json) terminal.print(JSON.stringify(rows.map(({ option, value, source }) => ({ option, value, source }))));
  else terminal.print(tableText(COLUMNS, rows, terminal.colors));
}
