// Words of the ledger's tables in both languages.

import type { WhyAnswer } from '@rollcall/server';
import type { Language } from './language.js';

type StageName = NonNullable<WhyAnswer['incident']>['stages'][number]['name'];

/** Words by language. */
export interface LedgerWords {
  readonly stages: Readonly<Record<StageName, string>>;
  readonly ends: Readonly<Record<'told' | 'open' | 'gone', string>>;
  readonly ways: Readonly<Record<'push' | 'poll', string>>;
  readonly titles: Readonly<
    Record<'stage' | 'began' | 'time' | 'cause' | 'subscriber' | 'told' | 'by' | 'after' | 'removal', string>
  >;
  readonly total: string;
  /** In front of the advice. */
  readonly advice: string;
  /** Between a name and what it is about. */
  readonly colon: string;
  /** The account of one subscriber follows. */
  readonly slowest: (subscriber: string) => string;
  readonly nobody: string;
  readonly waited: (awaited: { acknowledged: number; pending: readonly string[]; waitedMs: number }) => string;
  readonly dropped: (facts: number) => string;
}

const ENGLISH: LedgerWords = {
  stages: {
    'lease-moved': 'lease taken over',
    silence: 'silent, nobody worried',
    timeout: 'late, until the timeout',
    replication: 'on its way between nodes',
    'listed-unhealthy': 'listed as unhealthy',
    'push-wait': 'change to push',
    'push-lost': 'push without answer',
    acknowledge: 'push to acknowledgement',
    'until-poll': 'until its next poll',
    'not-told': 'not told',
  },
  ends: { told: 'yes', open: 'not yet', gone: 'gone' },
  ways: { push: 'push', poll: 'poll' },
  titles: {
    stage: 'STAGE',
    began: 'BEGAN',
    time: 'TIME',
    cause: 'CAUSE',
    subscriber: 'SUBSCRIBER',
    told: 'TOLD',
    by: 'BY',
    after: 'AFTER',
    removal: 'REMOVAL TOLD AFTER',
  },
  total: 'total',
  advice: 'To change it: ',
  colon: ': ',
  slowest: (subscriber) => `Where each second went until ${subscriber} knew:`,
  nobody: 'Where each second went until the list showed it (nobody subscribes):',
  waited: ({ acknowledged, pending, waitedMs }) =>
    pending.length === 0
      ? `The leaver waited ${waitedMs} ms until all ${acknowledged} subscribers had acknowledged.`
      : `The leaver waited ${waitedMs} ms: ${acknowledged} acknowledged, ${pending.join(', ')} did not.`,
  dropped: (facts) => `${facts} older facts of this service were dropped; earlier moments may be incomplete.`,
};

const CHINESE: LedgerWords = {
  stages: {
    'lease-moved': '租约被接管',
    silence: '沉默，尚未怀疑',
    timeout: '心跳迟到，直到超时',
    replication: '节点之间传递',
    'listed-unhealthy': '显示为不健康',
    'push-wait': '变更到推送',
    'push-lost': '推送没有应答',
    acknowledge: '推送到确认',
    'until-poll': '直到下次轮询',
    'not-told': '尚未得知',
  },
  ends: { told: '是', open: '还没有', gone: '已离开' },
  ways: { push: '推送', poll: '轮询' },
  titles: {
    stage: '阶段',
    began: '开始',
    time: '用时',
    cause: '原因',
    subscriber: '订阅者',
    told: '已得知',
    by: '方式',
    after: '总用时',
    removal: '得知移除总用时',
  },
  total: '合计',
  advice: '如何改进：',
  colon: '：',
  slowest: (subscriber) => `${subscriber} 得知之前的每一秒：`,
  nobody: '列表更新之前的每一秒（没有订阅者）：',
  waited: ({ acknowledged, pending, waitedMs }) =>
    `离开者等待了 ${waitedMs} ms：${acknowledged} 个已确认，未确认：${pending.length === 0 ? '无' : pending.join(', ')}。`,
  dropped: (facts) => `该服务有 ${facts} 条较旧的记录已被丢弃，更早的时刻可能不完整。`,
};

/** The words of a language. */
export function ledgerWords(language: Language): LedgerWords {
  return language === 'zh' ? CHINESE : ENGLISH;
}
