// Where a value comes from, and what is said about one that is not allowed.

import { DEFAULT_LIMITS } from '@rollcall/protocol';
import { describe, expect, it } from 'vitest';
import { DEFAULT_CORE_SETTINGS } from '../core/core-settings.js';
import { type ConfigInput, loadConfig, sourceText } from './config.js';
import { coreSettingsOf, flagOf, OPTION_KEYS, OPTIONS, variableOf } from './config-schema.js';
import { limitsOf } from './limit-options.js';
import type { Option } from './option.js';
import { StartError } from './start-error.js';

function load(input: Partial<ConfigInput> & { readonly fileText?: string }) {
  return loadConfig({
    flags: {},
    environment: {},
    readFile: () => input.fileText ?? '{}',
    ...input,
  });
}

function messageOf(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    if (error instanceof StartError && error.exit === 'bad-config') return error.message;
    throw error;
  }
  throw new Error('Nothing was refused');
}

describe('sources', () => {
  it('takes the flag before the environment, that before the file, that before the default', () => {
    const flags = { port: '1001' };
    const environment = { ROLLCALL_PORT: '1002' };
    const fileText = '{"port": 1003}';
    const all = [
      load({ flags, environment, file: 'a.json', fileText }),
      load({ environment, file: 'a.json', fileText }),
      load({ file: 'a.json', fileText }),
      load({}),
    ];
    expect(all.map((loaded) => loaded.config.port)).toEqual([1001, 1002, 1003, 8848]);
    expect(all.map((loaded) => sourceText(loaded.sources.port))).toEqual([
      'flag --port',
      'environment variable ROLLCALL_PORT',
      'file "a.json"',
      'default',
    ]);
  });

  it('names the file by a variable when no flag does', () => {
    const paths: string[] = [];
    const readFile = (path: string) => {
      paths.push(path);
      return '{}';
    };
    load({ environment: { ROLLCALL_CONFIG: 'b.json' }, readFile });
    load({ environment: { ROLLCALL_CONFIG: 'b.json' }, file: 'a.json', readFile });
    load({ environment: { ROLLCALL_CONFIG: '' }, readFile });
    expect(paths).toEqual(['b.json', 'a.json']);
  });

  it('counts an empty variable as not set', () => {
    expect(load({ environment: { ROLLCALL_PORT: '' } }).sources.port).toEqual({ type: 'default' });
  });

  it('asks clients to move before a stop where there are other nodes, and elsewhere when told so', () => {
    expect(load({}).config.drainMs).toBe(0);
    expect(load({ flags: { drainMs: '3000' } }).config.drainMs).toBe(3000);
    for (const flags of [{ members: '10.0.0.1:8848' }, { membersFile: 'cluster.conf' }, { membersDns: 'nodes:8848' }]) {
      expect(load({ flags }).config.drainMs).toBe(3000);
      expect(load({ flags: { ...flags, drainMs: '0' } }).config.drainMs).toBe(0);
    }
  });

  it('ignores the port variable that Kubernetes makes, and no other of that form', () => {
    expect(load({ environment: { ROLLCALL_PORT: 'tcp://10.0.0.1:8848' } }).config.port).toBe(8848);
    expect(() => load({ environment: { ROLLCALL_STOP_TIMEOUT_MS: 'tcp://10.0.0.1:8848' } })).toThrow(StartError);
  });

  it('gives every default of the core and of the limits', () => {
    const { config } = load({});
    expect(coreSettingsOf(config)).toEqual(DEFAULT_CORE_SETTINGS);
    expect(limitsOf(config)).toEqual(DEFAULT_LIMITS);
  });

  it('reads each default from its own text, and from the flag and variable of its own', () => {
    for (const key of OPTION_KEYS) {
      const option: Option<unknown> = OPTIONS[key] as never;
      expect(option.fromText(option.toText(option.default)), key).toEqual(option.default);
      expect(option.fromJson(option.default), key).toEqual(option.default);
    }
    expect(new Set(OPTION_KEYS.map(flagOf)).size).toBe(OPTION_KEYS.length);
    expect(flagOf('limitMetadataBytes')).toBe('--limit-metadata-bytes');
    expect(variableOf('limitMetadataBytes')).toBe('ROLLCALL_LIMIT_METADATA_BYTES');
  });

  it('reads lists from text with commas and from arrays', () => {
    const expected = ['https://a.example', 'http://b.example:81'];
    expect(
      load({ flags: { allowedOrigins: 'https://a.example, http://b.example:81,' } }).config.allowedOrigins,
    ).toEqual(expected);
    expect(load({ file: 'a', fileText: JSON.stringify({ allowedOrigins: expected }) }).config.allowedOrigins).toEqual(
      expected,
    );
  });
});

describe('refusals', () => {
  it.each([
    [
      'a flag',
      { flags: { port: '65536' } },
      'Cannot use option "port" from flag --port: found "65536", allowed is a whole number from 0 to 65535',
    ],
    [
      'a variable',
      { environment: { ROLLCALL_LOG_LEVEL: 'loud' } },
      'Cannot use option "logLevel" from environment variable ROLLCALL_LOG_LEVEL: found "loud", allowed is one of "debug", "info", "warn", "error", "off"',
    ],
    [
      'a number as text in the file',
      { file: 'a.json', fileText: '{"port":"80"}' },
      'Cannot use option "port" from file "a.json": found "80", allowed is a whole number from 0 to 65535',
    ],
    [
      'a mistyped member of the file',
      { file: 'a.json', fileText: '{"prot":80}' },
      'Cannot read configuration file "a.json" (flag --config): there is no option "prot", did you mean "port"?',
    ],
    [
      'a member that is like no option',
      { environment: { ROLLCALL_CONFIG: 'a.json' }, fileText: '{"__proto__":{"port":1}}' },
      'Cannot read configuration file "a.json" (environment variable ROLLCALL_CONFIG): there is no option "__proto__", docs/configuration.md lists all options',
    ],
    [
      'a file that is no object',
      { file: 'a.json', fileText: '[1]' },
      'Cannot read configuration file "a.json" (flag --config): found an array, allowed is an object such as {"port": 8848}',
    ],
    [
      'two values that contradict each other',
      { flags: { subscriberMs: '5000' }, environment: { ROLLCALL_QUIET_SUBSCRIBER_MS: '4000' } },
      'Cannot use option "subscriberMs" (flag --subscriber-ms) with option "quietSubscriberMs" (environment variable ROLLCALL_QUIET_SUBSCRIBER_MS): found 5000 above 4000, allowed is at most that, because quiet subscribers ask more rarely',
    ],
  ])('says for %s what was found and what is allowed', (_, input, message) => {
    expect(messageOf(() => load(input))).toBe(message);
  });

  it.each(['', '-1', '1e3', '0x10', ' 80', '80abc', '80.5', '99999999999999999999'])('refuses the port %j', (port) => {
    expect(messageOf(() => load({ flags: { port } }))).toContain(JSON.stringify(port));
  });

  it.each(['nacos', '/nacos/', '//', '/a b', '/../x', '/a/..', ''])('refuses the context path %j', (contextPath) => {
    expect(messageOf(() => load({ flags: { contextPath } }))).toContain('contextPath');
  });

  it.each(['/', '/nacos', '/a/b.c', '/..a'])('takes the context path %j', (contextPath) => {
    expect(load({ flags: { contextPath } }).config.contextPath).toBe(contextPath);
  });

  it('says why a file cannot be read', () => {
    const readFile = () => {
      throw new Error('ENOENT: no such file');
    };
    expect(messageOf(() => load({ file: 'a.json', readFile }))).toBe(
      'Cannot read configuration file "a.json" (flag --config): ENOENT: no such file',
    );
    expect(messageOf(() => load({ file: 'a.json', fileText: '{"port": 1,}' }))).toContain('it is no JSON');
  });
});

describe('notices', () => {
  it('points at a mistyped variable and not at those of Kubernetes', () => {
    const environment = {
      ROLLCALL_PROT: '1',
      ROLLCALL_PORT_8848_TCP_ADDR: '10.0.0.1',
      ROLLCALL_SERVICE_HOST: '10.0.0.1',
      ROLLCALL_SERVER: 'http://x',
    };
    expect(load({ environment }).notices).toEqual([
      'environment variable ROLLCALL_PROT is no option; did you mean ROLLCALL_PORT?',
    ]);
  });
});
