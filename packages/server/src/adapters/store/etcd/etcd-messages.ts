// The messages of etcd's v3 API that are used here, as far as their fields are used, and how they become bytes.
// Source: the published contract of etcd 3.4 (packages etcdserverpb, mvccpb); unknown fields of newer versions are skipped.

import protobuf from 'protobufjs';

const CONTRACT = `
syntax = "proto3";

message KeyValue { bytes key = 1; int64 mod_revision = 3; bytes value = 5; }
message Event { int32 type = 1; KeyValue kv = 2; }
message Header { uint64 cluster_id = 1; uint64 member_id = 2; int64 revision = 3; }

message RangeRequest { bytes key = 1; bytes range_end = 2; int64 limit = 3; int64 revision = 4; bool serializable = 7; }
message RangeResponse { Header header = 1; repeated KeyValue kvs = 2; bool more = 3; int64 count = 4; }

message PutRequest { bytes key = 1; bytes value = 2; int64 lease = 3; }
message LeaseGrantRequest { int64 ttl = 1; }
message LeaseGrantResponse { int64 id = 2; }
message DeleteRangeRequest { bytes key = 1; }
message Operation { oneof request { PutRequest put = 2; DeleteRangeRequest delete_range = 3; } }
message Compare {
  int32 result = 1;
  int32 target = 2;
  bytes key = 3;
  oneof expected { int64 version = 4; int64 mod_revision = 6; }
  bytes range_end = 64;
}
message TxnRequest { repeated Compare compare = 1; repeated Operation success = 2; }
message TxnResponse { Header header = 1; bool succeeded = 2; }

message WatchCreate { bytes key = 1; bytes range_end = 2; int64 start_revision = 3; }
message WatchRequest { oneof request { WatchCreate create = 1; } }
message WatchResponse {
  Header header = 1;
  bool created = 3;
  bool canceled = 4;
  int64 compact_revision = 5;
  string cancel_reason = 6;
  repeated Event events = 11;
}

message AuthenticateRequest { string name = 1; string password = 2; }
message AuthenticateResponse { string token = 2; }

message StatusRequest {}
message StatusResponse { Header header = 1; string version = 2; int64 db_size = 3; uint64 leader = 4; repeated string errors = 8; }
`;

const root = protobuf.parse(CONTRACT).root;

/** Content of the messages: 64-bit numbers are read as decimal text and may be written as numbers. */
export interface EtcdMessages {
  RangeRequest: {
    key: Buffer;
    rangeEnd?: Buffer;
    limit?: number;
    revision?: number;
    serializable?: boolean;
  };
  RangeResponse: { header: EtcdHeader; kvs: readonly EtcdKeyValue[]; more: boolean };
  TxnRequest: { compare: readonly EtcdCompare[]; success: readonly EtcdOperation[] };
  TxnResponse: { header: EtcdHeader; succeeded: boolean };
  WatchRequest: { create: { key: Buffer; rangeEnd: Buffer; startRevision: number } };
  WatchResponse: {
    header: EtcdHeader;
    created: boolean;
    canceled: boolean;
    compactRevision: string;
    cancelReason: string;
    events: readonly { readonly type: number; readonly kv: EtcdKeyValue }[];
  };
  /** `ttl` in seconds. */
  LeaseGrantRequest: { ttl: number };
  LeaseGrantResponse: { id: string };
  AuthenticateRequest: { name: string; password: string };
  AuthenticateResponse: { token: string };
  StatusRequest: object;
  StatusResponse: { header: EtcdHeader; version: string; dbSize: string; leader: string; errors: readonly string[] };
}

/** Who answered, and how far the store was then. */
export interface EtcdHeader {
  readonly clusterId: string;
  readonly memberId: string;
  readonly revision: string;
}

/** One key with its value. */
export interface EtcdKeyValue {
  readonly key: Buffer;
  readonly modRevision: string;
  readonly value: Buffer;
}

/** Compares with `result` 0, which is "equal". `target` 0 is the version, 2 the mod revision. */
export type EtcdCompare =
  | { readonly target: 0; readonly key: Buffer; readonly rangeEnd: Buffer; readonly version: number }
  | { readonly target: 2; readonly key: Buffer; readonly modRevision: number };

/** One write of a transaction. */
export type EtcdOperation =
  | { readonly put: { readonly key: Buffer; readonly value: Buffer; readonly lease?: string } }
  | { readonly deleteRange: { readonly key: Buffer } };

/** `type` of an event that removed its key. */
export const EVENT_DELETE = 1;

/** The bytes of a message. */
export function encodeMessage<N extends keyof EtcdMessages>(name: N, content: EtcdMessages[N]): Buffer {
  const type = root.lookupType(name);
  return Buffer.from(type.encode(type.fromObject(content)).finish());
}

/** The content of a message, with defaults for what is not there. @throws Error when the bytes are no such message */
export function decodeMessage<N extends keyof EtcdMessages>(name: N, bytes: Buffer): EtcdMessages[N] {
  const type = root.lookupType(name);
  const options = { longs: String, bytes: Buffer, defaults: true } as const;
  return type.toObject(type.decode(bytes), options) as EtcdMessages[N];
}
