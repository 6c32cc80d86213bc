// The text of docs/limits.md, made from the tables of limits.

import { DEFAULT_LIMITS } from '@rollcall/protocol';
import { flagOf } from './config-schema.js';
import { GRPC_BOUNDS } from './grpc-bounds.js';
import { LIMIT_KEYS, LIMIT_NOTES, limitOptionKey } from './limit-options.js';

const HEAD = `# Limits

Everything that a peer can send or make the server keep has a bound. What exceeds one is refused with a message that
names the parameter, what was found and what is allowed; nothing is cut silently, and a refused request changes nothing.
All bounds are inclusive, are the same on every protocol, and can be raised (or lowered) in the
[configuration](configuration.md) with the flag shown.

This page is made by \`node tools/configuration-doc.mjs\` from the table of limits; do not edit it by hand.

`;

/** The whole page. */
export function limitsPage(): string {
  const rows = LIMIT_KEYS.map((limit) => {
    const { unit, doc, whenFull } = LIMIT_NOTES[limit];
    const value = `${DEFAULT_LIMITS[limit]}${unit === 'number' ? '' : ` ${unit}`}`;
    return `| \`${flagOf(limitOptionKey(limit))}\` | ${doc} | ${value} | ${whenFull} |`;
  });
  return `${HEAD}| flag | what is counted | default | at the limit |\n|---|---|---|---|\n${rows.join('\n')}\n${grpcSection()}`;
}

const GRPC_HEAD = `
## gRPC and HTTP/2

What a connection may use, whatever it asks for. The words stand in the log (\`connection-ended\`) and are labels of the metrics
\`rollcall_grpc_closed_total\` and \`rollcall_grpc_refused_total\`; [ADR 7](adr/0007-own-http2-framing.md) has the reasons. What RFC 9113
forbids ends the connection with its code, a malformed request only its stream. Bounds without a flag cannot be set.

| flag | what is counted | default | beyond it |
|---|---|---|---|
`;

function grpcSection(): string {
  const rows = GRPC_BOUNDS.map(
    ({ flag, counted, allowed, beyond }) =>
      `| ${flag === undefined ? '–' : `\`${flag}\``} | ${counted} | ${allowed} | ${beyond} |`,
  );
  return `${GRPC_HEAD}${rows.join('\n')}\n`;
}
