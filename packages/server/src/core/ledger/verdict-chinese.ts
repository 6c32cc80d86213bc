// The verdict in Chinese: per cause what happened, and what to change.

import type { Cause } from './cause.js';
import { secondsText as s } from './seconds-text.js';
import type { Sentences } from './verdict-english.js';
import type { VerdictFacts } from './verdict-facts.js';

type Template = (facts: VerdictFacts) => Sentences;

const STATES = { healthy: '健康', unhealthy: '不健康', removed: '已移除', unknown: '未知' } as const;

const timeoutAdvice = ({ beatTimeoutMs }: VerdictFacts): string =>
  beatTimeoutMs === 15_000
    ? `${s(beatTimeoutMs)} 是默认的心跳超时；可在实例元数据中设置 preserved.heart.beat.timeout（以及 preserved.heart.beat.interval）来缩短。`
    : `实例自己设置的心跳超时为 ${s(beatTimeoutMs)}；降低 preserved.heart.beat.timeout 即可缩短。`;

const spent = ({ ms, totalMs }: VerdictFacts): string =>
  totalMs > ms && ms > 0 && s(totalMs) !== s(ms) ? `${s(totalMs)} 中的 ${s(ms)}` : s(ms || totalMs);
const who = ({ subscriber }: VerdictFacts): string => (subscriber === undefined ? '订阅者' : `订阅者 ${subscriber}`);

/** The sentences of every cause. */
export const CHINESE: { readonly [C in Cause]: Template } = {
  none: ({ instance, state }) => ({
    verdict:
      state === 'unknown'
        ? `本服务器没有 ${instance} 的任何记录：它没有在这里注册过，或者历史已被丢弃。`
        : `${instance} 当前${STATES[state]}，就本服务器所知没有出现问题。`,
    advice: '可用 --at 查询更早的时刻，或查看 "rollcall history"。',
  }),
  'silent-crash': (facts) => ({
    verdict: `${facts.instance} 突然没有任何消息：等待心跳超时用去了 ${spent(facts)}。`,
    advice: timeoutAdvice(facts),
  }),
  'exited-without-deregistration': (facts) => ({
    verdict: `${facts.instance} 没有注销就结束了：它的连接已关闭，却没有收到注销；列表改变前用去了 ${spent(facts)}。`,
    advice: `请在退出（SIGTERM）时注销，并用 awaitSubscribersMs 等待。被强行杀死的进程从这里看是一样的。${facts.ms > 0 ? timeoutAdvice(facts) : ''}`,
  }),
  frozen: (facts) => ({
    verdict: `${facts.instance} 停住了：连接一直打开，但没有任何数据；列表改变前用去了 ${spent(facts)}。`,
    advice: `请检查那里的垃圾回收、被暂停的容器或被阻塞的事件循环。${facts.ms > 0 ? timeoutAdvice(facts) : ''}`,
  }),
  'late-beats': (facts) => ({
    verdict: `${facts.instance} 的心跳来得太晚：有 ${s(facts.ms)} 没有心跳，而心跳超时为 ${s(facts.beatTimeoutMs)}。`,
    advice: '让客户端的心跳间隔小于超时的三分之一，或提高 preserved.heart.beat.timeout。',
  }),
  're-created': ({ instance }) => ({
    verdict: `${instance} 已被移除，又被一个迟到的心跳重新注册：完整心跳带有整个实例。`,
    advice: '该进程其实还活着，或停止中的进程还有心跳没有发完；停止心跳之前请先注销。',
  }),
  deregistered: (facts) => ({
    verdict: `${facts.instance} 自己注销了；${who(facts)} 在 ${s(facts.totalMs)} 后得知。`,
    advice: '注销时带上 awaitSubscribersMs，收到应答后再停止服务，这样就没有请求还在路上。',
  }),
  'confirmed-dead': (facts) => ({
    verdict: `${facts.instance} 漏了一个心跳后拒绝连接，于是立即被标记为不健康，距最后一次生命迹象 ${s(facts.totalMs)}。`,
    advice: '无需更改：这是选项 confirmDead 带来的更快的结论。',
  }),
  'operator-edit': ({ instance, actor }) => ({
    verdict: `${instance} 是被人工下线的${actor === undefined ? '' : `（来自 ${actor}）`}，并不是自己出了故障。`,
    advice: `用 "rollcall edit <service> ${instance} --reset" 可以撤销修改。`,
  }),
  'restart-grace': (facts) => ({
    verdict: `本服务器重启过：所有租约重新获得完整时间，因此 ${facts.instance} 多保留了 ${s(facts.totalMs)}。`,
    advice: '请在提供者正常时重启服务器；连接的宽限期由选项 connectionGraceMs 决定。',
  }),
  'other-node': ({ instance, actor }) => ({
    verdict: `${instance} 向另一台服务器发送心跳${actor === undefined ? '' : `（${actor}）`}：在这里租约已到期，在那里它还活着。`,
    advice: '请为提供者和消费者配置相同的服务器地址。',
  }),
  'holder-lost': ({ instance, holder }) => ({
    verdict: `持有 ${instance} 租约的节点${holder === undefined ? '' : ` ${holder} `}已经消失，没有其他节点及时接管。`,
    advice: '请为提供者配置所有节点的地址，这样下一次心跳或连接会到达仍在运行的节点。',
  }),
  'take-over': (facts) => ({
    verdict: `节点 ${facts.takeOver?.from ?? '?'} 持有 ${facts.instance} 的租约，但已不可依靠：用去 ${spent(facts)} 后，节点 ${facts.takeOver?.to ?? '?'} 才接管租约，并重新给足时间。`,
    advice:
      '正常停止或端口已关闭的节点会立即被接管；被隔离或冻结的节点在沉默 7 s 后被接管。请为客户端配置所有节点的地址，这样下一次心跳会更早地接管租约。',
  }),
  partition: (facts) => ({
    verdict: `节点 ${facts.takeOver?.from ?? '?'} 一直持有 ${facts.instance} 的租约并收到心跳，但从这里听不到它：节点 ${facts.takeOver?.to ?? '?'} 接管的租约因此到期，距最后一次听到该节点 ${spent(facts)}。`,
    advice:
      '请检查这些节点之间的网络（"rollcall members"，以及日志中的 member-changed）。请为客户端配置所有节点的地址，使心跳能到达分区的两侧。',
  }),
  replication: (facts) => ({
    verdict: `${facts.holder === undefined ? '另一个节点' : `节点 ${facts.holder} `}已得知 ${facts.instance} 的变化，但消息来得晚：用去 ${spent(facts)} 本节点才得知。`,
    advice: '请查看各节点的滞后和沉默（"rollcall members"）以及它们之间的网络；正常时一次变更只需三分之一秒。',
  }),
  'switch-off': (facts) => ({
    verdict: `有开关被关闭（healthCheckEnabled 或 pushEnabled）${facts.actor === undefined ? '' : `，修改来自 ${facts.actor}`}：${s(facts.ms)} 内没有过期处理，或没有通知任何人。`,
    advice: '请查看 GET /nacos/v1/ns/operator/switches 并重新打开。',
  }),
  'probe-interval': (facts) => ({
    verdict: `${facts.instance} 是持久实例：健康状态由探测得出，从最后一次成功探测到改变用去了 ${s(facts.ms)}。`,
    advice: '可在开关中降低探测间隔或 checkTimes；连接被拒绝时立即生效。',
  }),
  'push-merged': (facts) => ({
    verdict: `变更发生在上一次推送后的合并窗口内，等待了 ${s(facts.ms)} 直到窗口结束。`,
    advice: '窗口由选项 pushMergeMs 决定；它把连续的变更合并成一次推送。',
  }),
  'push-queued': (facts) => ({
    verdict: `${who(facts)} 还没有确认上一次推送，下一次推送等待了 ${s(facts.ms)}。`,
    advice: '请查明该订阅者为何确认缓慢：事件循环阻塞，或数据报丢失。',
  }),
  'push-lost': (facts) => ({
    verdict: `发往 ${facts.subscriber} 的第一次推送丢失了：重发之前用去了 ${spent(facts)}。`,
    advice: '数据报会在途中丢失，gRPC 不会。请检查网络和消费者的接收缓冲区。',
  }),
  'push-not-acknowledged': (facts) => ({
    verdict: `${who(facts)} 一直没有确认推送（${spent(facts)}）：它可能已有列表，也可能要等下一次轮询。`,
    advice: '请检查数据报能否到达它的端口（防火墙、NAT、容器），以及它的应答能否回到服务器的推送端口。',
  }),
  'push-refused-address': (facts) => ({
    verdict: `${who(facts)} 请求推送但不被允许（${facts.reason ?? '被拒绝'}），只能靠轮询得知，${spent(facts)}。`,
    advice: '用选项 pushTargets 允许它的地址，或让客户端用 clientIP 发送真实地址。',
  }),
  'push-refused-size': (facts) => ({
    verdict: `列表放不进一个数据报，${facts.subscriber} 没有收到推送，只能靠轮询得知，${spent(facts)}。`,
    advice: '对该服务使用 gRPC 客户端，或拆分服务，或减少元数据。',
  }),
  'poll-only': (facts) => ({
    verdict: `${who(facts)} 不接收推送，靠轮询得知，${spent(facts)}。`,
    advice: '在该客户端中订阅（UDP 或 gRPC），或在开关中降低 defaultCacheMillis。',
  }),
  'subscriber-gone': (facts) => ({
    verdict: `${who(facts)} 在得到通知之前就结束了订阅，或已被遗忘。`,
    advice: '它回来时会查询列表；在此之前那里只有它自己的缓存。',
  }),
  protection: ({ instance, protection }) => ({
    verdict: `${instance} 被当作健康实例返回，因为健康保护已启用${protection === undefined ? '' : `（${protection.all} 个中 ${protection.healthy} 个健康，阈值 ${protection.threshold}，${protection.dialect} 列表）`}。`,
    advice: '请恢复实例，或降低服务的 protectThreshold；0 表示关闭。',
  }),
  filter: ({ instance, subscriber }) => ({
    verdict: `${subscriber ?? '订阅者'} 已经得到通知：它的列表把 ${instance} 显示为不健康或权重为 0，是否剔除由消费者决定。`,
    advice: '请让消费者只选择健康实例（selectInstances 的 healthy 为 true，或查询时使用 healthyOnly）。',
  }),
  'consumer-cache': ({ instance, subscriber }) => ({
    verdict: `${subscriber ?? '订阅者'} 在那一刻之前已得知 ${instance} 不在了：仍在调用它的是消费者自己的缓存。本服务器看不到它。`,
    advice:
      '请到那里查看：客户端的故障转移文件和磁盘缓存、空列表保护（namingPushEmptyProtection）、调用方的连接池和 DNS 缓存。',
  }),
  'persistent-without-probe': ({ instance }) => ({
    verdict: `${instance} 是持久实例且没有任何探测：它一直显示为健康，直到有人移除。`,
    advice: '请为它的集群设置健康检查，或改为临时实例，或将其注销。',
  }),
  'still-connected': ({ instance, publishers }) => ({
    verdict: `${instance} 仍在列表中，因为它的 gRPC 连接还活着（${publishers.join(', ')}），与其端口无关。`,
    advice: '请查看持有该连接的进程；连接结束，实例随之消失。',
  }),
  'two-publishers': ({ instance, publishers }) => ({
    verdict: `${instance} 由 ${publishers.length} 个发布者持有（${publishers.join(', ')}）：只要其中一个还在，它就在。`,
    advice: '请找到并停止另一个：旧进程，或同时注册的边车。',
  }),
  'beats-by-another': ({ instance, actor }) => ({
    verdict: `${instance} 的心跳来自不止一个地址${actor === undefined ? '' : `，也来自 ${actor}`}：有别人在维持它。`,
    advice: '请停止为该地址发送心跳的旧进程或另一个注册者。',
  }),
  'not-yet-expired': (facts) => ({
    verdict: `${facts.instance} 已沉默 ${s(facts.silentMs)}，还没有到心跳超时 ${s(facts.beatTimeoutMs)}：它仍显示为健康。`,
    advice: timeoutAdvice(facts),
  }),
  'registered-elsewhere': ({ instance, elsewhere }) => ({
    verdict: `${instance} 还注册在其他服务中：${elsewhere.join(', ')}。`,
    advice: '那些服务的消费者仍能看到它；请在那里注销。',
  }),
};
