// What one connection has to say, put together: whatever one read causes, or one turn that answers many calls at once, is
// one write. A system call costs more than copying a few kilobytes.

/** Bytes that are put together; more is written at once. */
const BATCH_BYTES = 64 * 1024;

/** Where batches go. */
export interface OutputSink {
  /** Takes bytes for the peer. */
  write(bytes: Uint8Array): void;
  /** Asks for a flush when what runs now has ended. */
  flushSoon(): void;
}

/** Output of one connection. */
export class OutputBatch {
  readonly #sink: OutputSink;
  #parts: Uint8Array[] = [];
  #bytes = 0;
  #held = false;

  constructor(sink: OutputSink) {
    this.#sink = sink;
  }

  /** Keeps what comes until `release`, which does not need to be asked for. */
  hold(): void {
    this.#held = true;
  }

  /** Ends `hold`, and writes. */
  release(): void {
    this.#held = false;
    this.flush();
  }

  /** Takes bytes, which nobody may change any more. */
  add(bytes: Uint8Array): void {
    this.#parts.push(bytes);
    this.#bytes += bytes.length;
    if (this.#bytes >= BATCH_BYTES) this.flush();
    else if (!this.#held && this.#parts.length === 1) this.#sink.flushSoon();
  }

  /** Writes what there is. */
  flush(): void {
    const parts = this.#parts;
    if (parts.length === 0) return;
    this.#parts = [];
    this.#bytes = 0;
    this.#sink.write(parts.length === 1 ? (parts[0] as Uint8Array) : Buffer.concat(parts));
  }
}
