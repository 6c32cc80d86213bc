// `npm run conformance`: runs flows or the crash test, prints what was seen, and tells by its exit code.
import { runClusterCommand } from './cluster/cluster-command.js';
import { CONFORMANCE_HELP, type ConformanceRequest, readConformanceArguments } from './conformance-arguments.js';
import { runCrashCommand } from './crash/crash-command.js';
import { formatCounts, formatFlow, formatResult, resultsAsJson } from './flow-report.js';
import { runFlows } from './flow-runner.js';
import { FLOWS } from './flows/all-flows.js';
import { runGoldenCommand } from './golden/golden-command.js';
import { runGrpcGoldenCommand } from './golden-grpc/grpc-golden-command.js';
import { openServer } from './server-under-test.js';

type FlowsRequest = Extract<ConformanceRequest, { kind: 'flows' }>;

async function main(args: readonly string[]): Promise<number> {
  if (args[0] === 'golden') return runGoldenCommand(args.slice(1));
  if (args[0] === 'golden-grpc') return runGrpcGoldenCommand(args.slice(1));
  if (args[0] === 'cluster') return runClusterCommand(args.slice(1));
  const request = readConformanceArguments(args, FLOWS);
  switch (request.kind) {
    case 'help':
      console.log(CONFORMANCE_HELP);
      return 0;
    case 'list':
      for (const flow of FLOWS) console.log(formatFlow(flow));
      return 0;
    case 'crash':
      return runCrashCommand(request.plan, request.json);
    case 'flows':
      return runFlowsCommand(request);
  }
}

async function runFlowsCommand({ flows, serverUrl, strength, json }: FlowsRequest): Promise<number> {
  const say = json ? console.error : console.log;
  const server = await openServer(serverUrl);
  try {
    const runId = Date.now().toString(36);
    const results = await runFlows(flows, {
      server,
      strength,
      runId,
      onResult: (result) => say(formatResult(result)),
    });
    if (json) console.log(JSON.stringify(resultsAsJson(results), undefined, 2));
    say(formatCounts(results));
    return results.some(({ outcome }) => outcome.result === 'failed') ? 1 : 0;
  } finally {
    await server.close();
  }
}

main(process.argv.slice(2)).then(
  (code) => {
    process.exitCode = code;
  },
  (error: unknown) => {
    console.error(`conformance: ${error instanceof Error ? error.message : String(error)}`);
    process.exitCode = 2;
  },
);
