// What happened, in the words of a language. English shows the types as they are in JSON, so that they can be searched for.

import type { HistoryAnswer } from '@rollcall/server';
import type { Language } from './language.js';

type FactType = HistoryAnswer['facts'][number]['type'];
type LeaseStep = NonNullable<Extract<HistoryAnswer['facts'][number], { publisher: string }>['move']>;
type FactCause = NonNullable<Extract<HistoryAnswer['facts'][number], { publisher: string }>['cause']>;

const TYPES: Readonly<Record<FactType, string>> = {
  'instance-registered': '实例已注册',
  'instance-updated': '实例已更新',
  'instance-edited': '实例被修改',
  'instance-healthy': '实例变为健康',
  'instance-unhealthy': '实例变为不健康',
  'instance-removed': '实例已移除',
  'beat-missed': '心跳缺失',
  'beats-resumed': '心跳恢复',
  'beats-from-elsewhere': '心跳来自其他地址',
  'lease-moved': '租约转移',
  'probe-failed': '探测失败',
  'probe-passed': '探测恢复',
  'beat-connection-ended': '心跳连接已关闭',
  'beat-connection-reset': '心跳连接被重置',
  'beat-connection-open': '心跳连接仍打开',
  subscribed: '已订阅',
  unsubscribed: '已取消订阅',
  'subscriber-expired': '订阅已过期',
  'subscriber-refused': '订阅被拒绝',
  'list-polled': '列表被轮询',
  'push-queued': '推送排队',
  'push-sent': '已推送',
  'push-resent': '已重新推送',
  'push-acknowledged': '推送已确认',
  'push-refused': '推送被拒收',
  'push-given-up': '放弃推送',
  'push-failed': '推送失败',
  'service-appeared': '服务出现',
  'service-defined': '服务已设置',
  'service-vanished': '服务消失',
  'protection-on': '健康保护开启',
  'protection-off': '健康保护关闭',
  'pushes-merged': '推送合并',
  'subscribers-awaited': '已等待订阅者',
  'server-started': '服务器启动',
  'many-beats-late': '大量心跳迟到',
  paused: '进程停顿',
  'clock-set': '时钟被调整',
  'switches-changed': '开关已更改',
};

const CAUSES: Readonly<Record<FactCause, string>> = {
  registered: '注册',
  'full-beat': '完整心跳',
  beat: '心跳',
  'beat-timeout': '心跳超时',
  'delete-timeout': '删除超时',
  deregistered: '注销',
  'connection-closed': '连接关闭',
  'connection-silent': '连接无响应',
  'grace-ended': '宽限期结束',
  edited: '修改',
  'edit-reset': '修改被撤销',
  probe: '探测',
  'set-by-hand': '手动设置',
  'confirmed-dead': '确认死亡',
  store: '存储',
  replicated: '复制',
  'holder-lost': '持有节点丢失',
};

const MOVES: Readonly<Record<LeaseStep['why'], string>> = {
  beat: '心跳到达',
  'holder-lost': '持有节点丢失',
  elsewhere: '由其他节点持有',
};

/** What happened. A type that a newer server has is shown as it is. */
export function typeText(type: FactType, language: Language): string {
  return language === 'zh' ? (TYPES[type] ?? type) : type;
}

/** Why an instance changed. A cause that a newer server has is shown as it is. */
export function causeText(cause: FactCause, language: Language): string {
  return language === 'zh' ? (CAUSES[cause] ?? cause) : cause;
}

/** "version 17" in the language. */
export function versionText(version: number, language: Language): string {
  return language === 'zh' ? `版本 ${version}` : `version ${version}`;
}

/** "from node A to B (holder-lost)" in the language: where a lease went, and why. */
export function moveText({ from, to, why }: LeaseStep, language: Language): string {
  return language === 'zh' ? `从节点 ${from} 到 ${to}（${MOVES[why] ?? why}）` : `from node ${from} to ${to} (${why})`;
}

/** "by node 10.0.0.1:8848" in the language: the node of the cluster from which a change came. */
export function nodeText(node: string, language: Language): string {
  return language === 'zh' ? `来自节点 ${node}` : `by node ${node}`;
}
