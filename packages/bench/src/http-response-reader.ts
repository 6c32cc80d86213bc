// Reads HTTP/1.1 answers from a byte stream, as cheaply as a load generator needs: a head whose bytes equal those of
// the head before is not parsed again. Understands Content-Length and chunked bodies (Tomcat sends JSON chunked).

/** One answer. `body` is a view into the receive buffer: valid during the call that delivers it only. */
export interface Answer {
  readonly status: number;
  readonly body: Buffer;
  /** The server will close the connection after this answer. */
  readonly closes: boolean;
}

interface Head {
  readonly bytes: Buffer;
  readonly status: number;
  /** Bytes of the body; undefined means chunked. */
  readonly contentLength: number | undefined;
  readonly closes: boolean;
}

const HEAD_END = Buffer.from('\r\n\r\n');
const HEAD_BYTES_MAX = 65_536;

/** Splits a stream into answers and hands each to the callback, in order. */
export class HttpResponseReader {
  readonly #deliver: (answer: Answer) => void;
  #rest: Buffer | undefined;
  #lastHead: Head | undefined;

  constructor(deliver: (answer: Answer) => void) {
    this.#deliver = deliver;
  }

  /**
   * Takes the next bytes; the buffer may be reused by the caller afterwards.
   * @throws Error when the bytes are no HTTP/1.1 answer
   */
  push(chunk: Buffer): void {
    const bytes = this.#rest === undefined ? chunk : Buffer.concat([this.#rest, chunk]);
    let offset = 0;
    while (offset < bytes.length) {
      const next = this.#readOne(bytes, offset);
      if (next === undefined) break;
      offset = next;
    }
    this.#rest = offset === bytes.length ? undefined : Buffer.from(bytes.subarray(offset));
  }

  /** Delivers the answer that starts at `offset` and returns where the next one starts; undefined while incomplete. */
  #readOne(bytes: Buffer, offset: number): number | undefined {
    const head = this.#readHead(bytes, offset);
    if (head === undefined) return undefined;
    const bodyStart = offset + head.bytes.length;
    if (head.contentLength === undefined) return this.#readChunked(head, bytes, bodyStart);
    const end = bodyStart + head.contentLength;
    if (end > bytes.length) return undefined;
    this.#deliver({ status: head.status, body: bytes.subarray(bodyStart, end), closes: head.closes });
    return end;
  }

  #readHead(bytes: Buffer, offset: number): Head | undefined {
    const last = this.#lastHead;
    if (last !== undefined && startsWith(bytes, last.bytes, offset)) return last;
    const end = bytes.indexOf(HEAD_END, offset);
    if (end < 0) {
      if (bytes.length - offset > HEAD_BYTES_MAX) throw new Error('Cannot read the answer: its head does not end');
      return undefined;
    }
    this.#lastHead = parseHead(Buffer.from(bytes.subarray(offset, end + HEAD_END.length)));
    return this.#lastHead;
  }

  #readChunked(head: Head, bytes: Buffer, bodyStart: number): number | undefined {
    const parts: Buffer[] = [];
    let offset = bodyStart;
    for (;;) {
      const lineEnd = bytes.indexOf('\r\n', offset, 'latin1');
      if (lineEnd < 0) return undefined;
      const size = Number.parseInt(bytes.toString('latin1', offset, lineEnd), 16);
      if (Number.isNaN(size)) throw new Error('Cannot read the answer: a chunk has no size');
      const dataStart = lineEnd + 2;
      const dataEnd = dataStart + size;
      if (dataEnd + 2 > bytes.length) return undefined;
      offset = dataEnd + 2;
      if (size === 0) break;
      parts.push(bytes.subarray(dataStart, dataEnd));
    }
    this.#deliver({ status: head.status, body: Buffer.concat(parts), closes: head.closes });
    return offset;
  }
}

function startsWith(bytes: Buffer, wanted: Buffer, offset: number): boolean {
  const end = offset + wanted.length;
  return end <= bytes.length && bytes.compare(wanted, 0, wanted.length, offset, end) === 0;
}

function parseHead(bytes: Buffer): Head {
  const text = bytes.toString('latin1');
  const status = /^HTTP\/1\.[01] (\d{3})/.exec(text)?.[1];
  if (status === undefined)
    throw new Error(`Cannot read the answer: found "${text.slice(0, 40)}", allowed is HTTP/1.1`);
  const length = /\r\ncontent-length: *(\d+)/i.exec(text)?.[1];
  const chunked = /\r\ntransfer-encoding: *chunked/i.test(text);
  return {
    bytes,
    status: Number(status),
    contentLength: chunked ? undefined : Number(length ?? 0),
    closes: /\r\nconnection: *close/i.test(text),
  };
}
