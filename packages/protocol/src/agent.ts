// Who is asking: the client library and version that an HTTP request names, and what 1.x answers depend on it.
// Source: Nacos 1.4.8 WebUtils.getUserAgent, ClientInfo, SwitchDomain push versions; an unreadable version counts as 0.0.0 (golden n45).

/** Client library. `server` is a Nacos peer, `unknown` everything else (curl, browsers, most SDKs). */
export type AgentType = 'java' | 'dns' | 'c' | 'java-sdk' | 'server' | 'tengine' | 'go' | 'csharp' | 'unknown';

/** Major, minor and patch. */
export type AgentVersion = readonly [major: number, minor: number, patch: number];

/** A client as its agent text tells it. */
export interface ClientAgent {
  readonly type: AgentType;
  readonly version: AgentVersion;
  /** Agent text as sent, shown in subscriber lists; empty when there was none. */
  readonly text: string;
}

/** Lowest client versions that are pushed to over UDP; library types without an entry never are. */
export interface PushThresholds {
  readonly java: AgentVersion;
  readonly dns: AgentVersion;
  readonly c: AgentVersion;
  readonly go: AgentVersion;
  readonly csharp: AgentVersion;
}

/** Thresholds of a fresh Nacos 1.4.8. */
export const DEFAULT_PUSH_THRESHOLDS: PushThresholds = {
  java: [0, 1, 0],
  dns: [0, 4, 3],
  c: [1, 0, 12],
  go: [0, 1, 0],
  csharp: [0, 9, 0],
};

const NO_VERSION: AgentVersion = [0, 0, 0];
const MODERN_JAVA_FROM: AgentVersion = [1, 0, 0];

const PREFIXES: readonly (readonly [prefix: string, type: AgentType])[] = [
  ['Nacos-Java-Client', 'java'],
  ['Nacos-DNS', 'dns'],
  ['Nacos-C-Client', 'c'],
  ['Nacos-SDK-Java', 'java-sdk'],
  ['Nacos-Server', 'server'],
  ['unit-nginx', 'tengine'],
  ['vip-client4cpp', 'c'],
  ['Nacos-Go-Client', 'go'],
  ['Nacos-CSharp-Client', 'csharp'],
];

/** The push versions as the switches of 1.4.8 hold them: texts such as `0.4.3`. */
export interface PushVersionSwitches {
  readonly pushJavaVersion: string;
  /** Named after Python, applied to DNS-F. */
  readonly pushPythonVersion: string;
  readonly pushCVersion: string;
  readonly pushGoVersion: string;
  readonly pushCSharpVersion: string;
}

/** Reads the thresholds from the switches. A text that is no version counts as 0.0.0. */
export function pushThresholds(switches: PushVersionSwitches): PushThresholds {
  return {
    java: parseVersion(switches.pushJavaVersion),
    dns: parseVersion(switches.pushPythonVersion),
    c: parseVersion(switches.pushCVersion),
    go: parseVersion(switches.pushGoVersion),
    csharp: parseVersion(switches.pushCSharpVersion),
  };
}

/** The agent text of a request. @param userAgent - `User-Agent` header @param clientVersion - `Client-Version` header, used when the first is missing or empty */
export function agentText(userAgent: string | undefined, clientVersion: string | undefined): string {
  return userAgent !== undefined && userAgent !== '' ? userAgent : (clientVersion ?? '');
}

/**
 * Reads an agent text such as `Nacos-Java-Client:v1.4.8`. Never fails: what is not known is `unknown` with version 0.0.0, and so is
 * the version of a known library that cannot be read.
 */
export function parseAgent(text: string): ClientAgent {
  for (const [prefix, type] of PREFIXES) {
    if (text.startsWith(prefix)) return { type, version: versionOf(text), text };
  }
  return { type: 'unknown', version: NO_VERSION, text };
}

/** Whether `dom` and host `serviceName` of a v1 list carry the group: Java clients from 1.0.0 on. */
export function groupedNames(agent: ClientAgent): boolean {
  return modernJava(agent);
}

/** Whether PUT on an instance must find the instance, as 1.4.8 asks of Java clients from 1.0.0 on; for all others it registers. */
export function strictUpdate(agent: ClientAgent): boolean {
  return modernJava(agent);
}

/** Whether a client can be pushed to over UDP. The push switch is the caller's question. */
export function pushAllowed(agent: ClientAgent, thresholds: PushThresholds): boolean {
  switch (agent.type) {
    case 'java':
    case 'dns':
    case 'c':
    case 'go':
    case 'csharp':
      return compareVersions(agent.version, thresholds[agent.type]) >= 0;
    default:
      return false;
  }
}

/** Order of two versions: negative, 0 or positive. */
export function compareVersions(a: AgentVersion, b: AgentVersion): number {
  return a[0] - b[0] || a[1] - b[1] || a[2] - b[2];
}

function modernJava(agent: ClientAgent): boolean {
  return agent.type === 'java' && compareVersions(agent.version, MODERN_JAVA_FROM) >= 0;
}

function versionOf(text: string): AgentVersion {
  const at = text.indexOf(':v');
  return at < 0 ? NO_VERSION : parseVersion(text.slice(at + 2, at + 50));
}

/**
 * Reads a version: the leading digits of its parts, which any of `- _ . / ; :` separates. One part alone is no version.
 *
 * @returns 0.0.0 when the text is no version
 */
export function parseVersion(text: string): AgentVersion {
  const parts = text.split(/[-_./;:]/);
  if (parts.length < 2) return NO_VERSION;
  return [leadingNumber(parts[0]), leadingNumber(parts[1]), leadingNumber(parts[2])];
}

function leadingNumber(part: string | undefined): number {
  const digits = /^\d{1,9}/.exec(part ?? '');
  return digits === null ? 0 : Number(digits[0]);
}
