// Messages of the Nacos gRPC protocol as a client sends them: protobuf with a JSON body, in the frame of a gRPC stream.
// Written here and not taken from the server, so that both ends do not share a mistake.

const FRAME_HEAD_BYTES = 5;

/** A message ready to be sent. @param body - becomes JSON */
export function grpcMessage(type: string, body: object): Buffer {
  const metadata = field(3, Buffer.from(type));
  const payload = Buffer.concat([field(2, metadata), field(3, field(2, Buffer.from(JSON.stringify(body))))]);
  const head = Buffer.alloc(FRAME_HEAD_BYTES);
  head.writeUInt32BE(payload.length, 1);
  return Buffer.concat([head, payload]);
}

/** A length-delimited field of protobuf. */
function field(number: number, value: Buffer): Buffer {
  const head = [(number << 3) | 2];
  let length = value.length;
  for (; length > 0x7f; length >>>= 7) head.push((length & 0x7f) | 0x80);
  head.push(length);
  return Buffer.concat([Buffer.from(head), value]);
}
