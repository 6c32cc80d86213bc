// The least that any server could do, as a process of its own: for every piece of data that arrives it writes the same
// prepared bytes. Right only while each connection has one request in flight and each request arrives in one piece,
// which is how the load generator works over loopback. Prints its port; the bytes come over the parent's channel.
import { createServer } from 'node:net';

let answer = Buffer.from('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n');

process.on('message', (message: { readonly answerBase64: string }) => {
  answer = Buffer.from(message.answerBase64, 'base64');
  process.send?.('ready');
});
process.once('disconnect', () => process.exit());

const server = createServer({ noDelay: true }, (socket) => {
  socket.on('data', () => socket.write(answer));
  // A load generator that goes away resets its connections.
  socket.on('error', () => socket.destroy());
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  process.send?.({ port: address !== null && typeof address === 'object' ? address.port : 0 });
});
