import { describe, expect, it } from 'vitest';
import { readMemberList } from './member-list.js';
import { nodeAddress, readNode } from './node-address.js';

describe('addresses of nodes', () => {
  it.each([
    ['10.0.0.1:8848', '10.0.0.1:8848'],
    [' 10.0.0.1 ', '10.0.0.1:7000'],
    ['[FD00::1]:8848', '[fd00::1]:8848'],
    ['Rollcall-0.rollcall:8848', 'rollcall-0.rollcall:8848'],
  ])('%j is %j', (text, node) => {
    expect(readNode(text, 7000)).toBe(node);
    const { host, port } = nodeAddress(node);
    expect(readNode(host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`)).toBe(node);
  });

  it.each([
    '',
    ':8848',
    '10.0.0.1:0',
    '10.0.0.1:65536',
    '10.0.0.1:x',
    'fd00::1:8848',
    '[10.0.0.1]:8848',
    'a b:1',
    'http://a:1',
  ])('%j is none', (text) => expect(readNode(text, 7000)).toBeUndefined());

  it('must have a port when there is no default', () => expect(readNode('10.0.0.1')).toBeUndefined());
});

describe('a list of members', () => {
  it('is read as the cluster.conf of Nacos', () => {
    const text = '#2026-11-30\n10.0.0.1:8848\r\n\n10.0.0.2 # the second\n10.0.0.3:8849,[fd00::1]:8848, 10.0.0.1:8848\n';
    expect(readMemberList(text, 8850)).toEqual(['10.0.0.1:8848', '10.0.0.2:8850', '10.0.0.3:8849', '[fd00::1]:8848']);
  });

  it('says what is wrong with it', () => {
    expect(() => readMemberList('10.0.0.1:8848?raft_port=1', 8848)).toThrow(
      'found member "10.0.0.1:8848?raft_port=1", allowed is "ip:port" or "name:port", IPv6 in brackets',
    );
    expect(() => readMemberList('# nobody', 8848)).toThrow('found 0 members, allowed are 1 to 64');
  });
});
