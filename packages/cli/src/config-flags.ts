// The option table of the server as flags of a command.

import { readFileSync } from 'node:fs';
import {
  flagOf,
  type LoadedConfig,
  loadConfig,
  OPTION_KEYS,
  OPTIONS,
  type Option,
  type OptionKey,
} from '@rollcall/server';
import type { Command } from 'commander';

/** Flags as commander gives them: option keys, and `config` for the file. */
export type ConfigFlags = { readonly [K in OptionKey | 'config']?: string };

/** Adds one flag per option, grouped as in the table, and `--config`. */
export function addConfigFlags(command: Command): Command {
  command.option('--config <file>', 'configuration file (JSON), also from ROLLCALL_CONFIG');
  for (const key of OPTION_KEYS) {
    const { group, doc, placeholder, alone, ...option }: Option<unknown> = OPTIONS[key] as never;
    const shown = option.default === '' || String(option.default) === '' ? '' : ` (default: ${String(option.default)})`;
    const value = alone === undefined ? `<${placeholder}>` : `[${placeholder}]`;
    const flag = command.createOption(`${flagOf(key)} ${value}`, `${doc}${shown}`).preset(alone);
    command.addOption(flag.helpGroup(`${group} options:`));
  }
  return command;
}

/** The configuration from flags, environment and file. @throws StartError `bad-config` */
export function configOf({ config: file, ...flags }: ConfigFlags): LoadedConfig {
  return loadConfig({
    flags,
    file,
    environment: process.env,
    readFile: (path) => readFileSync(path, 'utf8'),
  });
}
