// Decodes strings in the Huffman code of HPACK. The code is canonical, so the lengths of the codes say everything.
// Source: RFC 7541 section 5.2 and appendix B.

import { Http2Error } from './http2-error.js';

/** Bits of the code of each byte value, then of the end-of-string symbol. */
const CODE_BITS = [
  13, 23, 28, 28, 28, 28, 28, 28, 28, 24, 30, 28, 28, 30, 28, 28, 28, 28, 28, 28, 28, 28, 30, 28, 28, 28, 28, 28, 28,
  28, 28, 28, 6, 10, 10, 12, 13, 6, 8, 11, 10, 10, 8, 11, 8, 6, 6, 6, 5, 5, 5, 6, 6, 6, 6, 6, 6, 6, 7, 8, 15, 6, 12, 10,
  13, 6, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 8, 7, 8, 13, 19, 13, 14, 6, 15, 5, 6, 5, 6,
  5, 6, 6, 6, 5, 7, 7, 6, 6, 6, 5, 6, 7, 6, 5, 5, 6, 7, 7, 7, 7, 7, 15, 11, 14, 13, 28, 20, 22, 20, 20, 22, 22, 22, 23,
  22, 23, 23, 23, 23, 23, 24, 23, 24, 24, 22, 23, 24, 23, 23, 23, 23, 21, 22, 23, 22, 23, 23, 24, 22, 21, 20, 22, 22,
  23, 23, 21, 23, 22, 22, 24, 21, 22, 23, 23, 21, 21, 22, 21, 23, 22, 23, 23, 20, 22, 22, 22, 23, 22, 22, 23, 26, 26,
  20, 19, 22, 23, 22, 25, 26, 26, 26, 27, 27, 26, 24, 25, 19, 21, 26, 27, 27, 26, 27, 24, 21, 21, 26, 26, 28, 27, 27,
  27, 20, 24, 20, 21, 22, 21, 21, 23, 22, 22, 25, 25, 24, 24, 26, 23, 26, 27, 26, 26, 27, 27, 27, 27, 27, 28, 27, 27,
  27, 27, 27, 26, 30,
];
const END_OF_STRING = 256;

/** One step reads 8 bits. Entry: symbol and how many of the bits it took, or the table for the bits after them. */
type Step = { readonly symbol: number; readonly bits: number } | Step[];

const ROOT = tablesOf(CODE_BITS);

/**
 * Decodes a string.
 *
 * @returns its bytes as characters of Latin-1
 * @throws Http2Error `COMPRESSION_ERROR` for a code of the end of the string or a padding that is none
 */
export function decodeHuffman(bytes: Uint8Array, start: number, end: number): string {
  let text = '';
  let table = ROOT;
  let window = 0;
  let windowBits = 0;
  /** Bits since the last whole symbol. */
  let openBits = 0;
  let at = start;
  for (;;) {
    while (windowBits < 8 && at < end) {
      window = ((window << 8) | (bytes[at++] as number)) & 0xffff;
      windowBits += 8;
      openBits += 8;
    }
    if (windowBits === 0) break;
    const look = windowBits >= 8 ? window >> (windowBits - 8) : (window << (8 - windowBits)) | (0xff >> windowBits);
    const step = table[look & 0xff] as Step;
    if (Array.isArray(step)) {
      if (windowBits < 8) break;
      table = step;
      windowBits -= 8;
      continue;
    }
    if (step.bits > windowBits) break;
    if (step.symbol === END_OF_STRING) throw wrong('holds the end-of-string symbol');
    text += String.fromCharCode(step.symbol);
    windowBits -= step.bits;
    openBits = windowBits;
    table = ROOT;
  }
  // What is left over must be the beginning of the end-of-string symbol, which is all ones, and less than a byte.
  const ones = (1 << windowBits) - 1;
  if (openBits > 7 || (window & ones) !== ones) throw wrong('ends in the middle of a symbol');
  return text;
}

function wrong(what: string): Http2Error {
  return new Http2Error('COMPRESSION_ERROR', `A header string in Huffman code ${what}`);
}

function tablesOf(codeBits: readonly number[]): Step[] {
  const symbols = codeBits.map((_, symbol) => symbol);
  symbols.sort((a, b) => (codeBits[a] as number) - (codeBits[b] as number) || a - b);
  const root: Step[] = [];
  let code = 0;
  let bits = codeBits[symbols[0] as number] as number;
  for (const symbol of symbols) {
    code = code * 2 ** ((codeBits[symbol] as number) - bits);
    bits = codeBits[symbol] as number;
    place(root, code, { symbol, bits });
    code += 1;
  }
  return root;
}

function place(root: Step[], code: number, { symbol, bits }: { symbol: number; bits: number }): void {
  let table = root;
  let left = bits;
  for (; left > 8; left -= 8) {
    const index = (code >>> (left - 8)) & 0xff;
    table[index] ??= [];
    table = table[index] as Step[];
  }
  const first = (code << (8 - left)) & 0xff;
  const entry = { symbol, bits: left };
  for (let i = 0; i < 1 << (8 - left); i++) table[first + i] = entry;
}
