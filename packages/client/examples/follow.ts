// Following a service, as docs/client.md shows it.

import { type ChangeListener, ClientError, connect, roundRobin } from '@rollcall/client';

/** Follows a service in the ways there are. @returns the number of instances */
export async function follow(servers: string): Promise<number> {
  const client = connect({ servers });
  await client.register('orders', { ip: '127.0.0.1', port: 8080, cluster: 'zone-a', metadata: { version: '2' } });
  const logChange: ChangeListener = ({ added, removed, modified }) => {
    console.log(`${added.length} added, ${removed.length} removed, ${modified.length} modified`);
  };
  // #region follow
  const view = client.subscribe('orders', { clusters: ['zone-a'], strategy: roundRobin() });
  await view.ready;

  const stopListening = view.onChange(logChange);
  console.log(view.instances.length, view.select()?.metadata);
  stopListening();

  for await (const { instances } of view) {
    console.log(instances.length);
    break;
  }
  // #endregion
  // #region errors
  try {
    await client.select('nobody-is-called-so');
  } catch (error) {
    if (error instanceof ClientError && error.code === 'no-instance') console.log(error.message);
    else throw error;
  }
  // #endregion
  const { length } = view.instances;
  await client.close();
  return length;
}
