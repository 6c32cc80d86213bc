import { encodePayload, type Message, success } from '@rollcall/protocol';
import { expect, it } from 'vitest';
import type { GrpcConnection } from './grpc-connection.js';
import { UnaryDispatch } from './unary-dispatch.js';

function dispatchWhile(state: { readonly isStarting: boolean }) {
  const handlers = new Map([['QueryRequest', () => success('QueryResponse')]]);
  const dispatch = new UnaryDispatch(handlers, { isDraining: false }, () => state.isStarting);
  const connection = { id: 'c', identity: {}, idle: { sign: () => undefined } } as unknown as GrpcConnection;
  return (type: string) => (dispatch.answer(connection, encodePayload(type, '{}'), 0) as Message).json;
}

it('a node without a full copy sends every client to another', () => {
  const state = { isStarting: true };
  const answer = dispatchWhile(state);
  for (const type of ['ServerCheckRequest', 'QueryRequest']) {
    expect(answer(type)).toContain('"errorCode":300,"message":"Server is starting,please try later."');
  }
  state.isStarting = false;
  expect(answer('QueryRequest')).toContain('"errorCode":0');
});
