// Nacos 3.1.0 as a process, alone and with embedded storage; downloaded and built at its first use, as the SDKs are.
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DRIVER_SOURCES, preparedOnce, type SdkProgram, tool } from './sdk/toolchain.js';
import { ServerProcess } from './server-process.js';

/** It took 165 s on two cores that were very busy with other work. */
const START_TIMEOUT_MS = 360_000;
/** Embedded, and without waiting for the disk. */
const DATABASE = ['-Dderby.system.durability=test', '-Dspring.sql.init.platform=derby'];
/** Nobody logs in; what must be set all the same. */
const ACCESS = [
  '-Dnacos.core.auth.enabled=false',
  '-Dnacos.core.auth.admin.enabled=false',
  '-Dnacos.core.auth.console.enabled=false',
  '-Dnacos.core.auth.system.type=nacos',
  '-Dnacos.security.ignore.urls=/**',
  '-Dnacos.core.auth.server.identity.key=conformance',
  '-Dnacos.core.auth.server.identity.value=conformance',
  `-Dnacos.core.auth.plugin.nacos.token.secret.key=${Buffer.alloc(48, 'conformance').toString('base64')}`,
];

/** HTTP, Raft, gRPC for clients and for servers. */
const PORT_OFFSETS = [0, -1000, 1000, 1001];

/** Nacos that can be started, stopped and killed. */
export class NacosProcess extends ServerProcess {
  /** Downloads and builds it if need be, and chooses a port; nothing runs yet. @throws FlowSkip where `mvn`, `javac` or the registry is missing */
  static async create(): Promise<NacosProcess> {
    const { command, args } = await prepared();
    const [host, port] = ['127.0.0.1', await freePort()];
    const home = await mkdtemp(path.join(tmpdir(), 'rollcall-nacos-'));
    const program = { command, args: [...settings(host, port, home), ...args], startTimeoutMs: START_TIMEOUT_MS };
    return new NacosProcess({ host, port, contextPath: '/nacos' }, home, program);
  }
}

const prepared = preparedOnce('nacos-server', async (folder): Promise<SdkProgram> => {
  const source = path.join(DRIVER_SOURCES, 'nacos-server');
  const pom = path.join(source, 'pom.xml');
  await tool('mvn', ['-q', '-B', '-f', pom, `-DoutputDirectory=${folder}`, 'dependency:copy-dependencies'], folder);
  await tool('javac', ['-cp', `${folder}/*`, '-d', folder, path.join(source, 'StandaloneServer.java')], folder);
  // It does not start without this file.
  await writeFile(path.join(folder, 'application.properties'), '');
  const classpath = [path.join(folder, 'hessian-4.0.63.jar'), folder, `${folder}/*`].join(path.delimiter);
  return { command: 'java', args: ['-cp', classpath, 'com.alibaba.nacos.StandaloneServer'] };
});

/** A port that is free with those beside it, below the range of outgoing connections, one of which might take them meanwhile. */
async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(20_000, 31_000);
    const areFree = await Promise.all(PORT_OFFSETS.map((offset) => isFree(port + offset)));
    if (!areFree.includes(false)) return port;
  }
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port);
  try {
    await once(server, 'listening');
    return true;
  } catch {
    return false;
  } finally {
    server.close();
  }
}

/** Its home and that of its user are the same, so that all it writes is removed at the end. */
function settings(host: string, port: number, home: string): string[] {
  return [
    '-Xmx768m',
    // A quick start matters more here than a quick server.
    ...['-XX:TieredStopAtLevel=1', '-XX:+UseSerialGC'],
    '-Dnacos.standalone=true',
    `-Dnacos.home=${home}`,
    `-Duser.home=${home}`,
    `-Dnacos.server.ip=${host}`,
    `-Dserver.address=${host}`,
    `-Dnacos.server.main.port=${port}`,
    ...DATABASE,
    ...ACCESS,
  ];
}
