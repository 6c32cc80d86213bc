// The bytes that a Nacos 1.4 Java client sends: all parameters in the query, its header set, a form body for full
// beats only (NamingProxy of 1.4.8). Built once, ahead of the load, so that the load generator only writes buffers.
import { randomUUID } from 'node:crypto';
import type { Endpoint } from './endpoint.js';

/** One request of the naming API. */
export interface ClientRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Path behind the context path, for example `/v1/ns/instance/list`. */
  readonly path: string;
  /** Query parameters in the order sent. */
  readonly query: Readonly<Record<string, string>>;
  /** Form parameters in the order sent; absent means that no body and no `Content-Length` is sent. */
  readonly form?: Readonly<Record<string, string>>;
}

/** Encodes a request for one server. Every call takes a fresh `RequestId`, as clients do on every attempt. */
export function encodeClientRequest(endpoint: Endpoint, request: ClientRequest): Buffer {
  const query = new URLSearchParams(request.query).toString();
  const body = request.form === undefined ? '' : `${new URLSearchParams(request.form).toString()}&`;
  const head = [
    `${request.method} ${endpoint.contextPath}${request.path}?${query} HTTP/1.1`,
    'Client-Version: 1.4.8',
    'User-Agent: Nacos-Java-Client:v1.4.8',
    'Accept-Encoding: gzip,deflate,sdch',
    `RequestId: ${randomUUID()}`,
    'Request-Module: Naming',
    'Content-Type: application/x-www-form-urlencoded;charset=UTF-8',
    'Accept-Charset: UTF-8',
    `Host: ${endpoint.host}:${endpoint.port}`,
    'Connection: keep-alive',
    ...(request.form === undefined ? [] : [`Content-Length: ${Buffer.byteLength(body)}`]),
  ];
  return Buffer.from(`${head.join('\r\n')}\r\n\r\n${body}`);
}
