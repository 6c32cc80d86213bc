// Options of the gRPC side: the bounds that an operator may have to move for unusual clients.

import { DEFAULT_GRPC_SETTINGS, type GrpcSettings } from '../adapters/grpc/grpc-settings.js';
import { integerOption, type ValueOf } from './option.js';

/** Every option of the gRPC side by its key. */
export const GRPC_OPTIONS = {
  grpcStreams: integerOption({
    group: 'gRPC',
    doc: 'Calls and streams that one gRPC connection may have open at once; more are refused one by one.',
    unit: 'number',
    min: 8,
    max: 100_000,
    default: DEFAULT_GRPC_SETTINGS.http2.streams,
  }),
  grpcControlFrames: integerOption({
    group: 'gRPC',
    doc: 'HTTP/2 frames without content (resets, pings, settings and the like) that one connection may send per second, besides 4 with each message; then it is closed.',
    unit: 'number',
    min: 100,
    max: 1_000_000,
    default: DEFAULT_GRPC_SETTINGS.http2.controlFramesPerSecond,
  }),
  grpcMessageBytes: integerOption({
    group: 'gRPC',
    doc: 'Longest gRPC message that is taken; a longer one is refused with status 8.',
    unit: 'bytes',
    min: 64 * 1024,
    max: 64 * 1024 * 1024,
    default: DEFAULT_GRPC_SETTINGS.messageBytes,
  }),
  grpcStalledMs: integerOption({
    group: 'gRPC',
    doc: 'How long a gRPC client may leave what it was sent unread or unacknowledged before its connection is closed.',
    unit: 'ms',
    min: 1000,
    max: 10 * 60_000,
    default: DEFAULT_GRPC_SETTINGS.stalledMs,
  }),
};

type GrpcConfig = { readonly [K in keyof typeof GRPC_OPTIONS]: ValueOf<(typeof GRPC_OPTIONS)[K]> };

/** The settings of the gRPC side out of a configuration. */
export function grpcSettingsOf(config: GrpcConfig): GrpcSettings {
  return {
    ...DEFAULT_GRPC_SETTINGS,
    http2: {
      ...DEFAULT_GRPC_SETTINGS.http2,
      streams: config.grpcStreams,
      controlFramesPerSecond: config.grpcControlFrames,
    },
    messageBytes: config.grpcMessageBytes,
    stalledMs: config.grpcStalledMs,
  };
}
