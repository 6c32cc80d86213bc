// The bounds of gRPC and of the HTTP/2 under it, for docs/limits.md: what is counted, how much is allowed, what happens then.
// Source: ADR 7; RFC 9113 for what is a fault and not a bound.

import { CLUSTERS_LENGTH_MAX, JSON_PARTS_MAX } from '@rollcall/protocol';
import { DEFAULT_GRPC_SETTINGS } from '../adapters/grpc/grpc-settings.js';

/** One bound. */
export interface GrpcBound {
  /** Flag that sets it; undefined when nothing does. */
  readonly flag?: string;
  readonly counted: string;
  readonly allowed: string;
  /** What happens beyond it, with the word of the log line and of the metric. */
  readonly beyond: string;
}

const { http2, ...grpc } = DEFAULT_GRPC_SETTINGS;
const CALM = 'GOAWAY `ENHANCE_YOUR_CALM`; nothing more is read, and the connection is closed within 200 ms';

/** All of them. */
export const GRPC_BOUNDS: readonly GrpcBound[] = [
  {
    counted: 'Connections at once.',
    allowed: String(grpc.connections),
    beyond: 'A new one is closed at once, `connections-full`.',
  },
  {
    flag: '--grpc-streams',
    counted: 'Streams of one connection at once.',
    allowed: String(http2.streams),
    beyond: 'RST_STREAM `REFUSED_STREAM`, `too-many-streams`; the frame also counts as one without content.',
  },
  {
    flag: '--grpc-control-frames',
    counted:
      'Frames without content per second and connection: resets, pings, settings, window updates, priorities, unknown frames, CONTINUATION, DATA under 128 bytes that ends nothing, frames of streams that are over, malformed and refused requests. Each message that is received or sent pays for four more, up to twice the bound.',
    allowed: String(http2.controlFramesPerSecond),
    beyond: `${CALM}, \`…-flood\`.`,
  },
  {
    counted: 'Header block of one request, as sent and decoded, and its parts.',
    allowed: `${bytes(http2.headerBytes)}, 32 parts`,
    beyond: `${CALM}, \`headers-too-large\`.`,
  },
  {
    counted: 'Payload of one frame.',
    allowed: bytes(16 * 1024),
    beyond: 'GOAWAY `FRAME_SIZE_ERROR`, close, `frame-size-error`.',
  },
  {
    flag: '--grpc-message-bytes',
    counted: 'One message, received.',
    allowed: bytes(grpc.messageBytes),
    beyond: 'Status 8, `too-large`.',
  },
  {
    counted:
      'Objects, lists, members and elements in the JSON of one message (also of one parameter or body of HTTP that is JSON).',
    allowed: String(JSON_PARTS_MAX),
    beyond: 'The request is refused with status 400, code `limit-exceeded`, before it is parsed; nothing changes.',
  },
  {
    counted: 'Clusters that a query over gRPC names, as one text.',
    allowed: `${CLUSTERS_LENGTH_MAX} characters`,
    beyond: 'The request is refused with status 400, code `limit-exceeded`; nothing changes.',
  },
  {
    counted:
      'Messages that have begun and are not complete: of one connection, and of all together besides 64 KiB of each.',
    allowed: `${bytes(grpc.incompleteBytes)} and ${bytes(grpc.incompleteBytesOfAll)}`,
    beyond: 'The message that does not fit is refused with status 8, `too-large`.',
  },
  { counted: 'Compressed messages.', allowed: 'none', beyond: 'Status 12, `compressed`.' },
  {
    counted: 'Time for the request of a call to come in.',
    allowed: `${grpc.requestMs} ms`,
    beyond: 'Status 4, `unfinished`.',
  },
  {
    counted:
      'Work for what one peer sends: at once, and then for all such peers together in each turn of the event loop.',
    allowed: '1 ms and 2 ms',
    beyond: 'The rest waits, and the peer is not read; nobody else waits.',
  },
  {
    counted: 'Bytes that wait for one receiver.',
    allowed: bytes(grpc.waitingBytes),
    beyond: 'The connection is closed, `waiting-bytes`. From 1 MiB on in the socket its requests are not read.',
  },
  {
    counted: 'Bytes that wait for one receiver before its pushes wait instead, the newest list of each service only.',
    allowed: bytes(grpc.pushAheadBytes),
    beyond: 'Older lists are not sent.',
  },
  {
    counted: 'Bytes of lists that one connection has not acknowledged; one list of any size always goes.',
    allowed: bytes(grpc.unacknowledgedBytes),
    beyond: 'The newest list of each service waits.',
  },
  {
    flag: '--grpc-stalled-ms',
    counted: 'Time in which a receiver for which something waits takes or acknowledges nothing.',
    allowed: `${grpc.stalledMs} ms`,
    beyond: 'The connection is closed, `stalled` or `unacknowledged`.',
  },
  {
    counted: 'Silence of a connection, and then time to answer the question whether it is there.',
    allowed: `${grpc.idleMs} ms and ${grpc.detectionMs} ms`,
    beyond: 'The connection is closed and what it published ends, `silent`.',
  },
  {
    counted: 'Time to close after the end of the connection was announced; after a broken rule.',
    allowed: '1000 ms; 200 ms',
    beyond: 'The connection is cut.',
  },
];

function bytes(count: number): string {
  return count >= 1024 * 1024 ? `${count / 1024 / 1024} MiB` : `${count / 1024} KiB`;
}
