// SDKs of other languages. What they need is downloaded into a folder outside of the clone at their first flow, when the
// toolchain is there and its registry answers; else their flows are skipped with the reason.

import path from 'node:path';
import type { SdkDriver } from './sdk-driver.js';
import { DRIVER_SOURCES, preparedOnce, type SdkProgram, tool } from './toolchain.js';

function javaProgram(version: string): () => Promise<SdkProgram> {
  return preparedOnce(`java-${version}`, async (folder) => {
    const pom = path.join(DRIVER_SOURCES, 'java', 'pom.xml');
    const copy = ['-q', '-B', '-f', pom, `-Dnacos.version=${version}`, `-DoutputDirectory=${folder}`];
    await tool('mvn', [...copy, 'dependency:copy-dependencies'], folder);
    const classpath = `${folder}/*`;
    await tool('javac', ['-cp', classpath, '-d', folder, path.join(DRIVER_SOURCES, 'java', 'Driver.java')], folder);
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
    await tool('go', ['build', '-o', program, '.'], path.join(DRIVER_SOURCES, 'go'));
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
    await tool(
      python,
      ['-m', 'pip', 'install', '-q', '-r', path.join(DRIVER_SOURCES, 'python', 'requirements.txt')],
      folder,
    );
    return { command: python, args: [path.join(DRIVER_SOURCES, 'python', 'driver.py')] };
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
