// Messages that a client sends on its stream: the setup, and acknowledgements of what it was sent.
// Source: contract 5.3, 5.4, 8. Messages that cannot be read are skipped; the stream lives on.

import { decodePayload, JsonMembers, type Payload } from '@rollcall/protocol';
import type { RegistryAccess } from '../registry-access.js';
import type { FuzzyWatches } from './fuzzy-watches.js';
import type { GrpcConnection } from './grpc-connection.js';
import type { StreamPushSender } from './stream-push-sender.js';

/** Abilities of this server, announced to whoever sends a table of its own. */
const ABILITIES = '{"supportPersistentInstanceByGrpc":true,"fuzzyWatch":true}';

/** Code of a client that took a push; some clients leave it out on success. */
const OK = 200;

/** Takes what comes in on streams. */
export class StreamMessages {
  readonly #registry: RegistryAccess;
  readonly #watches: FuzzyWatches;
  readonly #pushSender: StreamPushSender;

  constructor(registry: RegistryAccess, watches: FuzzyWatches, pushSender: StreamPushSender) {
    this.#registry = registry;
    this.#watches = watches;
    this.#pushSender = pushSender;
  }

  /** Takes one message. @returns whether it could be read */
  take(connection: GrpcConnection, bytes: Uint8Array): boolean {
    try {
      const payload = decodePayload(bytes);
      const body = JsonMembers.ofBody(payload.body);
      if (payload.type === 'ConnectionSetupRequest') this.#setUp(connection, payload, body);
      else this.#acknowledge(connection, payload, body);
      return true;
    } catch {
      // A client that sends rubbish is told by silence, as by the original; the caller counts it.
      return false;
    }
  }

  /** The first setup counts; a later one is only acknowledged again. */
  #setUp(connection: GrpcConnection, payload: Payload, body: JsonMembers): void {
    const labels = body.textMap('labels');
    connection.identity ??= {
      version: body.text('clientVersion') ?? '',
      module: labels.get('module') ?? '',
      app: labels.get('AppName') ?? '-',
      ip: payload.clientIp,
    };
    if (!body.has('abilityTable')) return;
    connection.send({
      type: 'SetupAckRequest',
      json: `{"headers":{},"abilityTable":${ABILITIES},"module":"internal"}`,
    });
  }

  #acknowledge(connection: GrpcConnection, payload: Payload, body: JsonMembers): void {
    const number = Number(body.text('requestId'));
    if (!Number.isSafeInteger(number) || !payload.type.endsWith('Response')) return;
    const success = payload.type !== 'ErrorResponse' && body.int('resultCode', OK) === OK;
    if (connection.isDetection(number) && !success) connection.idle.refuse();
    if (payload.type === 'NamingFuzzyWatchChangeNotifyResponse')
      this.#watches.acknowledge(connection, number, success ? 'taken' : 'refused');
    else {
      this.#registry.step({ type: 'stream-ack', connection: connection.id, number, success });
      this.#pushSender.acknowledge(connection, number);
    }
  }
}
