// SDKs of other languages. What they need is downloaded into a folder outside of the clone at their first flow, when the
// toolchain is there and its registry answers; else their flows are skipped with the reason.

import { execFile } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { FlowSkip } from '../flow-failure.js';
import type { SdkDriver, SdkProgram } from './sdk-driver.js';

const run = promisify(execFile);

const SOURCES = fileURLToPath(new URL('../../drivers', import.meta.url));
const PREPARE_TIMEOUT_MS = 300_000;
const REASON_CHARS = 300;

/** Prepares a program once, however many flows want it. `folder` is for what is downloaded and built. */
function preparedOnce(name: string, prepare: (folder: string) => Promise<SdkProgram>): () => Promise<SdkProgram> {
  let prepared: Promise<SdkProgram> | undefined;
  return () => {
    prepared ??= (async () => {
      const folder = path.join(process.env.ROLLCALL_SDK_DIR ?? path.join(tmpdir(), 'rollcall-sdks'), name);
      await mkdir(folder, { recursive: true });
      return prepare(folder);
    })();
    return prepared;
  };
}

/** Runs a tool. @throws FlowSkip with the end of what it wrote when it is missing or fails */
async function tool(command: string, args: readonly string[], cwd: string): Promise<void> {
  try {
    await run(command, [...args], { cwd, timeout: PREPARE_TIMEOUT_MS, maxBuffer: 64 << 20 });
  } catch (error) {
    const { message, stderr = '' } = error as Error & { readonly stderr?: string };
    const said = stderr.trim() === '' ? message : stderr.trim();
    throw new FlowSkip(`this machine lacks what "${command}" should give: ${said.slice(-REASON_CHARS)}`);
  }
}

function javaProgram(version: string): () => Promise<SdkProgram> {
  return preparedOnce(`java-${version}`, async (folder) => {
    const pom = path.join(SOURCES, 'java', 'pom.xml');
    const copy = ['-q', '-B', '-f', pom, `-Dnacos.version=${version}`, `-DoutputDirectory=${folder}`];
    await tool('mvn', [...copy, 'dependency:copy-dependencies'], folder);
    const classpath = `${folder}/*`;
    await tool('javac', ['-cp', classpath, '-d', folder, path.join(SOURCES, 'java', 'Driver.java')], folder);
    return { command: 'java', args: ['-Xmx256m', '-cp', `${folder}:${classpath}`, 'Driver'] };
  });
}

function javaDriver(client: SdkDriver['client'], version: string, transport: SdkDriver['transport']): SdkDriver {
  const isGrpc = transport === 'grpc';
  return {
    client,
    prepare: javaProgram(version),
    start: 'slow',
    transport,
    redoMs: 15_000,
    canBatch: isGrpc,
    movesWhenAsked: isGrpc,
    showsEmptyLists: true,
  };
}

const goDriver: SdkDriver = {
  client: 'go',
  prepare: preparedOnce('go', async (folder) => {
    const program = path.join(folder, 'driver');
    await tool('go', ['build', '-o', program, '.'], path.join(SOURCES, 'go'));
    return { command: program, args: [] };
  }),
  start: 'quick',
  transport: 'grpc',
  redoMs: 15_000,
  canBatch: true,
  movesWhenAsked: true,
  showsEmptyLists: true,
};

const pythonDriver: SdkDriver = {
  client: 'python',
  prepare: preparedOnce('python', async (folder) => {
    const python = path.join(folder, 'bin', 'python');
    await tool('python3', ['-m', 'venv', folder], folder);
    await tool(python, ['-m', 'pip', 'install', '-q', '-r', path.join(SOURCES, 'python', 'requirements.txt')], folder);
    return { command: python, args: [path.join(SOURCES, 'python', 'driver.py')] };
  }),
  start: 'slow',
  transport: 'grpc',
  redoMs: 45_000,
  canBatch: true,
  movesWhenAsked: false,
  showsEmptyLists: true,
};

/** `com.alibaba.nacos:nacos-client` 1.4.8, 2.5.1 and 3.0.3, `nacos-sdk-go/v2` 2.3.5, `nacos-sdk-python` 3.2.0. */
export const TOOLCHAIN_DRIVERS: readonly SdkDriver[] = [
  javaDriver('java14', '1.4.8', 'http'),
  javaDriver('java25', '2.5.1', 'grpc'),
  javaDriver('java30', '3.0.3', 'grpc'),
  goDriver,
  pythonDriver,
];
