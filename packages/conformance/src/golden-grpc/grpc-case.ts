// The golden gRPC cases: what clients did to real servers, step by step. This file knows their form on disk.

import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Json } from '../golden/exact-json.js';
import type { GoldenStep } from '../golden/golden-case.js';

/** A connection that a case opens. */
export interface GrpcConnectionPlan {
  /** Members of the setup that differ from a Java 2.5 client's, null takes one out; null as a whole: the steps set up. */
  readonly setup?: Readonly<Record<string, Json>> | null;
  /** False: answers no push. */
  readonly ack?: boolean;
  /** Opened by a step. */
  readonly later?: boolean;
}

/** An answer to a push that is not the usual acknowledgement. */
export interface PushAnswer {
  readonly type?: string;
  /** Members that differ; null takes one out. */
  readonly body?: Readonly<Record<string, Json>>;
}

/** What a step that sends something puts into its payload. */
interface SentPayload {
  readonly body?: Json;
  /** Body as it goes on the wire. */
  readonly rawBody?: string;
  readonly noBody?: boolean;
  readonly headers?: Readonly<Record<string, string>>;
  readonly clientIp?: string;
}

/** One step; exactly one of `send`, `stream`, `call`, `expect`, `settled`, `collect`, `ended`, `close`, `open`, `reopen`, `wait`, `http` says which. */
export interface GrpcStep extends SentPayload {
  readonly conn?: string;
  /** Unary call with a payload of this type. */
  readonly send?: string;
  /** Message of this type on the stream. */
  readonly stream?: string;
  /** Unary call of any path. */
  readonly call?: string;
  readonly type?: string;
  /** Hex of the message. */
  readonly bytes?: string;
  readonly noMessage?: boolean;
  readonly twice?: boolean;
  readonly flag?: number;
  readonly http2Headers?: Readonly<Record<string, string | null>>;
  readonly timeoutMs?: number;
  /** First push of this type. */
  readonly expect?: string;
  readonly answer?: PushAnswer;
  /** Last push of this type. */
  readonly settled?: string;
  /** All pushes of this type. */
  readonly collect?: string;
  readonly all?: boolean;
  readonly forMs?: number;
  readonly withinMs?: number;
  /** Only pushes of this service. */
  readonly service?: string;
  readonly mayBeMissing?: boolean;
  /** The stream ends. */
  readonly ended?: boolean;
  readonly close?: string;
  readonly how?: 'tcp' | 'polite' | 'end' | 'reset';
  readonly open?: string;
  readonly reopen?: boolean;
  /** Pause, ms. */
  readonly wait?: number;
  readonly http?: GoldenStep;
}

/** Steps that belong together, with the connections that they use. */
export interface GrpcCase {
  readonly area: string;
  readonly id: string;
  readonly title: string;
  /** Uses what the server has only a few of: such cases run one after another. */
  readonly serial?: boolean;
  readonly connections: Readonly<Record<string, GrpcConnectionPlan>>;
  readonly steps: readonly GrpcStep[];
}

/** Reads all cases of a folder with `cases/*.json`, in the order of its files. */
export function loadGrpcCases(folder: string): GrpcCase[] {
  const casesFolder = path.join(folder, 'cases');
  const names = readdirSync(casesFolder).filter((name) => name.endsWith('.json'));
  return names.sort().flatMap((name) => {
    const { area, cases } = JSON.parse(readFileSync(path.join(casesFolder, name), 'utf8')) as {
      area: string;
      cases: Omit<GrpcCase, 'area'>[];
    };
    return cases.map((one) => ({ area, ...one }));
  });
}

/** Longest time that the steps of a case wait, ms. */
export function grpcWaitingMs({ steps }: GrpcCase): number {
  return steps.reduce(
    (sum, step) => sum + (step.wait ?? 0) + (step.forMs ?? 0) + (step.ended ? 0 : (step.withinMs ?? 0)),
    0,
  );
}
