// What the demo tells while it plays, in both languages.

import type { Language } from '../language.js';

/** Who takes part. */
export type DemoActor = 'server' | 'one' | 'two' | 'three' | 'A' | 'B';

/** Sentences by language. */
export interface DemoWords {
  readonly names: Readonly<Record<DemoActor, string>>;
  readonly ready: (url: string) => string;
  readonly serves: (port: number) => string;
  readonly subscribes: (udpPort: number) => string;
  /** @param healthy - names of the healthy providers */
  readonly pushed: (healthy: readonly string[]) => string;
  readonly losesPush: string;
  readonly leaves: string;
  /** @param told - what the server said of the wait */
  readonly left: (told: string) => string;
  readonly crashes: string;
  readonly freezes: string;
  readonly thaws: string;
  readonly noAnswer: (provider: string) => string;
  readonly failed: (consumer: string, provider: string, count: number) => string;
}

const ENGLISH: DemoWords = {
  names: {
    server: 'server',
    one: 'provider one',
    two: 'provider two',
    three: 'provider three',
    A: 'consumer A',
    B: 'consumer B',
  },
  ready: (url) => `ready at ${url}`,
  serves: (port) => `serves on 127.0.0.1:${port}, registers, beats every second`,
  subscribes: (udpPort) => `subscribes as 127.0.0.1:${udpPort} and calls 20 times a second`,
  pushed: (healthy) => {
    const names = healthy.map((name) => name.replace('provider ', ''));
    return `is pushed: ${names.length === 0 ? 'nobody is' : `${names.join(', ')} ${names.length === 1 ? 'is' : 'are'}`} healthy`;
  },
  losesPush: 'loses a push on the way',
  leaves: 'leaves (SIGTERM): deregisters and waits for its subscribers',
  left: (told) => `has left: ${told}`,
  crashes: 'crashes (kill -9)',
  freezes: 'freezes (SIGSTOP)',
  thaws: 'goes on (SIGCONT)',
  noAnswer: (provider) => `calls ${provider} and gets no answer`,
  failed: (consumer, provider, count) => `${consumer} to ${provider}: ${count} calls failed`,
};

const CHINESE: DemoWords = {
  names: { server: '服务器', one: '提供者一', two: '提供者二', three: '提供者三', A: '消费者甲', B: '消费者乙' },
  ready: (url) => `已就绪：${url}`,
  serves: (port) => `在 127.0.0.1:${port} 提供服务，完成注册，每秒发送心跳`,
  subscribes: (udpPort) => `以 127.0.0.1:${udpPort} 订阅，每秒调用 20 次`,
  pushed: (healthy) => (healthy.length === 0 ? '收到推送：没有健康实例' : `收到推送：${healthy.join('、')}健康`),
  losesPush: '在途中丢失了一次推送',
  leaves: '离开（SIGTERM）：注销并等待订阅者',
  left: (told) => `已离开：${told}`,
  crashes: '崩溃（kill -9）',
  freezes: '冻结（SIGSTOP）',
  thaws: '恢复运行（SIGCONT）',
  noAnswer: (provider) => `调用${provider}，没有应答`,
  failed: (consumer, provider, count) => `${consumer}调用${provider}：失败 ${count} 次`,
};

/** The sentences of a language. */
export function demoWords(language: Language): DemoWords {
  return language === 'zh' ? CHINESE : ENGLISH;
}
