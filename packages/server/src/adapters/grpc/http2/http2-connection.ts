// HTTP/2 of one connection as a state machine: bytes in, bytes out, no socket and no clock of its own. Serving side only.
// Every frame has a bound, and what breaks a rule or a bound ends the connection (or its stream) with a reason.
// Source: RFC 9113.

import { ControlFrameBudget } from './control-frame-budget.js';
import { FieldBlockAssembly } from './field-block-assembly.js';
import { FLAG, FRAME, type FrameHead, frame, goAwayFrame, readUint32, resetFrame, UINT31_MAX } from './frame.js';
import { checkSize, contentOf, settingsOf } from './frame-payload.js';
import { FrameReader } from './frame-reader.js';
import type { Http2Bounds } from './http2-bounds.js';
import { type ErrorCodeName, ExcessError, type FloodReason, Http2Error } from './http2-error.js';
import { Http2Stream, type StreamCarrier, type StreamReceiver, type WholeAnswer } from './http2-stream.js';
import type { OutgoingMessage } from './outgoing-message.js';
import { OutputBatch, type OutputSink } from './output-batch.js';
import { ReceiveFlow } from './receive-flow.js';
import { type RequestHead, RequestHeads } from './request-head.js';
import { SendFlow } from './send-flow.js';

/** DATA frames shorter than this count as control frames unless they end a message: they are all cost and no content. */
const SMALL_DATA_BYTES = 128;
/** The decoder of the peer is told that our header table is empty. */
const EMPTY_TABLE = Uint8Array.of(0x20);

/** What a connection belongs to. */
export interface Http2Owner extends OutputSink {
  /** Monotonic ms. */
  nowMs(): number;
  /** A request begins. @returns who takes its body */
  onRequest(stream: Http2Stream, head: RequestHead): StreamReceiver;
  /** A stream was refused because too many are open. */
  onStreamRefused(): void;
  /** The peer's windows have taken everything that waited for them. */
  onRelief(): void;
  /** The peer did something that ends the connection; it has been told, and nothing is read any more. */
  onFailed(error: Http2Error): void;
  /** All streams have ended after `finish`. */
  onFinished(): void;
}

/** One connection. */
export class Http2Connection implements StreamCarrier {
  readonly #owner: Http2Owner;
  readonly #bounds: Http2Bounds;
  readonly #reader: FrameReader;
  readonly #heads: RequestHeads;
  readonly #streams = new Map<number, Http2Stream>();
  readonly #sending: SendFlow;
  readonly #receiving: ReceiveFlow;
  readonly #budget: ControlFrameBudget;
  readonly #output: OutputBatch;
  #assembly: FieldBlockAssembly | undefined;
  #lastStreamId = 0;
  #hasSettings = false;
  #tableResizeDue = false;
  #finishing = false;
  #over = false;

  constructor(owner: Http2Owner, bounds: Http2Bounds) {
    this.#owner = owner;
    this.#bounds = bounds;
    this.#output = new OutputBatch(owner);
    this.#reader = new FrameReader((head, payload) => this.#take(head, payload));
    this.#heads = new RequestHeads(bounds.headerBytes);
    this.#budget = new ControlFrameBudget(bounds.controlFramesPerSecond);
    this.#receiving = new ReceiveFlow((bytes) => this.#write(bytes));
    this.#sending = new SendFlow(
      (bytes) => this.#write(bytes),
      (stream) => this.#onLocalEnd(stream),
    );
  }

  /** Tells the peer what it may do: the first bytes of this side. */
  start(): void {
    this.#write(ReceiveFlow.announcement(this.#bounds));
  }

  /** Bytes that wait for the peer's windows. */
  get waitingBytes(): number {
    return this.#sending.waitingBytes;
  }

  /** Takes bytes of the peer. */
  receive(chunk: Uint8Array): void {
    if (this.#over) return;
    const waited = this.#sending.waitingBytes > 0;
    this.#output.hold();
    try {
      this.#reader.push(chunk);
    } catch (error) {
      if (!(error instanceof Http2Error)) throw error;
      this.#fail(error);
    } finally {
      this.#output.release();
    }
    if (waited && this.#sending.waitingBytes === 0) this.#owner.onRelief();
  }

  /** Writes what was put together. */
  flush(): void {
    this.#output.flush();
  }

  /** Tells the peer to open no more streams, and waits for those that are open. @param text - reason, for people */
  finish(text: string): void {
    if (this.#over || this.#finishing) return;
    this.#finishing = true;
    this.#write(goAwayFrame(this.#lastStreamId, 'NO_ERROR', text));
    if (this.#streams.size === 0) this.#owner.onFinished();
  }

  /** The connection is gone: nothing is read or sent any more. */
  abandon(): void {
    this.#over = true;
    for (const stream of this.#streams.values()) this.#drop(stream);
  }

  respond(stream: Http2Stream, block: Uint8Array): void {
    this.#write(frame({ type: FRAME.headers, flags: FLAG.endHeaders, streamId: stream.id }, this.#fields(block)));
  }

  send(stream: Http2Stream, message: OutgoingMessage): void {
    this.#budget.earn();
    this.#sending.send(stream, message);
  }

  answer(stream: Http2Stream, answer: WholeAnswer): void {
    this.#budget.earn();
    this.#sending.answer(stream, this.#tableResizeDue ? { ...answer, head: this.#fields(answer.head) } : answer);
  }

  finishStream(stream: Http2Stream, trailers: Uint8Array): void {
    this.#sending.finish(stream, this.#fields(trailers));
  }

  refuse(stream: Http2Stream, block: Uint8Array): void {
    this.finishStream(stream, block);
    const excess = this.#excess('refusal-flood');
    // Not thrown: a request may also be refused because its time is over, when nobody reads.
    if (excess !== undefined && !this.#over) this.#fail(excess);
  }

  reset(stream: Http2Stream, code: ErrorCodeName): void {
    this.#write(resetFrame(stream.id, code));
    this.#drop(stream);
  }

  #take(head: FrameHead, payload: Uint8Array): boolean {
    const { type, streamId } = head;
    if (this.#assembly !== undefined && (type !== FRAME.continuation || streamId !== this.#assembly.streamId))
      throw wrong(`Frame of type ${type} stands between the parts of a header block`);
    if (!this.#hasSettings && type !== FRAME.settings) throw wrong('SETTINGS is not the first frame');
    switch (type) {
      case FRAME.data:
        this.#onData(head, payload);
        break;
      case FRAME.headers:
        this.#onHeaders(head, payload);
        break;
      case FRAME.continuation:
        this.#onContinuation(head, payload);
        break;
      case FRAME.rstStream:
        this.#onReset(head);
        break;
      case FRAME.settings:
        this.#onSettings(head, payload);
        break;
      case FRAME.ping:
        this.#onPing(head, payload);
        break;
      case FRAME.windowUpdate:
        this.#onWindowUpdate(head, payload);
        break;
      case FRAME.priority:
        // Says nothing any more, but has to be well-formed.
        checkSize(head, 5);
        if (streamId === 0) throw wrong('PRIORITY has no stream');
        this.#charge('priority-flood');
        break;
      case FRAME.pushPromise:
        throw wrong('PUSH_PROMISE is not for clients to send');
      default:
        // GOAWAY is a courtesy, and unknown types are extensions: both are ignored.
        this.#charge('unknown-frame-flood');
    }
    return !this.#over;
  }

  #onData(head: FrameHead, payload: Uint8Array): void {
    const { streamId, flags, length } = head;
    const stream = this.#known(streamId);
    const content = contentOf(head, payload, { hasPriority: false });
    this.#receiving.take(length);
    if (stream === undefined) {
      // The peer may not know yet that the stream has ended.
      this.#charge('data-flood');
      return;
    }
    const endsStream = (flags & FLAG.endStream) !== 0;
    if (!stream.isRemoteOpen) {
      this.reset(stream, 'STREAM_CLOSED');
      return;
    }
    if (content.length < SMALL_DATA_BYTES && !endsStream) this.#charge('data-flood');
    if (!endsStream) this.#receiving.takeOf(stream, length);
    if (endsStream) stream.isRemoteOpen = false;
    if (content.length > 0) stream.receiver?.data(content);
    if (endsStream) this.#onRemoteEnd(stream);
  }

  #onHeaders(head: FrameHead, payload: Uint8Array): void {
    const { streamId, flags } = head;
    if (streamId % 2 === 0) throw wrong(`Stream id ${streamId} is not one of a client`);
    const assembly = new FieldBlockAssembly({
      streamId,
      endsStream: (flags & FLAG.endStream) !== 0,
      blockBytesMax: this.#bounds.headerBytes,
    });
    assembly.add(contentOf(head, payload, { hasPriority: (flags & FLAG.priority) !== 0 }));
    if ((flags & FLAG.endHeaders) !== 0) this.#onFields(assembly);
    else this.#assembly = assembly;
  }

  #onContinuation(head: FrameHead, payload: Uint8Array): void {
    const assembly = this.#assembly;
    if (assembly === undefined) throw wrong('CONTINUATION continues nothing');
    this.#charge('continuation-flood');
    assembly.add(payload);
    if ((head.flags & FLAG.endHeaders) === 0) return;
    this.#assembly = undefined;
    this.#onFields(assembly);
  }

  #onFields(assembly: FieldBlockAssembly): void {
    const { streamId, endsStream } = assembly;
    const stream = this.#streams.get(streamId);
    if (stream !== undefined) this.#onTrailers(stream, assembly);
    else if (streamId <= this.#lastStreamId || this.#finishing) {
      // The peer does not know yet that the stream has ended, or that no more are taken.
      this.#lastStreamId = Math.max(this.#lastStreamId, streamId);
      this.#heads.skip(assembly.block());
      this.#charge('stream-flood');
    } else {
      this.#lastStreamId = streamId;
      this.#open(streamId, assembly.block(), { endsStream });
    }
  }

  #onTrailers(stream: Http2Stream, assembly: FieldBlockAssembly): void {
    this.#heads.skip(assembly.block());
    if (!stream.isRemoteOpen) this.reset(stream, 'STREAM_CLOSED');
    else if (!assembly.endsStream) this.reset(stream, 'PROTOCOL_ERROR');
    else this.#onRemoteEnd(stream);
  }

  #open(streamId: number, block: Uint8Array, { endsStream }: { readonly endsStream: boolean }): void {
    if (this.#streams.size >= this.#bounds.streams) {
      this.#heads.skip(block);
      this.#write(resetFrame(streamId, 'REFUSED_STREAM'));
      this.#owner.onStreamRefused();
      this.#charge('stream-flood');
      return;
    }
    const head = this.#heads.read(block);
    if (head.malformed !== undefined) {
      this.#write(resetFrame(streamId, 'PROTOCOL_ERROR'));
      this.#charge('stream-flood');
      return;
    }
    const windows = { send: this.#sending.initialWindow, receive: this.#receiving.initialWindow };
    const stream = new Http2Stream(streamId, this, windows);
    this.#streams.set(streamId, stream);
    stream.receiver = this.#owner.onRequest(stream, head);
    if (endsStream) this.#onRemoteEnd(stream);
  }

  #onReset(head: FrameHead): void {
    checkSize(head, 4);
    const stream = this.#known(head.streamId);
    this.#charge('reset-flood');
    if (stream !== undefined) this.#drop(stream);
  }

  #onSettings(head: FrameHead, payload: Uint8Array): void {
    if (head.streamId !== 0) throw wrong('SETTINGS speaks of a stream');
    this.#charge('settings-flood');
    if ((head.flags & FLAG.ack) !== 0) {
      checkSize(head, 0);
      return;
    }
    const { initialWindow, headerTableBytes } = settingsOf(head, payload);
    this.#hasSettings = true;
    if (headerTableBytes !== undefined) this.#tableResizeDue = true;
    if (initialWindow !== undefined) this.#sending.setInitialWindow(initialWindow, this.#streams.values());
    this.#write(frame({ type: FRAME.settings, flags: FLAG.ack, streamId: 0 }));
  }

  #onPing(head: FrameHead, payload: Uint8Array): void {
    checkSize(head, 8);
    if (head.streamId !== 0) throw wrong('PING speaks of a stream');
    this.#charge('ping-flood');
    if ((head.flags & FLAG.ack) === 0) this.#write(frame({ type: FRAME.ping, flags: FLAG.ack, streamId: 0 }, payload));
  }

  #onWindowUpdate(head: FrameHead, payload: Uint8Array): void {
    checkSize(head, 4);
    const bytes = readUint32(payload, 0) & UINT31_MAX;
    this.#charge('window-flood');
    if (head.streamId === 0) {
      if (bytes === 0) throw wrong('WINDOW_UPDATE of the connection adds nothing');
      this.#sending.widen(bytes);
      return;
    }
    const stream = this.#known(head.streamId);
    if (stream === undefined) return;
    if (bytes === 0) this.reset(stream, 'PROTOCOL_ERROR');
    else if (!this.#sending.widenStream(stream, bytes)) this.reset(stream, 'FLOW_CONTROL_ERROR');
  }

  /** An open stream, or undefined when it has ended. @throws Http2Error when it never began */
  #known(streamId: number): Http2Stream | undefined {
    if (streamId === 0 || streamId > this.#lastStreamId || streamId % 2 === 0)
      throw wrong(`Stream ${streamId} was never opened`);
    return this.#streams.get(streamId);
  }

  #charge(reason: FloodReason): void {
    const excess = this.#excess(reason);
    if (excess !== undefined) throw excess;
  }

  #excess(reason: FloodReason): ExcessError | undefined {
    if (this.#budget.take(this.#owner.nowMs())) return undefined;
    const allowed = this.#bounds.controlFramesPerSecond;
    return new ExcessError(reason, `More frames without content (${reason}) than the allowed ${allowed} per second`);
  }

  #onRemoteEnd(stream: Http2Stream): void {
    if (stream.isGone) return;
    this.#budget.earn();
    stream.isRemoteOpen = false;
    stream.receiver?.end();
    if (!stream.isLocalOpen) this.#onLocalEnd(stream);
  }

  /** This side has ended a stream: it is over, whether or not the peer has more to say on it. */
  #onLocalEnd(stream: Http2Stream): void {
    if (stream.isGone || stream.waitingTrailers !== undefined) return;
    // RFC 9113 8.1 has NO_ERROR for this, on which Node's client waits for ever for its unsent bytes to be taken.
    if (stream.isRemoteOpen) this.#write(resetFrame(stream.id, 'CANCEL'));
    this.#drop(stream);
  }

  #drop(stream: Http2Stream): void {
    if (stream.isGone) return;
    stream.isGone = true;
    this.#streams.delete(stream.id);
    this.#sending.forget(stream);
    stream.receiver?.closed();
    if (this.#finishing && this.#streams.size === 0 && !this.#over) this.#owner.onFinished();
  }

  /** Our blocks need no table; a peer that has changed its size wants to be told so once. */
  #fields(block: Uint8Array): Uint8Array {
    if (!this.#tableResizeDue) return block;
    this.#tableResizeDue = false;
    return Buffer.concat([EMPTY_TABLE, block]);
  }

  #fail(error: Http2Error): void {
    this.#write(goAwayFrame(this.#lastStreamId, error.code, error.message));
    this.#output.flush();
    this.abandon();
    this.#owner.onFailed(error);
  }

  #write(bytes: Uint8Array): void {
    if (!this.#over) this.#output.add(bytes);
  }
}

function wrong(text: string): Http2Error {
  return new Http2Error('PROTOCOL_ERROR', text);
}
