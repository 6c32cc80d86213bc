// The quick start of docs/client.md, as a program: `node quick-start.js 127.0.0.1:8848`.

import { connect } from '@rollcall/client';

/** Registers, follows, chooses, and ends. @returns the address that was chosen */
export async function quickStart(servers: string): Promise<string> {
  // #region quick-start
  const client = connect({ servers });
  await client.register('orders', { ip: '127.0.0.1', port: 8080 });

  const instance = await client.select('orders');
  console.log(`http://${instance.ip}:${instance.port}`);

  await client.close();
  // #endregion
  return `${instance.ip}:${instance.port}`;
}
