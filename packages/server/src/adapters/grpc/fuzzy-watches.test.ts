import { JsonMembers, type Message, serviceKey } from '@rollcall/protocol';
import { beforeEach, describe, expect, it } from 'vitest';
import type { RegistryEvent } from '../../core/registry-event.js';
import { CoreFixture, hostOf } from '../../testing/core-fixture.js';
import { coreAccess } from '../udp/core-access.test-support.js';
import { FuzzyWatches } from './fuzzy-watches.js';
import type { GrpcConnection } from './grpc-connection.js';

interface Pushed {
  readonly requestId: string;
  readonly syncType: string;
  readonly serviceKey?: string;
  readonly changedType?: string;
  readonly contexts?: readonly { readonly serviceKey: string; readonly changedType: string }[];
  readonly totalBatch?: number;
  readonly currentBatch?: number;
}

let registry: CoreFixture;
let watches: FuzzyWatches;
let seenEffects: number;

beforeEach(() => {
  registry = new CoreFixture();
  watches = new FuzzyWatches(coreAccess(registry));
  seenEffects = 0;
});

/** A client; what it is sent is in `sent`. */
function client(id: string) {
  const sent: Pushed[] = [];
  const send = ({ json }: Message): boolean => sent.push(JSON.parse(json)) > 0;
  return { connection: { id, send } as unknown as GrpcConnection, sent };
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

function ask(connection: GrpcConnection, members: object) {
  const body = JsonMembers.ofBody(new TextEncoder().encode(JSON.stringify(members)));
  return JSON.parse(watches.answer({ connection, body, headers: new Map() }).json);
}

const watch = (connection: GrpcConnection, groupKeyPattern: string, more: object = {}) =>
  ask(connection, { groupKeyPattern, watchType: 'WATCH', initializing: true, receivedGroupKeys: [], ...more });

const service = (name: string, group = 'DEFAULT_GROUP') => serviceKey('public', group, name);

function change(act: () => void): void {
  act();
  for (const effect of registry.effects.slice(seenEffects))
    if (effect.type === 'event') watches.onEvent(effect.event as RegistryEvent);
  seenEffects = registry.effects.length;
}

const register = (name: string) => change(() => registry.register(service(name), hostOf(1)));
const deregister = (name: string) => change(() => registry.deregister(service(name), hostOf(1)));

async function acknowledge(connection: GrpcConnection, pushed: Pushed | undefined): Promise<void> {
  watches.acknowledge(connection, Number(pushed?.requestId), 'taken');
  await turn();
}

const keyOf = (name: string) => `public@@DEFAULT_GROUP@@${name}`;

describe('a watch', () => {
  it('begins with what is there, ten services a message, one message at a time, and says when that is all', async () => {
    for (let n = 10; n < 35; n += 1) register(`s${n}`);
    const { connection, sent } = client('c1');
    expect(watch(connection, 'public>>*>>*')).toEqual({ resultCode: 200, errorCode: 0, success: true });
    await turn();
    expect(sent).toHaveLength(1);
    for (let n = 0; n < 3; n += 1) await acknowledge(connection, sent[n]);
    expect(
      sent.map(({ syncType, contexts, totalBatch, currentBatch }) => [
        syncType,
        contexts?.length,
        totalBatch,
        currentBatch,
      ]),
    ).toEqual([
      ['FUZZY_WATCH_INIT_NOTIFY', 10, 3, 1],
      ['FUZZY_WATCH_INIT_NOTIFY', 10, 3, 2],
      ['FUZZY_WATCH_INIT_NOTIFY', 5, 3, 3],
      ['FINISH_FUZZY_WATCH_INIT_NOTIFY', 0, 1, 1],
    ]);
    expect(sent[0]?.contexts?.[0]).toEqual({ serviceKey: keyOf('s10'), changedType: 'ADD_SERVICE' });
  });

  it('of a client that knows something already tells the differences only', async () => {
    register('known');
    register('new');
    const { connection, sent } = client('c1');
    const receivedGroupKeys = [keyOf('known'), keyOf('gone')];
    watch(connection, 'public>>DEFAULT_GROUP>>*', { receivedGroupKeys, initializing: false });
    await turn();
    expect(sent[0]).toMatchObject({ syncType: 'FUZZY_WATCH_DIFF_SYNC_NOTIFY', totalBatch: 1, currentBatch: 1 });
    expect(sent[0]?.contexts).toEqual([
      { serviceKey: keyOf('new'), changedType: 'ADD_SERVICE' },
      { serviceKey: keyOf('gone'), changedType: 'DELETE_SERVICE' },
    ]);
    await acknowledge(connection, sent[0]);
    expect(sent).toHaveLength(1);
  });

  it('goes on with the first instance of a service and its last, and with nothing between', async () => {
    const { connection, sent } = client('c1');
    watch(connection, 'public>>DEFAULT_GROUP>>ord*');
    await turn();
    await acknowledge(connection, sent[0]);
    register('orders');
    change(() => registry.register(service('orders'), hostOf(2)));
    register('carts');
    change(() => registry.register(service('orders', 'other'), hostOf(1)));
    change(() => registry.deregister(service('orders'), hostOf(2)));
    await turn();
    await acknowledge(connection, sent[1]);
    deregister('orders');
    await turn();
    expect(sent.slice(1)).toMatchObject([
      { syncType: 'FUZZY_WATCH_RESOURCE_CHANGED', serviceKey: keyOf('orders'), changedType: 'ADD_SERVICE' },
      { syncType: 'FUZZY_WATCH_RESOURCE_CHANGED', serviceKey: keyOf('orders'), changedType: 'DELETE_SERVICE' },
    ]);
  });

  it('ends when it is cancelled, or with its connection', async () => {
    const [cancelled, closed] = [client('c1'), client('c2')];
    for (const { connection } of [cancelled, closed]) watch(connection, 'public>>*>>*', { initializing: false });
    expect(ask(cancelled.connection, { groupKeyPattern: 'public>>*>>*', watchType: 'CANCEL_WATCH' }).resultCode).toBe(
      200,
    );
    watches.forget(closed.connection);
    register('orders');
    await turn();
    expect([...cancelled.sent, ...closed.sent]).toEqual([]);
  });

  it('sends again what is not acknowledged, five times in all, 6 s apart', async () => {
    const { connection, sent } = client('c1');
    watch(connection, 'public>>*>>*');
    await turn();
    for (let second = 0; second < 60; second += 1) {
      registry.clock.advance(1000);
      watches.resend(registry.clock.now().mono);
    }
    expect(sent).toHaveLength(5);
    expect(new Set(sent.map(({ requestId }) => requestId)).size).toBe(1);
  });
});

describe('the server has room', () => {
  it('for 20 patterns, however many clients watch each', () => {
    const { connection } = client('c1');
    for (let n = 1; n <= 20; n += 1) expect(watch(connection, `public>>*>>p${n}`).errorCode).toBe(0);
    expect(watch(connection, 'public>>*>>p21')).toMatchObject({ resultCode: 500, errorCode: 50310, success: false });
    expect(watch(client('c2').connection, 'public>>*>>p20').errorCode).toBe(0);
    ask(connection, { groupKeyPattern: 'public>>*>>p1', watchType: 'CANCEL_WATCH' });
    expect(watch(connection, 'public>>*>>p21').errorCode).toBe(0);
  });

  it('for 500 services a pattern', () => {
    for (let n = 0; n < 500; n += 1) register(`s${n}`);
    const { connection } = client('c1');
    expect(watch(connection, 'public>>*>>*').errorCode).toBe(0);
    register('one-more');
    expect(watch(connection, 'public>>DEFAULT_GROUP>>*')).toMatchObject({ resultCode: 500, errorCode: 50311 });
    expect(watch(connection, 'public>>*>>one*').errorCode).toBe(0);
  });
});
