// What `rollcall as` says around the list, in both languages.

import type { AsAnswer } from '@rollcall/server';
import type { Language } from './language.js';

/** Words by language. */
export interface HeldWords {
  readonly titles: Readonly<Record<'address' | 'cluster' | 'health' | 'weight', string>>;
  readonly healthy: string;
  readonly unhealthy: string;
  readonly unknown: (subscriber: string) => string;
  /** @param told - how and when it was told */
  readonly head: (head: { subscriber: string; at: string; version: number; clusters: string; told: string }) => string;
  readonly told: (how: AsAnswer['how'], since: string) => string;
  readonly toldBefore: string;
  readonly incomplete: string;
}

const ENGLISH: HeldWords = {
  titles: { address: 'ADDRESS', cluster: 'CLUSTER', health: 'HEALTH', weight: 'WEIGHT' },
  healthy: 'healthy',
  unhealthy: 'unhealthy',
  unknown: (subscriber) => `No list is known to have been told to ${subscriber} by then.`,
  head: ({ subscriber, at, version, clusters, told }) =>
    `${subscriber} at ${at}: version ${version}${clusters === '' ? '' : ` of clusters ${clusters}`}, ${told}`,
  told: (how, since) => `${how} at ${since}`,
  toldBefore: 'before the history begins',
  incomplete: 'Facts from before that version were dropped: the list may be incomplete.',
};

const WAYS = { pushed: '推送', polled: '轮询', unknown: '未知方式' } as const;

const CHINESE: HeldWords = {
  titles: { address: '地址', cluster: '集群', health: '健康', weight: '权重' },
  healthy: '健康',
  unhealthy: '不健康',
  unknown: (subscriber) => `没有记录表明 ${subscriber} 在那之前得到过列表。`,
  head: ({ subscriber, at, version, clusters, told }) =>
    `${subscriber} 在 ${at}：版本 ${version}${clusters === '' ? '' : `，集群 ${clusters}`}，${told}`,
  told: (how, since) => `${since} 通过${WAYS[how]}得到`,
  toldBefore: '在历史记录开始之前得到',
  incomplete: '该版本之前的记录已被丢弃，列表可能不完整。',
};

/** The words of a language. */
export function heldWords(language: Language): HeldWords {
  return language === 'zh' ? CHINESE : ENGLISH;
}
