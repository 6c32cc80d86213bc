// Reads the configuration: flags, then environment, then file, then default; the first that has an option gives it.

import { closestName } from './closest-name.js';
import { isClustered } from './cluster-options.js';
import { relationProblem } from './config-relations.js';
import { type Config, flagOf, OPTION_KEYS, OPTIONS, type OptionKey, variableOf } from './config-schema.js';
import type { Option } from './option.js';
import { StartError } from './start-error.js';

/** The variable that names the configuration file when the flag `--config` does not. */
const CONFIG_VARIABLE = 'ROLLCALL_CONFIG';

/** Where a value came from. `name` is the flag, the variable or the path of the file. */
export type ConfigSource =
  | { readonly type: 'flag' | 'environment' | 'file'; readonly name: string }
  | { readonly type: 'default' };

/** What there is to read from. */
export interface ConfigInput {
  /** Flags as given, by option key. */
  readonly flags: { readonly [K in OptionKey]?: string | undefined };
  /** Path that the flag `--config` gave. */
  readonly file?: string | undefined;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Reads a file as text. Throws when it cannot. */
  readonly readFile: (path: string) => string;
}

/** The configuration with the source of each value. */
export interface LoadedConfig {
  readonly config: Config;
  readonly sources: { readonly [K in OptionKey]: ConfigSource };
  /** Things that are allowed but probably not meant, one sentence each. */
  readonly notices: readonly string[];
}

interface Found {
  readonly value: Config[OptionKey];
  readonly source: ConfigSource;
}

/**
 * Reads and checks the whole configuration.
 *
 * @throws StartError `bad-config` for the first value, file or relation that is not allowed
 */
export function loadConfig(input: ConfigInput): LoadedConfig {
  const file = readConfigFile(input);
  const values: Record<string, unknown> = {};
  const sources: Record<string, ConfigSource> = {};
  for (const key of OPTION_KEYS) {
    const found = findValue(key, input, file);
    values[key] = found.value;
    sources[key] = found.source;
  }
  // A server alone has nobody to move clients to.
  if (sources.drainMs?.type === 'default' && !isClustered(values as Config)) values.drainMs = 0;
  const loaded = { config: values as Config, sources: sources as LoadedConfig['sources'] };
  const problem = relationProblem(loaded.config, (key) => sourceText(loaded.sources[key]));
  if (problem !== undefined) throw new StartError('bad-config', problem);
  return { ...loaded, notices: mistypedVariables(input.environment) };
}

/** A source for people: `flag --port`, `environment variable ROLLCALL_PORT`, `file "x.json"`, `default`. */
export function sourceText(source: ConfigSource): string {
  switch (source.type) {
    case 'flag':
      return `flag ${source.name}`;
    case 'environment':
      return `environment variable ${source.name}`;
    case 'file':
      return `file ${JSON.stringify(source.name)}`;
    case 'default':
      return 'default';
  }
}

function findValue(key: OptionKey, input: ConfigInput, file: ConfigFile | undefined): Found {
  const option: Option<Config[OptionKey]> = OPTIONS[key] as never;
  const flag = input.flags[key];
  if (flag !== undefined) {
    const source: ConfigSource = { type: 'flag', name: flagOf(key) };
    return { value: option.fromText(flag) ?? refuse(key, source, flag), source };
  }
  const variable = variableText(key, input.environment);
  if (variable !== undefined) {
    const source: ConfigSource = { type: 'environment', name: variableOf(key) };
    return { value: option.fromText(variable) ?? refuse(key, source, variable), source };
  }
  if (file !== undefined && Object.hasOwn(file.values, key)) {
    const source: ConfigSource = { type: 'file', name: file.path };
    const value = file.values[key];
    return { value: option.fromJson(value) ?? refuse(key, source, value), source };
  }
  return { value: option.default, source: { type: 'default' } };
}

// An empty variable counts as not set: compose files and scripts pass on variables that nobody filled. Kubernetes puts
// `tcp://10.0.0.1:8848` into ROLLCALL_PORT of every pod beside a service named "rollcall"; that is not meant for us.
function variableText(key: OptionKey, environment: ConfigInput['environment']): string | undefined {
  const text = environment[variableOf(key)];
  if (text === undefined || text === '') return undefined;
  return key === 'port' && /^(tcp|udp|sctp):\/\//.test(text) ? undefined : text;
}

function refuse(key: OptionKey, source: ConfigSource, found: unknown): never {
  const option: Option<Config[OptionKey]> = OPTIONS[key] as never;
  const shown = option.isSecret ? secretShape(found) : JSON.stringify(found);
  throw new StartError(
    'bad-config',
    `Cannot use option "${key}" from ${sourceText(source)}: found ${shown}, allowed is ${option.allowed}`,
  );
}

// A secret is never shown; its length says what to mend.
function secretShape(found: unknown): string {
  return typeof found === 'string' ? `${found.length} characters` : 'what is no text';
}

interface ConfigFile {
  readonly path: string;
  readonly values: Readonly<Record<string, unknown>>;
}

function readConfigFile(input: ConfigInput): ConfigFile | undefined {
  const path = input.file ?? (input.environment[CONFIG_VARIABLE] || undefined);
  if (path === undefined) return undefined;
  const from = input.file === undefined ? `environment variable ${CONFIG_VARIABLE}` : 'flag --config';
  const what = `configuration file ${JSON.stringify(path)} (${from})`;
  let text: string;
  try {
    text = input.readFile(path);
  } catch (cause) {
    throw new StartError('bad-config', `Cannot read ${what}: ${messageOf(cause)}`, { cause });
  }
  const values = parsedObject(text, what);
  for (const key of Object.keys(values)) {
    if (!Object.hasOwn(OPTIONS, key)) throw new StartError('bad-config', unknownKeyText(key, what));
  }
  return { path, values };
}

function parsedObject(text: string, what: string): Readonly<Record<string, unknown>> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new StartError('bad-config', `Cannot read ${what}: it is no JSON, ${messageOf(cause)}`, { cause });
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    const found = value === null ? 'null' : Array.isArray(value) ? 'an array' : `a ${typeof value}`;
    throw new StartError(
      'bad-config',
      `Cannot read ${what}: found ${found}, allowed is an object such as {"port": 8848}`,
    );
  }
  return value as Record<string, unknown>;
}

function unknownKeyText(key: string, what: string): string {
  const meant = closestName(key, OPTION_KEYS);
  const hint = meant === undefined ? 'docs/configuration.md lists all options' : `did you mean "${meant}"?`;
  return `Cannot read ${what}: there is no option ${JSON.stringify(key)}, ${hint}`;
}

// Unknown variables are no error, because Kubernetes makes many (ROLLCALL_SERVICE_HOST, ROLLCALL_PORT_8848_TCP ...).
function mistypedVariables(environment: ConfigInput['environment']): string[] {
  const known = [...OPTION_KEYS.map(variableOf), CONFIG_VARIABLE, 'ROLLCALL_SERVER'];
  return Object.keys(environment)
    .filter((name) => name.startsWith('ROLLCALL_') && !known.includes(name))
    .filter((name) => !/^ROLLCALL_(PORT_\d|SERVICE_(HOST|PORT))/.test(name))
    .flatMap((name) => {
      const meant = closestName(name, known);
      return meant === undefined ? [] : [`environment variable ${name} is no option; did you mean ${meant}?`];
    });
}

function messageOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}
