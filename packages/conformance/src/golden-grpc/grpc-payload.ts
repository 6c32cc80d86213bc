// The three messages of the gRPC contract as a client writes and reads them. Written apart from the server's own codec,
// so that a mistake in one does not hide in the other. Source: contract 2.1.

/** What a payload is made of. A part that is undefined is left out of the message. */
export interface PayloadParts {
  readonly type?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly clientIp?: string;
  readonly body?: Uint8Array;
}

/** What a received payload says; absent parts are empty. */
export interface ReceivedPayload {
  readonly type: string;
  readonly body: string;
}

/** Writes a payload. */
export function writePayload({ type, headers = {}, clientIp, body }: PayloadParts): Buffer {
  const metadata = [
    ...(type === undefined || type === '' ? [] : [lengthField(3, Buffer.from(type))]),
    ...Object.entries(headers).map(([name, value]) =>
      lengthField(7, Buffer.concat([lengthField(1, Buffer.from(name)), lengthField(2, Buffer.from(value))])),
    ),
    ...(clientIp === undefined ? [] : [lengthField(8, Buffer.from(clientIp))]),
  ];
  return Buffer.concat([
    ...(type === undefined ? [] : [lengthField(2, Buffer.concat(metadata))]),
    ...(body === undefined ? [] : [lengthField(3, lengthField(2, body))]),
  ]);
}

/** Reads type and body of a payload. @throws RangeError when the bytes end too early */
export function readPayload(bytes: Buffer): ReceivedPayload {
  let [type, body] = ['', ''];
  for (const [number, inner] of lengthFields(bytes))
    for (const [innerNumber, value] of lengthFields(inner)) {
      if (number === 2 && innerNumber === 3) type = value.toString();
      if (number === 3 && innerNumber === 2) body = value.toString();
    }
  return { type, body };
}

/** Puts a message into its gRPC frame. @param flag - 1 says that it is compressed */
export function frameOf(message: Uint8Array, flag = 0): Buffer {
  const head = Buffer.alloc(5);
  head[0] = flag;
  head.writeUInt32BE(message.length, 1);
  return Buffer.concat([head, message]);
}

/** Collects bytes of a stream and calls back with each message in them. */
export function onMessages(take: (message: Buffer) => void): (chunk: Buffer) => void {
  let rest = Buffer.alloc(0);
  return (chunk) => {
    rest = Buffer.concat([rest, chunk]);
    while (rest.length >= 5 && rest.length >= 5 + rest.readUInt32BE(1)) {
      const end = 5 + rest.readUInt32BE(1);
      take(rest.subarray(5, end));
      rest = rest.subarray(end);
    }
  };
}

function lengthField(number: number, bytes: Uint8Array): Buffer {
  return Buffer.concat([Buffer.from([number * 8 + 2]), varint(bytes.length), bytes]);
}

function varint(value: number): Buffer {
  const bytes: number[] = [];
  let rest = value;
  for (; rest > 127; rest >>>= 7) bytes.push((rest & 127) | 128);
  return Buffer.from([...bytes, rest]);
}

/** The fields with a length; the contract has no others, so any other ends the message. */
function* lengthFields(bytes: Buffer): Generator<[number: number, value: Buffer]> {
  let at = 0;
  const number = (): number => {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = bytes.readUInt8(at++);
      value += (byte & 127) * 2 ** shift;
      if (byte < 128) return value;
    }
  };
  while (at < bytes.length) {
    const key = number();
    if (key % 8 !== 2) return;
    const length = number();
    yield [key >> 3, bytes.subarray(at, at + length)];
    at += length;
  }
}
