// Writers under which a server is killed: each one writes to its own subjects, one write after another, until it is told
// to stop or the server is gone.
import type { ApiAnswer } from '../naming-api.js';
import { NamingApi } from '../naming-api.js';
import type { ServerEndpoint } from '../server-endpoint.js';
import type { CrashSubject } from './crash-subject.js';
import type { SeededRandom } from './seeded-random.js';

/** What the writers did. */
export interface LoadOutcome {
  /** Writes acknowledged. */
  readonly acknowledged: number;
  /** Writes whose answer never came. */
  readonly inDoubt: number;
  /** Answers that were no acknowledgement, which no write of this load deserves. */
  readonly refusals: readonly string[];
}

/** A running load. */
export interface WriteLoad {
  /** Has every writer stop after the write in flight. */
  stop(): void;
  /** Resolves when no write is in flight any more. */
  readonly ended: Promise<LoadOutcome>;
}

/** Starts one writer for each group of subjects. */
export function startWriteLoad(
  endpoint: ServerEndpoint,
  groups: readonly (readonly CrashSubject[])[],
  random: SeededRandom,
): WriteLoad {
  let stopping = false;
  const isStopping = (): boolean => stopping;
  const writers = groups.map((subjects) => runWriter(endpoint, subjects, random.fork(), isStopping));
  return {
    stop: () => {
      stopping = true;
    },
    ended: Promise.all(writers).then((outcomes) => ({
      acknowledged: outcomes.reduce((sum, { acknowledged }) => sum + acknowledged, 0),
      inDoubt: outcomes.reduce((sum, { inDoubt }) => sum + inDoubt, 0),
      refusals: outcomes.flatMap(({ refusals }) => refusals),
    })),
  };
}

async function runWriter(
  endpoint: ServerEndpoint,
  subjects: readonly CrashSubject[],
  random: SeededRandom,
  isStopping: () => boolean,
): Promise<LoadOutcome> {
  const api = new NamingApi(endpoint);
  const refusals: string[] = [];
  let acknowledged = 0;
  while (!isStopping()) {
    const subject = random.choose(subjects);
    const write = subject.kind.nextWrite(subject.acknowledged, random);
    subject.begin(write);
    const answer = await callOrUndefined(api, write.call);
    if (answer === undefined) {
      api.close();
      return { acknowledged, inDoubt: 1, refusals };
    }
    if (write.acknowledges(answer)) {
      subject.acknowledge();
      acknowledged++;
    } else {
      refusals.push(`${subject.kind.label}: ${write.call.method} answered ${answer.status} "${answer.body}"`);
      break;
    }
  }
  api.close();
  return { acknowledged, inDoubt: 0, refusals };
}

async function callOrUndefined(api: NamingApi, call: Parameters<NamingApi['call']>[0]): Promise<ApiAnswer | undefined> {
  try {
    return await api.call(call);
  } catch {
    return undefined; // The server was killed; whether it had taken the write is what nobody can know.
  }
}
