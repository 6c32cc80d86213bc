import { expect, it } from 'vitest';
import { MessageRoom } from './message-room.js';

const KIB = 1024;

it('gives each connection its room, and takes it back', () => {
  const room = new MessageRoom(100 * KIB, new MessageRoom(1000 * KIB));
  expect(room.take(100 * KIB)).toBe(true);
  expect(room.take(1)).toBe(false);
  expect(room.take(-1)).toBe(true);
  expect(room.take(1)).toBe(true);
});

it('leaves others their own when some have used up the room of all', () => {
  const all = new MessageRoom(200 * KIB);
  const [hungry, other] = [new MessageRoom(1000 * KIB, all), new MessageRoom(1000 * KIB, all)];
  expect(hungry.take(200 * KIB)).toBe(true);
  expect(hungry.take(1)).toBe(false);
  expect(other.take(64 * KIB)).toBe(true);
  expect(other.take(1)).toBe(false);
  hungry.take(-100 * KIB);
  expect(other.take(KIB)).toBe(true);
});
