// The small page that a browser sees at the printed address: what runs, what it holds, how to try it. No script, nothing
// loaded from elsewhere.

import { textBody } from '../http/answer-description.js';
import { STRING } from '../http/answer-schema.js';
import type { HttpAnswer } from '../http/http-answer.js';
import type { Route } from '../http/route.js';
import type { HttpOwnContext } from './http-own-context.js';

const HEADERS: readonly (readonly [string, string])[] = [
  ['Content-Security-Policy', "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'"],
  ['Referrer-Policy', 'no-referrer'],
  ['Cache-Control', 'no-store'],
];

const STYLE = `body{font:16px/1.5 system-ui,sans-serif;max-width:46rem;margin:3rem auto;padding:0 1rem;color:#222;background:#fff}
h1{font-size:1.6rem;margin:0}table{border-collapse:collapse;margin:1.5rem 0}td{padding:.2rem 1.5rem .2rem 0}
td:last-child{font-variant-numeric:tabular-nums}pre{background:#f3f4f6;padding:1rem;overflow:auto;border-radius:6px}
@media(prefers-color-scheme:dark){body{color:#ddd;background:#16181d}pre{background:#23262d}a{color:#8ab4f8}}`;

/** The route; the same page is at the bare address and at the context path. */
export function welcomeRoute(context: HttpOwnContext): Route {
  return {
    method: 'GET',
    path: '/',
    summary: 'Page for browsers',
    produces: textBody(STRING, 'text/html'),
    handle: () => welcome(context),
  };
}

function welcome({ registry, facts }: HttpOwnContext): HttpAnswer {
  const { counts } = registry.core;
  const { version, urls, contextPath } = facts();
  const base = urls[0] ?? '';
  const rows = [
    ['Services', [...registry.core.services()].length],
    ['Instances', counts.instances],
    ['Subscribers', counts.subscribers],
    ['Namespaces', registry.core.namespaces.size + 1],
  ].map(([name, count]) => `<tr><td>${name}</td><td>${count}</td></tr>`);
  const html = `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<title>Rollcall</title><style>${STYLE}</style></head><body>
<h1>Rollcall ${escaped(version)}</h1>
<p>A service registry that speaks the Nacos naming protocols. Existing clients connect to <code>${escaped(base)}</code> unchanged.</p>
<table>${rows.join('')}</table>
<p>Try it:</p>
<pre>${escaped(tryLines(base + contextPath).join('\n'))}</pre>
<p><a href="/rollcall/v1/status">status</a> · <a href="/rollcall/v1/services?namespaceId=*">services</a> · <a href="/rollcall/v1/openapi.json">API</a> · command line: <code>npx rollcall services</code></p>
</body></html>
`;
  return { status: 200, contentType: 'text/html;charset=UTF-8', body: Buffer.from(html), headers: HEADERS };
}

/** Requests to try a server with. @param base - URL with context path */
function tryLines(base: string): string[] {
  return [
    `curl -X POST '${base}/v1/ns/instance?serviceName=demo&ip=10.0.0.1&port=8080'`,
    `curl '${base}/v1/ns/instance/list?serviceName=demo'`,
    `curl -X PUT '${base}/v1/ns/instance/beat?serviceName=demo&ip=10.0.0.1&port=8080'`,
    `curl -X DELETE '${base}/v1/ns/instance?serviceName=demo&ip=10.0.0.1&port=8080'`,
  ];
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
