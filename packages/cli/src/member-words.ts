// What `rollcall members` says around its table, in both languages.

import type { MemberLine } from '@rollcall/server';
import type { Language } from './language.js';

/** Words by language. */
export interface MemberWords {
  readonly titles: Readonly<
    Record<'address' | 'state' | 'silent' | 'link' | 'lag' | 'records' | 'run' | 'version', string>
  >;
  readonly states: Readonly<Record<MemberLine['state'], string>>;
  readonly self: string;
  readonly records: Readonly<Record<MemberLine['records'], string>>;
  readonly connected: string;
  readonly cut: string;
  readonly rejected: (reason: string) => string;
  readonly unknown: string;
  readonly alone: string;
  readonly starting: string;
  readonly head: (cluster: string, up: number, all: number) => string;
}

const ENGLISH: MemberWords = {
  titles: {
    address: 'NODE',
    state: 'STATE',
    silent: 'SILENT FOR',
    link: 'LINK',
    lag: 'LAG',
    records: 'RECORDS',
    run: 'RUN',
    version: 'VERSION',
  },
  states: { STARTING: 'starting', UP: 'up', SUSPICIOUS: 'suspicious', DOWN: 'down' },
  self: 'asked',
  records: { equal: 'same', behind: 'behind', different: 'DIFFERENT' },
  connected: 'connected',
  cut: 'not connected',
  rejected: (reason) => `refused: ${reason}`,
  unknown: '?',
  alone: 'This server runs alone; --members makes it one of several.',
  starting: 'The asked node has no full copy yet: it takes writes, and answers reads with 503.',
  head: (cluster, up, all) => `Cluster ${cluster}: ${up} of ${all} nodes up`,
};

const CHINESE: MemberWords = {
  titles: {
    address: '节点',
    state: '状态',
    silent: '静默时间',
    link: '连接',
    lag: '滞后',
    records: '记录',
    run: '运行序号',
    version: '版本',
  },
  states: { STARTING: '启动中', UP: '正常', SUSPICIOUS: '可疑', DOWN: '失联' },
  self: '被询问的节点',
  records: { equal: '一致', behind: '落后', different: '不一致' },
  connected: '已连接',
  cut: '未连接',
  rejected: (reason) => `被拒绝：${reason}`,
  unknown: '?',
  alone: '该服务器单机运行；用 --members 可使其成为集群的一员。',
  starting: '被询问的节点还没有完整副本：接受写入，读请求返回 503。',
  head: (cluster, up, all) => `集群 ${cluster}：${all} 个节点中 ${up} 个正常`,
};

/** The words of a language. */
export function memberWords(language: Language): MemberWords {
  return language === 'zh' ? CHINESE : ENGLISH;
}
