// What other languages' tools make of the sources in `drivers`: downloaded and built in a folder outside of the clone, at the
// first use.

import { execFile } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { FlowSkip } from '../flow-failure.js';

const run = promisify(execFile);

/** Where the sources of the drivers are. */
export const DRIVER_SOURCES = fileURLToPath(new URL('../../drivers', import.meta.url));
/** How to run a driver, or what else was built. */
export interface SdkProgram {
  readonly command: string;
  /** Before the driver's own arguments: server addresses, namespace, number of clients. */
  readonly args: readonly string[];
}

const PREPARE_TIMEOUT_MS = 300_000;
const REASON_CHARS = 300;

/** Prepares a program once, however many flows want it. `folder` is for what is downloaded and built. */
export function preparedOnce(
  name: string,
  prepare: (folder: string) => Promise<SdkProgram>,
): () => Promise<SdkProgram> {
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
export async function tool(command: string, args: readonly string[], cwd: string): Promise<void> {
  try {
    await run(command, [...args], { cwd, timeout: PREPARE_TIMEOUT_MS, maxBuffer: 64 << 20 });
  } catch (error) {
    const { message, stderr = '' } = error as Error & { readonly stderr?: string };
    const said = stderr.trim() === '' ? message : stderr.trim();
    throw new FlowSkip(`this machine lacks what "${command}" should give: ${said.slice(-REASON_CHARS)}`);
  }
}
